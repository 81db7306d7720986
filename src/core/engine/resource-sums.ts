/** resourcesDuration of what is no pod: the sum of the pods inside it (Argo 4.1 behaviour 3.23). */

import type { NodeId, NodeStatus, NodeType } from "../model/argo/node.js";
import { addDurations, type ResourcesDuration, updateNode } from "./nodes/change.js";
import { nodeById, type Pass } from "./pass.js";

/** Inner ones first: a group sums up its retries, and these their attempts. */
const WRAPPERS: readonly NodeType[] = ["Retry", "TaskGroup", "StepGroup"];

/** Worked out once, when the workflow ends. */
export function setResourceSums(pass: Pass): void {
  const nodes = [...pass.nodes.all()];
  const sums = boundarySums(pass, nodes);
  for (const type of WRAPPERS) {
    for (const node of nodes) if (node.type === type) addWrapper(pass, sums, node);
  }
  for (const [id, resourcesDuration] of sums) {
    const node = pass.nodes.get(id);
    if (node !== undefined) updateNode(pass, node, { resourcesDuration });
  }
}

/** Of Steps and DAG nodes: each pod counts in all that are around it. */
function boundarySums(pass: Pass, nodes: readonly NodeStatus[]): Map<NodeId, ResourcesDuration> {
  const sums = new Map<NodeId, ResourcesDuration>();
  for (const { type, boundaryID, resourcesDuration } of nodes) {
    if (type !== "Pod" || resourcesDuration === undefined) continue;
    for (let around = nodeById(pass, boundaryID); around !== undefined; around = nodeById(pass, around.boundaryID)) {
      sums.set(around.id, addDurations(sums.get(around.id), resourcesDuration));
    }
  }
  return sums;
}

function addWrapper(pass: Pass, sums: Map<NodeId, ResourcesDuration>, node: NodeStatus): void {
  for (const id of node.children ?? []) {
    const own = sums.get(id) ?? pass.nodes.get(id)?.resourcesDuration;
    if (own !== undefined && isInside(pass, node, id)) sums.set(node.id, addDurations(sums.get(node.id), own));
  }
}

/** Children of a group are its members; what only follows it belongs to another group. */
function isInside(pass: Pass, node: NodeStatus, id: NodeId): boolean {
  return pass.nodes.get(id)?.name.startsWith(node.name) === true;
}
