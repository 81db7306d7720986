/** Progress, `N/M`: of nodes that do something themselves, and sums of them (Argo 4.1 behaviour 3.21). */

import type { NodeId, NodeStatus, NodeType } from "../../model/argo/node.js";

export interface Progress {
  readonly done: number;
  readonly total: number;
}

const EXECUTABLE: readonly NodeType[] = ["Pod", "HTTP", "Plugin", "Container", "Suspend"];

export const initialProgress = "0/1";

export function isExecutable(type: NodeType): boolean {
  return EXECUTABLE.includes(type);
}

/** Of an executable node; the default where it says none. */
export function progressOf(node: NodeStatus): Progress {
  const own = parseProgress(node.progress ?? initialProgress) ?? { done: 0, total: 1 };
  return node.phase === "Succeeded" ? { done: own.total, total: own.total } : own;
}

/** Undefined for what is no progress: `N/M` with 0 <= N <= M and M > 0. */
export function parseProgress(text: string): Progress | undefined {
  const match = /^(\d+)\/(\d+)$/.exec(text);
  if (match === null) return undefined;
  const progress = { done: Number(match[1]), total: Number(match[2]) };
  return progress.done <= progress.total && progress.total > 0 ? progress : undefined;
}

export function printProgress({ done, total }: Progress): string {
  return `${done}/${total}`;
}

/** An executable node that succeeded is done, whatever it said before. */
export function finishedProgress(node: NodeStatus): string {
  const { total } = progressOf(node);
  return `${total}/${total}`;
}

export function addProgress(sum: { done: number; total: number }, progress: Progress, by: 1 | -1): void {
  sum.done += by * progress.done;
  sum.total += by * progress.total;
}

/** The sum over all executable nodes below, each counted once; undefined when there are none. */
export function progressBelow(root: NodeStatus, get: (id: NodeId) => NodeStatus | undefined): string | undefined {
  const sum = { done: 0, total: 0 };
  const seen = new Set<NodeId>([root.id]);
  const queue: NodeId[] = [...(root.children ?? [])];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const node = get(next);
    if (node === undefined) continue;
    if (isExecutable(node.type)) addProgress(sum, progressOf(node), 1);
    for (const child of node.children ?? []) queue.push(child);
  }
  return sum.total === 0 ? undefined : printProgress(sum);
}
