/** Changing a workflow of a place: through its living owner, or by becoming the owner until the change is done. */

import type { Workflow } from "../../core/model/argo/workflow.js";
import { workflows } from "../../core/model/resources.js";
import type { Result } from "../../core/std/result.js";
import type { Client } from "../../kube/client.js";
import { updateOnConflict } from "../../kube/update.js";
import { type Context, notice } from "../context.js";
import { CliError, notFound } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { homesOfStored } from "../load/spec-files.js";
import { releasePlace, takeOverPlace } from "../places/own.js";
import { type Found, goOnCommand } from "../places/places.js";
import { followRun } from "./session.js";

export type Operation = (workflow: Workflow) => Result<Workflow, string>;

export interface Change {
  readonly operation: Operation;
  /** `failed to suspend x: `, before the operation's own words. */
  readonly errorPrefix: string;
  /** Where nobody owns the place: "go on" owns it until the workflow ends; "refuse" says that nothing runs. */
  readonly withoutOwner: "go on" | "refuse";
}

/** The exit code: 0, or that of the run that went on here. */
export async function changeWorkflow(context: Context, found: Found, change: Change): Promise<number> {
  if (found.owned) return changeThroughOwner(context, found, change);
  if (change.withoutOwner === "refuse") throw lost(found);
  return changeAsOwner(context, found, change);
}

async function changeThroughOwner(context: Context, found: Found, change: Change): Promise<number> {
  const host = await context.ports.places();
  const handle = await host.connect(found.place.folder);
  try {
    await applyChange(handle.client, found, change);
  } finally {
    await handle.close("ended");
  }
  return exitCodes.succeeded;
}

async function changeAsOwner(context: Context, found: Found, change: Change): Promise<number> {
  const place = await takeOverPlace(context, found.place.folder);
  let reason: "ended" | "abandon" = "abandon";
  try {
    const changed = await applyChange(place.handle.client, found, change);
    notice(context, `nobody ran ${found.row.name} any more: going on with it here`);
    const end = await followRun(context, place.handle, [changed], {
      stdout: "steps",
      quiet: false,
      events: undefined,
      pendingTimeoutMs: 30_000,
      runtimeLabel: place.settings.runtimeText,
      maxPods: place.settings.options.maxPods,
      keepsFailed: place.settings.options.keep !== "never",
      index: place.index,
      specFile: place.settings.specFile,
      homes: await homesOfStored(context, place.settings, changed),
      onSignal: "stop",
    });
    reason = end.abandoned ? "abandon" : "ended";
    return end.exitCode;
  } finally {
    await releasePlace(context, place, reason);
  }
}

/** The workflow as written. Rejects with CliError when the operation refuses. */
export async function applyChange(
  client: Client,
  { row }: Found,
  { operation, errorPrefix }: Pick<Change, "operation" | "errorPrefix">,
): Promise<Workflow> {
  const key = { namespace: row.namespace, name: row.name };
  const result = await updateOnConflict<Workflow>(client, { type: workflows, key }, (workflow) => {
    const next = operation(workflow);
    if (!next.ok) throw new CliError(exitCodes.failed, `${errorPrefix}${next.error}`);
    return next.value;
  });
  if (result.outcome === "gone") throw notFound(`workflow "${row.name}" not found`);
  return result.object;
}

function lost({ row, place }: Found): CliError {
  if (row.finishedAt !== "") return new CliError(exitCodes.failed, `${row.name} has ended: ${row.status}`);
  const message = `the process of ${row.name} is gone: nothing of it runs`;
  return new CliError(exitCodes.failed, message, goOnCommand(place, row.name));
}
