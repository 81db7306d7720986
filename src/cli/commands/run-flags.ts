/** Flags of `run` and `run --resume`, and what they mean for the session. */

import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Workflow } from "../../core/model/argo/workflow.js";
import { type Context, notice } from "../context.js";
import { badInput } from "../errors.js";
import { type Defaults, readDefaults } from "../load/defaults.js";
import { isAddress } from "../load/sources.js";
import { writeObjects } from "../output.js";
import type { SessionOptions } from "../session/session.js";
import type { PlaceFlags, SubmitFlags } from "./flags.js";

export interface RunFlags extends SubmitFlags, PlaceFlags {
  readonly output?: string;
  readonly events?: string;
  readonly dryRun?: boolean;
  readonly quiet?: boolean;
  readonly log: boolean;
  readonly pendingTimeout?: number;
  readonly resume?: string;
  readonly in?: string;
}

/** What of a session the flags say. */
export function sessionLook(
  flags: Pick<RunFlags, "events" | "output" | "quiet" | "log" | "pendingTimeout">,
): Pick<SessionOptions, "stdout" | "quiet" | "pendingTimeoutMs"> {
  if (flags.events === "-" && flags.output !== undefined) throw badInput("--events - and -o both want stdout");
  const stdout = flags.events === "-" ? "events" : flags.output !== undefined || !flags.log ? "none" : "steps";
  return {
    stdout,
    quiet: flags.quiet === true,
    pendingTimeoutMs: flags.pendingTimeout ?? 30_000,
  };
}

/** With `-o`: the ended workflows, and nothing else on stdout. */
export function printResult(context: Context, workflows: readonly Workflow[], output: string | undefined): void {
  if (output !== undefined) writeObjects(context, workflows, output);
}

/** Of the nearest tiphys.yaml upwards from the first file or folder, else from the current folder. */
export async function defaultsFor(context: Context, files: readonly string[]): Promise<Defaults> {
  const defaults = await readDefaults(await folderOf(context.ports.cwd, files[0]));
  if (defaults.file !== undefined) notice(context, `defaults from ${defaults.file}`);
  return defaults;
}

async function folderOf(cwd: string, first: string | undefined): Promise<string> {
  if (first === undefined || first === "-" || isAddress(first)) return cwd;
  const path = resolve(cwd, first);
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true ? path : dirname(path);
}
