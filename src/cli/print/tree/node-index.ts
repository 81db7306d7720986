/** The nodes of a workflow by what the tree asks for: ID, place inside a boundary, owner. */

import type { NodeId, NodeStatus } from "../../../core/model/argo/node.js";
import type { Workflow, WorkflowSpec } from "../../../core/model/argo/workflow.js";
import { compareUtf8 } from "../../../core/std/order.js";
import { type TemplateBook, templateBook } from "../templates.js";

export interface NodeIndex {
  readonly byId: ReadonlyMap<NodeId, NodeStatus>;
  /** Nodes drawn directly inside a boundary: no step groups, no attempts, no items of a task group. */
  inside(boundary: NodeId): readonly NodeStatus[];
  readonly templates: TemplateBook;
  readonly spec: WorkflowSpec;
}

export function indexNodes(workflow: Workflow): NodeIndex {
  const nodes = Object.values(workflow.status?.nodes ?? {});
  const byBoundary = nodesByBoundary(nodes);
  const templates = templateBook(workflow);
  return {
    byId: new Map(nodes.map((node) => [node.id, node])),
    templates,
    spec: templates.spec,
    inside: (boundary) => byBoundary.get(boundary) ?? [],
  };
}

function nodesByBoundary(nodes: readonly NodeStatus[]): ReadonlyMap<NodeId, readonly NodeStatus[]> {
  const owners = nodes.filter(({ type }) => type === "Retry" || type === "TaskGroup");
  const owned = new Set(owners.flatMap((owner) => owner.children ?? []));
  const isInside = (node: NodeStatus): boolean =>
    node.type !== "StepGroup" && (!owned.has(node.id) || node.nodeFlag?.hooked === true);
  const byBoundary = new Map<NodeId, NodeStatus[]>();
  for (const node of nodes) {
    if (node.boundaryID === undefined || !isInside(node)) continue;
    pushTo(byBoundary, node.boundaryID, node);
  }
  return byBoundary;
}

/** A copy of the list for each addition would be felt with thousands of nodes. */
export function pushTo<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

const LOOP_ITEM = /^(.+?)(\((\d+):.*\))$/s;

/** `train(2:lr:0.01)` -> `{ base: "train", item: "(2:lr:0.01)", index: 2 }`; undefined for what is no loop item. */
export function loopItem(
  displayName: string,
): { readonly base: string; readonly item: string; readonly index: number } | undefined {
  const match = LOOP_ITEM.exec(displayName);
  if (match === null) return undefined;
  return { base: match[1] ?? "", item: match[2] ?? "", index: Number(match[3]) };
}

/** By start, then loop index, then name, as Argo draws children (Argo 4.1 behaviour 8.6). */
export function compareNodes(a: NodeStatus, b: NodeStatus): number {
  const byStart = compareUtf8(a.startedAt ?? "", b.startedAt ?? "");
  if (byStart !== 0) return byStart;
  const left = loopItem(a.displayName);
  const right = loopItem(b.displayName);
  if (left && right && left.base === right.base && left.index !== right.index) return left.index - right.index;
  return compareUtf8(a.displayName, b.displayName);
}
