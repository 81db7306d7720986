/** Nothing stays Running in what has ended (lessons G.2, 4): settles what is left of a node, or of the workflow. */

import type { NodeStatus } from "../model/argo/node.js";
import { endDaemon } from "./kinds/daemons.js";
import { markNode } from "./nodes/change.js";
import { nodeById, type Pass } from "./pass.js";

type IsPart = (node: NodeStatus, whole: NodeStatus) => boolean;

/** After a node failed while it was at work: what is inside it, its attempts and its items. Hooks of it go on. */
export function settleBelow(pass: Pass, whole: NodeStatus): void {
  const isComposite = whole.type === "Steps" || whole.type === "DAG";
  if (isComposite && pass.nodes.openChildrenOf(whole.id) === 0) return;
  settleParts(pass, whole, isInside);
}

/** After a task failed and nobody is left to carry its hooks on: these end as well. */
export function settleWithHooks(pass: Pass, whole: NodeStatus): void {
  settleParts(pass, whole, (node) => isInside(node, whole) || isHookOf(node, whole));
}

/** When the workflow ends. */
export function settleAll(pass: Pass): void {
  for (const id of [...pass.nodes.open]) {
    const node = pass.nodes.get(id);
    if (node !== undefined) settle(pass, node, "the workflow has ended");
  }
}

function settleParts(pass: Pass, whole: NodeStatus, isPart: IsPart): void {
  for (const id of [...pass.nodes.open]) {
    const node = pass.nodes.get(id);
    if (node !== undefined && isBelow(pass, node, whole, isPart)) settle(pass, node, `${whole.name} has ended`);
  }
}

function isBelow(pass: Pass, node: NodeStatus, whole: NodeStatus, isPart: IsPart): boolean {
  for (let one: NodeStatus | undefined = node; one !== undefined; one = nodeById(pass, one.boundaryID)) {
    if (isPart(one, whole)) return true;
  }
  return false;
}

/** Attempts and items have the boundary of what they belong to. */
function isInside(node: NodeStatus, whole: NodeStatus): boolean {
  return node.boundaryID === whole.id || isBesideAs(node, whole, "(");
}

function isHookOf(node: NodeStatus, whole: NodeStatus): boolean {
  return node.nodeFlag?.hooked === true && isBesideAs(node, whole, ".");
}

function isBesideAs({ name, boundaryID }: NodeStatus, whole: NodeStatus, separator: "(" | "."): boolean {
  return boundaryID === whole.boundaryID && name.startsWith(`${whole.name}${separator}`);
}

/** A daemon that is up is no failure: it ends as it does when all goes well. */
function settle(pass: Pass, node: NodeStatus, why: string): void {
  if (node.daemoned === true) endDaemon(pass, node);
  else markNode(pass, node, "Failed", `ended early: ${why}`);
}
