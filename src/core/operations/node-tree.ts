/** The nodes of a workflow by name, by structure (which node is inside which) and by order (which follows which). */

import type { NodeId, NodeStatus } from "../model/argo/node.js";

/**
 * Names tell the structure: `wf[0].a(1:x)(0)` is an attempt of the step `wf[0].a(1:x)` of the group `wf[0]` of `wf`.
 * Edges (`children`) tell the order of execution, and lead from a group's last nodes to the next group.
 */
export interface NodeTree {
  readonly nodes: readonly NodeStatus[];
  get(id: NodeId): NodeStatus | undefined;
  /** The node right around it: its retry wrapper, loop or step group, Steps, DAG, or the node whose hook it is. */
  around(node: NodeStatus): NodeStatus | undefined;
  /** Those right inside it. */
  inside(node: NodeStatus): readonly NodeStatus[];
}

export function nodeTree(nodes: readonly NodeStatus[]): NodeTree {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const aroundOf = new Map(nodes.map((node) => [node.id, nearestAround(node, byName)]));
  const insideOf = new Map<NodeId, NodeStatus[]>();
  for (const node of nodes) {
    const outer = aroundOf.get(node.id);
    if (outer === undefined) continue;
    const siblings = insideOf.get(outer.id);
    if (siblings === undefined) insideOf.set(outer.id, [node]);
    else siblings.push(node);
  }
  return {
    nodes,
    get: (id) => byId.get(id),
    around: (node) => aroundOf.get(node.id),
    inside: (node) => insideOf.get(node.id) ?? [],
  };
}

/** The longest node name that this one goes on from with `.`, `[` or `(`. */
function nearestAround(node: NodeStatus, byName: ReadonlyMap<string, NodeStatus>): NodeStatus | undefined {
  for (let end = node.name.length - 1; end > 0; end--) {
    if (!".[(".includes(node.name.charAt(end))) continue;
    const outer = byName.get(node.name.slice(0, end));
    if (outer !== undefined) return outer;
  }
  return undefined;
}

/** Everything inside `start`, however deep, and everything that follows any of it; `start` included. */
export function withAllAfter(tree: NodeTree, starts: Iterable<NodeStatus>): ReadonlySet<NodeId> {
  const found = new Set<NodeId>();
  const queue = [...starts];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (found.has(node.id)) continue;
    found.add(node.id);
    queue.push(...tree.inside(node));
    for (const id of node.children ?? []) {
      const child = tree.get(id);
      if (child !== undefined) queue.push(child);
    }
  }
  return found;
}

/** From the innermost outwards. */
export function outerNodes(tree: NodeTree, node: NodeStatus): readonly NodeStatus[] {
  const outer: NodeStatus[] = [];
  for (let next = tree.around(node); next !== undefined; next = tree.around(next)) outer.push(next);
  return outer;
}
