/** Stop and terminate: what runs is ended, nothing new begins (Argo 4.1 behaviour 3.24). */

import type { ShutdownStrategy, Workflow } from "../model/argo/workflow.js";
import { err, ok, type Result } from "../std/result.js";
import { isCompleted, withSpec } from "./common.js";
import { changeSuspended } from "./suspended.js";

export interface StopOptions {
  /** Only the suspended nodes that it matches are ended, not the workflow. */
  readonly nodeFieldSelector?: string;
  readonly message?: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Exit handlers still run. With a selector: matching suspended nodes become Failed with the message. */
export function stop(workflow: Workflow, options: StopOptions): Result<Workflow, string> {
  const { nodeFieldSelector, message, now } = options;
  if (nodeFieldSelector === undefined || nodeFieldSelector === "") return shutdown(workflow, "Stop");
  const change = { phase: "Failed" as const, ...(message === undefined ? {} : { message }) };
  return changeSuspended(workflow, { nodeFieldSelector, change, now });
}

/** Nothing runs any more, exit handlers neither. */
export function terminate(workflow: Workflow): Result<Workflow, string> {
  return shutdown(workflow, "Terminate");
}

function shutdown(workflow: Workflow, strategy: ShutdownStrategy): Result<Workflow, string> {
  if (!isCompleted(workflow)) return ok(withSpec(workflow, { shutdown: strategy }));
  const { name = "", namespace = "" } = workflow.metadata;
  return err(`cannot shutdown a completed workflow: workflow: "${name}", namespace: "${namespace}"`);
}
