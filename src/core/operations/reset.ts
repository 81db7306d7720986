/** Which nodes of a finished workflow run again, and what is left of the others (Argo 4.1 behaviour 3.25). */

import type { NodeId, NodeStatus, NodeType } from "../model/argo/node.js";
import { rfc3339OfMs } from "../std/time.js";
import { type NodeTree, nodeTree, outerNodes, withAllAfter } from "./node-tree.js";

export interface ResetRequest {
  readonly workflowName: string;
  readonly nodes: readonly NodeStatus[];
  /** Run again though they did not fail, with all that follows them. */
  readonly also: (node: NodeStatus) => boolean;
  /** Composites whose children are made anew, because what they expand to may have changed. */
  readonly remake: (node: NodeStatus) => boolean;
  /** Composites that look at their steps again though nothing inside them runs again. */
  readonly reopen?: (node: NodeStatus) => boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface Reset {
  /** What stays: nodes as they were, and composites that are Running again. */
  readonly kept: readonly NodeStatus[];
  readonly deleted: readonly NodeStatus[];
}

const COMPOSITES: readonly NodeType[] = ["Steps", "StepGroup", "DAG", "TaskGroup", "Retry"];

export function isComposite(node: NodeStatus): boolean {
  return COMPOSITES.includes(node.type);
}

export function resetNodes(request: ResetRequest): Reset {
  const tree = nodeTree(request.nodes);
  const starts = startsOf(tree, request);
  const deleted = new Set(withAllAfter(tree, starts));
  for (const node of remade(tree, starts, deleted, request)) {
    for (const id of withAllAfter(tree, tree.inside(node))) deleted.add(id);
  }
  const reopened = reopenedIds(tree, deleted, request);
  for (const id of withAllAfter(tree, repeatedHooks(tree, reopened))) deleted.add(id);
  for (const id of omittedIn(tree, reopened)) deleted.add(id);
  const kept = request.nodes
    .filter(({ id }) => !deleted.has(id))
    .map((node) => pruned(reopened.has(node.id) ? reopenedNode(node, request.now) : node, deleted));
  return { kept, deleted: request.nodes.filter(({ id }) => deleted.has(id)) };
}

/** What is around a node that begins anew, or looks at its steps again, is Running again. */
function reopenedIds(tree: NodeTree, deleted: ReadonlySet<NodeId>, { reopen }: ResetRequest): ReadonlySet<NodeId> {
  const changed = tree.nodes.filter((node) => deleted.has(node.id));
  const looking = reopen === undefined ? [] : tree.nodes.filter(reopen);
  const around = [...changed, ...looking].flatMap((node) => outerNodes(tree, node));
  return new Set([...around, ...looking].map(({ id }) => id).filter((id) => !deleted.has(id)));
}

/**
 * A hook begins anew as a whole, and the exit hook of what is Running again has its turn after that: were they left, each
 * would wait for the other's end.
 */
function repeatedHooks(tree: NodeTree, reopened: ReadonlySet<NodeId>): readonly NodeStatus[] {
  const isExitHook = ({ name }: NodeStatus): boolean => name.endsWith(".onExit");
  const isRepeated = (hook: NodeStatus): boolean =>
    reopened.has(hook.id) || (isExitHook(hook) && reopened.has(tree.around(hook)?.id ?? ""));
  return tree.nodes.filter((node) => node.nodeFlag?.hooked === true && isRepeated(node));
}

/** The nodes that begin anew, before what follows them is counted in. */
function startsOf(tree: NodeTree, { workflowName, also }: ResetRequest): readonly NodeStatus[] {
  const failed = failedNodes(tree);
  const coped = leadingToSuccess(tree);
  const isCoped = (node: NodeStatus): boolean => {
    const wrapper = node.nodeFlag?.retried === true ? tree.around(node) : undefined;
    return coped.has((wrapper ?? node).id);
  };
  const hopeless = failed.filter((node) => !isCoped(node));
  const wanted = tree.nodes.filter(also);
  // A failure that later steps coped with stays, unless there is nothing else to run again.
  const chosen = hopeless.length + wanted.length > 0 ? [...hopeless, ...wanted] : failed;
  const exitHandler = `${workflowName}.onExit`;
  const exit = tree.nodes.filter(({ name }) => name === exitHandler);
  return [...chosen.flatMap((node) => lifted(tree, node)), ...exit];
}

/** Leaves that failed or never ended, and composites that failed for no reason inside them; a later attempt mends both. */
function failedNodes(tree: NodeTree): readonly NodeStatus[] {
  const failed = tree.nodes.filter((node) => !endedWell(node) && !isMended(tree, node));
  const leaves = failed.filter((node) => !isComposite(node));
  const explained = new Set(leaves.flatMap((node) => outerNodes(tree, node).map(({ id }) => id)));
  const composites = failed.filter((node) => isComposite(node) && !explained.has(node.id));
  const innermost = new Set(composites.flatMap((node) => outerNodes(tree, node).map(({ id }) => id)));
  return [...leaves, ...composites.filter(({ id }) => !innermost.has(id))];
}

/**
 * Every node inside or after which one succeeded, found backwards from those that did. A hook that succeeded says
 * nothing of the node it belongs to.
 */
function leadingToSuccess(tree: NodeTree): ReadonlySet<NodeId> {
  const before = new Map<NodeId, NodeStatus[]>();
  for (const node of tree.nodes) {
    for (const id of node.children ?? []) appendTo(before, id, node);
  }
  const found = new Set<NodeId>();
  const queue = tree.nodes.filter(({ phase }) => phase === "Succeeded");
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (found.has(node.id)) continue;
    found.add(node.id);
    if (node.nodeFlag?.hooked === true) continue;
    const outer = tree.around(node);
    queue.push(...(before.get(node.id) ?? []), ...(outer === undefined ? [] : [outer]));
  }
  return found;
}

/** It is, or is part of, an attempt, and another attempt went well. */
function isMended(tree: NodeTree, node: NodeStatus): boolean {
  const chain = [node, ...outerNodes(tree, node)];
  return chain.some((one) => one.nodeFlag?.retried === true && tree.around(one)?.phase === "Succeeded");
}

function endedWell({ phase }: NodeStatus): boolean {
  return phase === "Succeeded" || phase === "Skipped" || phase === "Omitted";
}

/** A container takes its whole pod along, an attempt all attempts: a retry by hand begins at (0) again (lessons G.1, 11). */
function lifted(tree: NodeTree, node: NodeStatus): readonly NodeStatus[] {
  const chain = [node, ...outerNodes(tree, node)];
  const attempt = chain.findLast((one) => one.nodeFlag?.retried === true);
  if (attempt !== undefined) {
    const wrapper = tree.around(attempt);
    return wrapper === undefined ? [attempt] : tree.inside(wrapper).filter((one) => one.nodeFlag?.retried === true);
  }
  if (node.type !== "Container") return [node];
  return [chain.find(({ type }) => type === "Pod") ?? node];
}

function remade(
  tree: NodeTree,
  starts: readonly NodeStatus[],
  deleted: ReadonlySet<NodeId>,
  { remake }: ResetRequest,
): readonly NodeStatus[] {
  const outer = new Map(starts.flatMap((node) => outerNodes(tree, node)).map((node) => [node.id, node]));
  return [...outer.values()].filter((node) => !deleted.has(node.id) && remake(node));
}

/** A task that was left out because of a failure may have its turn now. */
function omittedIn(tree: NodeTree, reopened: ReadonlySet<NodeId>): readonly NodeId[] {
  return tree.nodes
    .filter((node) => node.phase === "Omitted" && reopened.has(tree.around(node)?.id ?? ""))
    .map(({ id }) => id);
}

function reopenedNode(node: NodeStatus, now: number): NodeStatus {
  if (!isComposite(node)) return node;
  const { message, finishedAt, resourcesDuration, ...rest } = node;
  return { ...rest, phase: "Running", startedAt: rfc3339OfMs(now) };
}

function pruned(node: NodeStatus, deleted: ReadonlySet<NodeId>): NodeStatus {
  const stays = (ids: readonly NodeId[]): readonly NodeId[] => ids.filter((id) => !deleted.has(id));
  return {
    ...node,
    ...(node.children === undefined ? {} : { children: stays(node.children) }),
    ...(node.outboundNodes === undefined ? {} : { outboundNodes: stays(node.outboundNodes) }),
  };
}

function appendTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
