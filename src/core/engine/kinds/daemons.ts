/** Daemons live as long as the Steps or DAG around them (Argo 4.1 behaviour 2.12). */

import type { NodeStatus } from "../../model/argo/node.js";
import { updateNode } from "../nodes/change.js";
import { isSettled } from "../nodes/phases.js";
import type { Pass } from "../pass.js";

/**
 * Settles the daemons of a boundary that has ended, and those whose next attempt is on its way: nothing else in it is open.
 * Their pods are then ended by whoever sees a settled node.
 */
export function endDaemons(pass: Pass, boundary: NodeStatus): void {
  if (pass.nodes.openChildrenOf(boundary.id) === 0) return;
  for (const id of [...pass.nodes.open]) {
    const node = pass.nodes.get(id);
    if (node !== undefined && node.boundaryID === boundary.id) endDaemon(pass, node);
  }
}

/** All that are left when the workflow ends. */
export function endAllDaemons(pass: Pass): void {
  for (const id of [...pass.nodes.daemons]) {
    const node = pass.nodes.get(id);
    if (node !== undefined) endDaemon(pass, node);
  }
}

/** One that has ended already stays as it is. */
export function endDaemon(pass: Pass, node: NodeStatus): void {
  updateNode(pass, node, { daemoned: false, ...(isSettled(node) ? {} : { phase: "Succeeded" }) });
}
