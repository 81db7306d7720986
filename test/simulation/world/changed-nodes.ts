/** Which nodes of a workflow a step changed: worked out once for all who look at the step. */

import type { NodeStatus } from "../../../src/core/model/argo/node.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";

export type Nodes = Readonly<Record<string, NodeStatus>>;

export interface ChangedNode {
  readonly id: string;
  /** Undefined: it came to be. */
  readonly was: NodeStatus | undefined;
  /** Undefined: it is gone. */
  readonly is: NodeStatus | undefined;
}

export function nodesOf(workflow: Workflow | undefined): Nodes {
  return workflow?.status?.nodes ?? {};
}

/** What a step leaves alone is the same object as before. */
export function changedNodes(before: Nodes, after: Nodes): readonly ChangedNode[] {
  if (before === after) return [];
  const changed: ChangedNode[] = [];
  for (const id of Object.keys(after)) {
    const [was, is] = [before[id], after[id]];
    if (was !== is) changed.push({ id, was, is });
  }
  for (const id of Object.keys(before)) {
    if (after[id] === undefined) changed.push({ id, was: before[id], is: undefined });
  }
  return changed;
}
