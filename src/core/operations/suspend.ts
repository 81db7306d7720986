/** Suspend, resume, and set: a workflow or its suspended nodes wait for a person (Argo 4.1 behaviour 3.24). */

import type { NodeStatus } from "../model/argo/node.js";
import type { Workflow } from "../model/argo/workflow.js";
import { err, ok, type Result } from "../std/result.js";
import { isCompleted, nodesOf, withNodes, withSpec } from "./common.js";
import { changeSuspended, isActiveSuspend, type SuspendedChange, succeeded, withMessage } from "./suspended.js";

/** Running pods go on, nothing new begins. */
export function suspend(workflow: Workflow): Result<Workflow, string> {
  if (isCompleted(workflow)) return err("cannot suspend completed workflows");
  return ok(withSpec(workflow, { suspend: true }));
}

export interface ResumeOptions {
  /** Only the suspended nodes that it matches; the workflow's own suspend stays. */
  readonly nodeFieldSelector?: string;
  /** Who resumed it: `Resumed by: …`, where users are known. */
  readonly message?: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The workflow goes on, and every suspended node ends Succeeded. */
export function resume(workflow: Workflow, options: ResumeOptions): Result<Workflow, string> {
  const { nodeFieldSelector, message, now } = options;
  if (nodeFieldSelector !== undefined && nodeFieldSelector !== "") {
    const change = { phase: "Succeeded" as const, ...(message === undefined ? {} : { message }) };
    return changeSuspended(workflow, { nodeFieldSelector, change, now });
  }
  const nodes: NodeStatus[] = [];
  for (const node of nodesOf(workflow)) {
    const next = isActiveSuspend(node) ? succeeded(withMessage(node, message), now) : ok(node);
    if (!next.ok) return next;
    nodes.push(next.value);
  }
  const { suspend: _suspend, ...spec } = workflow.spec;
  const resumed = { ...workflow, spec };
  return ok(workflow.status === undefined ? resumed : withNodes(resumed, nodes));
}

/** Phase, message and output parameters of suspended nodes. */
export function set(workflow: Workflow, request: SuspendedChange): Result<Workflow, string> {
  return changeSuspended(workflow, request);
}
