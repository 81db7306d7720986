/** The order of a DAG's tasks, who waits for whom, and what is wrong with that (Argo 4.1 behaviour 3.7.1, 10.6). */

import { type Depends, dependsOf, evaluateDepends } from "../expr/depends.js";
import type { DAGTask } from "../model/argo/template.js";
import { compareUtf8 } from "../std/order.js";

export interface TaskNode {
  readonly task: DAGTask;
  /** In the file. */
  readonly index: number;
  /** Names of tasks it waits for, sorted; some may not exist. */
  readonly waitsFor: readonly string[];
  readonly loops: readonly string[];
  /** What is wrong with `depends` by itself: Argo's text for a result there is not. */
  readonly wrongResult: string | undefined;
  /** Argo finds this when it runs. */
  readonly wrongSyntax: string | undefined;
}

export interface TaskGraph {
  readonly nodes: readonly TaskNode[];
  /** The first of each name. */
  readonly byName: ReadonlyMap<string, TaskNode>;
  /** Each after those that it waits for; the order of the file where there is no such order. */
  readonly sorted: readonly TaskNode[];
  /** Names along a circle, the first repeated at the end. */
  readonly cycle: readonly string[] | undefined;
  /** Whether `task` waits for `other`, directly or not. All wait for all where there is no order. */
  readonly follows: (task: string, other: string) => boolean;
}

export function taskGraph(tasks: readonly DAGTask[]): TaskGraph {
  const continueOn: ReadonlyMap<string, DAGTask> = new Map(tasks.map((task) => [task.name, task]));
  const nodes = tasks.map((task, index) => taskNode(task, index, continueOn));
  const byName = new Map<string, TaskNode>();
  for (const node of nodes) if (!byName.has(node.task.name)) byName.set(node.task.name, node);
  const sorted = sort(nodes, byName);
  const whole = sorted.length === nodes.length;
  return {
    nodes,
    byName,
    sorted: whole ? sorted : nodes,
    cycle: whole ? undefined : cycleIn(nodes, byName, new Set(sorted)),
    follows: whole ? ancestry(sorted, byName) : () => true,
  };
}

const REFERENCE = /([a-zA-Z0-9][-a-zA-Z0-9]*?)\.[A-Z][a-zA-Z]+|([a-zA-Z0-9][-a-zA-Z0-9]*)/g;

function taskNode(task: DAGTask, index: number, tasks: ReadonlyMap<string, DAGTask>): TaskNode {
  const depends = dependsOf(task, tasks);
  if (depends.ok) {
    const { tasks: waitsFor, loops } = depends.value;
    return { task, index, waitsFor, loops, wrongResult: undefined, wrongSyntax: syntaxFault(task, depends.value) };
  }
  const named = [...(task.depends ?? "").matchAll(REFERENCE)].map(([, withResult, bare]) => withResult ?? bare ?? "");
  const waitsFor = [...new Set(named)].sort(compareUtf8);
  return { task, index, waitsFor, loops: [], wrongResult: depends.error, wrongSyntax: undefined };
}

function syntaxFault(task: DAGTask, depends: Depends): string | undefined {
  if ((task.depends ?? "") === "") return undefined;
  const value = evaluateDepends(depends, () => true);
  if (value.ok) return undefined;
  // Argo quotes the expression with all names expanded, which nobody wrote, and a position in that.
  const [line = ""] = value.error.split("\n");
  const reason = line.slice(line.lastIndexOf("': ") + "': ".length);
  return reason.replace(/ \(\d+:\d+\)$/, "");
}

/** Kahn's order; shorter than the list where there is a circle. */
function sort(nodes: readonly TaskNode[], byName: ReadonlyMap<string, TaskNode>): TaskNode[] {
  const waiting = new Map<TaskNode, number>();
  const next = new Map<TaskNode, TaskNode[]>();
  for (const node of nodes) {
    const before = node.waitsFor.map((name) => byName.get(name)).filter((one) => one !== undefined);
    waiting.set(node, before.length);
    for (const one of before) {
      const after = next.get(one);
      if (after === undefined) next.set(one, [node]);
      else after.push(node);
    }
  }
  const sorted = nodes.filter((node) => waiting.get(node) === 0);
  for (const node of sorted) {
    for (const after of next.get(node) ?? []) {
      const left = (waiting.get(after) ?? 0) - 1;
      waiting.set(after, left);
      if (left === 0) sorted.push(after);
    }
  }
  return sorted;
}

/** Each that was not sorted waits for another that was not: going on from one to the next comes back. */
function cycleIn(
  nodes: readonly TaskNode[],
  byName: ReadonlyMap<string, TaskNode>,
  sorted: ReadonlySet<TaskNode>,
): readonly string[] | undefined {
  const way: TaskNode[] = [];
  const place = new Map<TaskNode, number>();
  let node = nodes.find((one) => !sorted.has(one));
  while (node !== undefined) {
    const at = place.get(node);
    if (at !== undefined) return [...way.slice(at), node].map(({ task }) => task.name);
    place.set(node, way.length);
    way.push(node);
    node = node.waitsFor.map((name) => byName.get(name)).find((one) => one !== undefined && !sorted.has(one));
  }
  return undefined;
}

/** Answers for direct dependencies cost nothing; the first other question works out all ancestors. */
function ancestry(
  sorted: readonly TaskNode[],
  byName: ReadonlyMap<string, TaskNode>,
): (task: string, other: string) => boolean {
  const placeOf = new Map(sorted.map((node, place) => [node.task.name, place]));
  const before = (place: number): number[] =>
    (sorted[place]?.waitsFor ?? []).map((name) => placeOf.get(name)).filter((one) => one !== undefined);
  let isAncestor: ((from: number, to: number) => boolean) | undefined;
  return (task, other) => {
    const from = placeOf.get(task);
    const to = placeOf.get(other);
    if (from === undefined || to === undefined || !byName.has(other) || to >= from) return false;
    if (sorted[from]?.waitsFor.includes(other) === true) return true;
    isAncestor ??= sorted.length <= TABLE_MAX ? ancestorTable(sorted.length, before) : ancestorSearch(before);
    return isAncestor(from, to);
  };
}

/** Above this a table of all pairs is larger than it is worth (32 MB here). */
const TABLE_MAX = 16_384;

type IsAncestor = (from: number, to: number) => boolean;

/** A row of bits for each task: its ancestors are its dependencies and theirs, which stand before it. */
function ancestorTable(count: number, before: (place: number) => readonly number[]): IsAncestor {
  const words = Math.ceil(count / 32);
  const bits = new Uint32Array(count * words);
  const at = (index: number): number => bits[index] ?? 0;
  for (let place = 0; place < count; place++) {
    const row = place * words;
    for (const one of before(place)) {
      const other = one * words;
      const used = (one >>> 5) + 1;
      for (let word = 0; word < used; word++) bits[row + word] = at(row + word) | at(other + word);
      bits[row + (one >>> 5)] = at(row + (one >>> 5)) | (1 << (one & 31));
    }
  }
  return (from, to) => (at(from * words + (to >>> 5)) & (1 << (to & 31))) !== 0;
}

/** Goes backwards, never past what is looked for. */
function ancestorSearch(before: (place: number) => readonly number[]): IsAncestor {
  return (from, to) => {
    const seen = new Set<number>();
    const open = [from];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      for (const one of before(place)) {
        if (one === to) return true;
        if (one < to || seen.has(one)) continue;
        seen.add(one);
        open.push(one);
      }
    }
    return false;
  };
}
