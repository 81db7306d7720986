/** Nothing stays Running in what has ended (lessons G.2, 4): settles what is left below a node, or of the workflow. */

import type { NodeId, NodeStatus } from "../model/argo/node.js";
import { endDaemon } from "./kinds/daemons.js";
import { markNode } from "./nodes/change.js";
import { nodeById, type Pass } from "./pass.js";

/** After a composite failed while parts of it were still at work. */
export function settleBelow(pass: Pass, composite: NodeStatus): void {
  if (pass.nodes.openChildrenOf(composite.id) === 0) return;
  for (const id of [...pass.nodes.open]) {
    const node = pass.nodes.get(id);
    if (node !== undefined && isBelow(pass, node, composite.id)) settle(pass, node, `${composite.name} has ended`);
  }
}

/** When the workflow ends. */
export function settleAll(pass: Pass): void {
  for (const id of [...pass.nodes.open]) {
    const node = pass.nodes.get(id);
    if (node !== undefined) settle(pass, node, "the workflow has ended");
  }
}

function isBelow(pass: Pass, node: NodeStatus, ancestor: NodeId): boolean {
  for (let one = nodeById(pass, node.boundaryID); one !== undefined; one = nodeById(pass, one.boundaryID)) {
    if (one.id === ancestor) return true;
  }
  return false;
}

/** A daemon that is up is no failure: it ends as it does when all goes well. */
function settle(pass: Pass, node: NodeStatus, why: string): void {
  if (node.daemoned === true) endDaemon(pass, node);
  else markNode(pass, node, "Failed", `ended early: ${why}`);
}
