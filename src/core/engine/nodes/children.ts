/** The edges of the graph: children in order of execution, and the last nodes of a boundary (Argo 4.1 behaviour 3.2). */

import type { NodeId, NodeStatus, NodeType } from "../../model/argo/node.js";
import { plain } from "../../std/plain.js";
import { nodeById, type Pass } from "../pass.js";

export function addChild(pass: Pass, parent: NodeStatus, child: NodeId): void {
  addChildren(pass, parent, [child]);
}

/** Appends those that are not there yet. */
export function addChildren(pass: Pass, parent: NodeStatus, added: readonly NodeId[]): void {
  const current = pass.nodes.get(parent.id) ?? parent;
  const known = new Set(current.children ?? []);
  const fresh = added.filter((id) => !known.has(id));
  if (fresh.length === 0) return;
  pass.nodes.put({ ...plain, ...current, children: [...(current.children ?? []), ...new Set(fresh)] });
}

/** Appends nodes that were made just now, so that none of them can be there yet. */
export function appendChildren(pass: Pass, parent: NodeStatus, made: readonly NodeId[]): void {
  if (made.length === 0) return;
  const current = pass.nodes.get(parent.id) ?? parent;
  pass.nodes.put({ ...plain, ...current, children: [...(current.children ?? []), ...made] });
}

/** How the last nodes of each type are found. */
const OUTBOUND: Readonly<Record<NodeType, "self" | "children" | "last" | "stored">> = {
  Skipped: "self",
  Suspend: "self",
  HTTP: "self",
  Plugin: "self",
  Pod: "self",
  Container: "children",
  TaskGroup: "children",
  Retry: "last",
  Steps: "stored",
  DAG: "stored",
  StepGroup: "stored",
};

/** The nodes after which what follows may begin. */
export function outboundNodes(pass: Pass, id: NodeId): readonly NodeId[] {
  const node = pass.nodes.get(id);
  if (node === undefined) return [];
  const children = node.children ?? [];
  switch (OUTBOUND[node.type]) {
    case "self":
      return [id];
    case "children":
      return children.length === 0 ? [id] : unionOf(pass, children);
    case "last":
      return children.slice(-1);
    case "stored":
      return node.memoizationStatus?.hit === true ? [id] : unionOf(pass, node.outboundNodes ?? []);
  }
}

function unionOf(pass: Pass, ids: readonly NodeId[]): readonly NodeId[] {
  return ids.flatMap((id) => outboundNodes(pass, id));
}

/** Items of a loop of tasks and its hooks. What follows a loop without items is its child too, and is not among them. */
export function itemsOf(pass: Pass, group: NodeStatus): readonly NodeStatus[] {
  const isOwn = ({ name }: NodeStatus): boolean => /^[(.]/.test(name.slice(group.name.length));
  return (group.children ?? [])
    .map((id) => pass.nodes.get(id))
    .filter((node) => node !== undefined)
    .filter((node) => node.name.startsWith(group.name) && isOwn(node));
}

/** Attempts of a retry node, in order. */
export function attemptsOf(pass: Pass, retry: NodeStatus): readonly NodeStatus[] {
  const attempts: NodeStatus[] = [];
  for (const id of retry.children ?? []) {
    const child = nodeById(pass, id);
    if (child?.nodeFlag?.retried === true) attempts.push(child);
  }
  return attempts;
}

/** The node whose attributes others see: a retry shows its last attempt's. */
export function shownNode(pass: Pass, node: NodeStatus): NodeStatus {
  return node.type === "Retry" ? (attemptsOf(pass, node).at(-1) ?? node) : node;
}
