/** A workflow's status in one phrase, as Argo's lists print it (Argo 4.1 behaviour 8.5). */

import type { Workflow } from "../../core/model/argo/workflow.js";

/** `Running (Suspended)`, `Failed (Terminated)`, `Pending`, `Succeeded`. */
export function statusText(workflow: Workflow): string {
  const phase = workflow.status?.phase ?? "";
  if (phase === "Running" && isSuspended(workflow)) return "Running (Suspended)";
  if (phase === "Failed" && workflow.spec.shutdown) return "Failed (Terminated)";
  if (phase !== "") return phase;
  return workflow.metadata.creationTimestamp === undefined ? "Unknown" : "Pending";
}

export function isSuspended(workflow: Workflow): boolean {
  if (workflow.spec.suspend === true) return true;
  return Object.values(workflow.status?.nodes ?? {}).some(
    (node) => node.type === "Suspend" && node.phase === "Running",
  );
}

/** That of a workflow whose process is gone: `Lost`, `Lost (Suspended)`. */
export function lostStatus(status: string): string {
  return status.replace(/^\w+/, "Lost");
}
