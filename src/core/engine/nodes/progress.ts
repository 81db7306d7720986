/** Progress, `N/M`: of nodes that do something themselves, and sums of them (Argo 4.1 behaviour 3.21). */

import type { NodeId, NodeStatus, NodeType } from "../../model/argo/node.js";

export interface Progress {
  readonly done: number;
  readonly total: number;
}

const EXECUTABLE: readonly NodeType[] = ["Pod", "HTTP", "Plugin", "Container", "Suspend"];

export const initialProgress = "0/1";
const NOTHING_DONE: Progress = { done: 0, total: 1 };

export function isExecutable(type: NodeType): boolean {
  return EXECUTABLE.includes(type);
}

/** Of an executable node; the default where it says none. */
export function progressOf(node: NodeStatus): Progress {
  const { progress = initialProgress } = node;
  const own = progress === initialProgress ? NOTHING_DONE : (parseProgress(progress) ?? NOTHING_DONE);
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

/** Sums over all executable nodes below a node, each counted once; made for one look at a whole workflow. */
export class ProgressSums {
  private readonly indexes = new Map<NodeId, number>();
  private readonly children: (readonly number[])[] = [];
  private readonly own: (Progress | undefined)[] = [];
  /** Which sum a node was last counted in; cheaper than a set for each sum. */
  private readonly countedIn: Int32Array;

  constructor(nodes: readonly NodeStatus[]) {
    for (const [index, { id }] of nodes.entries()) this.indexes.set(id, index);
    for (const node of nodes) {
      this.own.push(isExecutable(node.type) ? progressOf(node) : undefined);
      this.children.push((node.children ?? []).flatMap((id) => this.indexes.get(id) ?? []));
    }
    this.countedIn = new Int32Array(nodes.length).fill(-1);
  }

  /** Undefined when nothing below does anything itself. */
  below(node: NodeStatus): string | undefined {
    const root = this.indexes.get(node.id);
    if (root === undefined) return undefined;
    const sum = { done: 0, total: 0 };
    const queue = [...(this.children[root] ?? [])];
    this.countedIn[root] = root;
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (this.countedIn[next] === root) continue;
      this.countedIn[next] = root;
      const own = this.own[next];
      if (own !== undefined) addProgress(sum, own, 1);
      for (const child of this.children[next] ?? []) queue.push(child);
    }
    return sum.total === 0 ? undefined : printProgress(sum);
  }
}
