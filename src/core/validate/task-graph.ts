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
    return { task, index, waitsFor, loops, wrongResult: undefined, wrongSyntax: syntaxFault(depends.value) };
  }
  const named = [...(task.depends ?? "").matchAll(REFERENCE)].map(([, withResult, bare]) => withResult ?? bare ?? "");
  const waitsFor = [...new Set(named)].sort(compareUtf8);
  return { task, index, waitsFor, loops: [], wrongResult: depends.error, wrongSyntax: undefined };
}

function syntaxFault(depends: Depends): string | undefined {
  const value = evaluateDepends(depends, () => true);
  return value.ok ? undefined : value.error;
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

/** Looks backwards, never past the place of what it looks for; answers for direct dependencies cost nothing. */
function ancestry(
  sorted: readonly TaskNode[],
  byName: ReadonlyMap<string, TaskNode>,
): (task: string, other: string) => boolean {
  const placeOf = new Map(sorted.map((node, place) => [node.task.name, place]));
  const before = sorted.map((node) =>
    node.waitsFor.map((name) => placeOf.get(name)).filter((one) => one !== undefined),
  );
  const seenIn = new Int32Array(sorted.length).fill(-1);
  let question = 0;
  return (task, other) => {
    const from = placeOf.get(task);
    const to = placeOf.get(other);
    if (from === undefined || to === undefined || !byName.has(other) || to >= from) return false;
    if (before[from]?.includes(to) === true) return true;
    question += 1;
    const open = [from];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      for (const one of before[place] ?? []) {
        if (one === to) return true;
        if (one < to || seenIn[one] === question) continue;
        seenIn[one] = question;
        open.push(one);
      }
    }
    return false;
  };
}
