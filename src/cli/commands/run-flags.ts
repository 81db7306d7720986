/** Flags of `run` and `run --resume`, and what they mean for the session. */

import { dirname } from "node:path";
import type { Workflow } from "../../core/model/argo/workflow.js";
import { type Context, notice } from "../context.js";
import { badInput } from "../errors.js";
import { type Defaults, readDefaults } from "../load/defaults.js";
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

/** Of the nearest tiphys.yaml above the first file, else above the current folder. */
export async function defaultsFor(context: Context, files: readonly string[]): Promise<Defaults> {
  const { cwd } = context.ports;
  const first = files[0];
  const isPath = first !== undefined && first !== "-" && !/^https?:/i.test(first);
  const defaults = await readDefaults(isPath ? dirname(pathOf(cwd, first)) : cwd);
  if (defaults.file !== undefined) notice(context, `defaults from ${defaults.file}`);
  return defaults;
}

function pathOf(cwd: string, file: string): string {
  return file.startsWith("/") ? file : `${cwd}/${file}`;
}
