/** What `submit` and `retry` do once the work is handed over: print it, and wait, watch or follow when asked to. */

import type { Command } from "commander";
import type { Workflow } from "../../core/model/argo/workflow.js";
import { type Context, writeLines } from "../context.js";
import { exitCodes } from "../exit-codes.js";
import type { SpecHome } from "../load/references.js";
import { writeObjects } from "../output.js";
import type { PlaceHandle } from "../ports.js";
import { followRun, ownerGone } from "../session/session.js";
import { endLine, endOfWorkflow, waitForEnd } from "../session/wait.js";

export interface FollowFlags {
  readonly wait?: boolean;
  readonly watch?: boolean;
  readonly log?: boolean;
  readonly output?: string;
}

export function defineFollowFlags(command: Command): void {
  command
    .option("-w, --wait", "wait for the end; exit 1 if it failed")
    .option("--watch", "show the live tree until the end")
    .option("--log", "follow the logs until the end");
}

export interface Afterwards {
  readonly flags: FollowFlags;
  readonly specFile: string;
  readonly homes: ReadonlyMap<string, SpecHome>;
}

/** The place has another owner: a signal here only ends the watching. */
export async function afterwards(
  context: Context,
  handle: PlaceHandle,
  created: readonly Workflow[],
  { flags, specFile, homes }: Afterwards,
): Promise<number> {
  const follows = flags.watch === true || flags.log === true;
  if (!follows || flags.output !== undefined) writeObjects(context, created, flags.output ?? "default");
  if (follows) {
    const end = await followRun(context, handle, created, {
      stdout: flags.log === true ? "steps" : "none",
      quiet: false,
      events: undefined,
      runtimeLabel: "up",
      maxPods: null,
      keepsFailed: true,
      pendingTimeoutMs: undefined,
      index: undefined,
      specFile,
      homes,
      onSignal: "leave",
    });
    return end.exitCode;
  }
  if (flags.wait !== true) return exitCodes.succeeded;
  const names = created.map(({ metadata }) => ({ namespace: metadata.namespace ?? "", name: metadata.name ?? "" }));
  const isForPeople = flags.output === undefined || flags.output === "wide";
  const ends = await Promise.all(
    names.map(async (key) => {
      const end = await waitForEnd(context, handle, key);
      if (isForPeople && end !== "lost") writeLines(context, [endLine(context, key.name, endOfWorkflow(end))]);
      return end;
    }),
  );
  if (ends.includes("lost")) throw ownerGone(context, handle, created);
  const succeeded = ends.every((end) => typeof end === "object" && end.status?.phase === "Succeeded");
  return succeeded ? exitCodes.succeeded : exitCodes.failed;
}
