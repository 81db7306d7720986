/** What tells the workflows of a place apart: two namespaces may have one of the same name. */

import type { Workflow } from "../core/model/argo/workflow.js";

/** `default/nightly` */
export function workflowKey({ metadata }: Pick<Workflow, "metadata">): string {
  return `${metadata.namespace ?? ""}/${metadata.name ?? ""}`;
}

/** A node's ID is made of names only: those of two namespaces may be one. */
export function stepKey(namespace: string, nodeId: string): string {
  return `${namespace}/${nodeId}`;
}
