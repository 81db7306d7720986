/** The shape of a DAG: who depends on whom, and in which order tasks are looked at (Argo 4.1 behaviour 3.7). */

import type { DAGTask, DAGTemplate } from "../../model/argo/template.js";
import { compareUtf8 } from "../../std/order.js";

/** `A.Succeeded`, or a bare task name. */
const TOKEN = /([a-zA-Z0-9][-a-zA-Z0-9]*?\.[A-Z][a-zA-Z]+)|([a-zA-Z0-9][-a-zA-Z0-9]*)/g;

/** The tasks that one depends on, in the order in which it names them. */
export function dependenciesOf(task: DAGTask): readonly string[] {
  if ((task.depends ?? "") === "") return task.dependencies ?? [];
  const names = [...(task.depends ?? "").matchAll(TOKEN)].map(([token]) => token.split(".")[0] ?? "");
  return [...new Set(names)];
}

/** The condition in expression form: bare names spelled out, `-` replaced by `_`. */
export function dependsLogic(task: DAGTask, tasks: ReadonlyMap<string, DAGTask>): string {
  const logic = (task.depends ?? "") === "" ? (task.dependencies ?? []).join(" && ") : (task.depends ?? "");
  return logic.replace(TOKEN, (token, withResult: string | undefined) =>
    withResult === undefined ? bareName(token, tasks.get(token)) : token,
  );
}

function bareName(name: string, task: DAGTask | undefined): string {
  const results = ["Succeeded", "Skipped", "Daemoned"];
  if (task?.continueOn?.error === true) results.push("Errored");
  if (task?.continueOn?.failed === true) results.push("Failed");
  return `(${results.map((result) => `${name}.${result}`).join(" || ")})`;
}

/** The tasks that `target` names, else those that nothing depends on, sorted. */
export function targetsOf(dag: DAGTemplate): readonly string[] {
  if ((dag.target ?? "") !== "") return (dag.target ?? "").split(" ");
  const needed = new Set(dag.tasks.flatMap(dependenciesOf));
  return dag.tasks
    .map(({ name }) => name)
    .filter((name) => !needed.has(name))
    .sort(compareUtf8);
}

/** Targets and all they depend on, dependencies first; what a cycle would repeat is left out. */
export function orderOf(targets: readonly string[], tasks: ReadonlyMap<string, DAGTask>): readonly DAGTask[] {
  const order: DAGTask[] = [];
  const seen = new Set<string>();
  for (const target of targets) visitFrom(target, { tasks, seen, order });
  return order;
}

interface Walk {
  readonly tasks: ReadonlyMap<string, DAGTask>;
  readonly seen: Set<string>;
  readonly order: DAGTask[];
}

/** Depth first without recursion: a chain may be long. */
function visitFrom(start: string, { tasks, seen, order }: Walk): void {
  const stack: { readonly task: DAGTask; readonly rest: string[] }[] = [];
  const enter = (name: string): void => {
    const task = tasks.get(name);
    if (task === undefined || seen.has(name)) return;
    seen.add(name);
    stack.push({ task, rest: [...dependenciesOf(task)] });
  };
  enter(start);
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const next = top.rest.shift();
    if (next !== undefined) {
      enter(next);
      continue;
    }
    order.push(top.task);
    stack.pop();
  }
}

/** For each task all that it depends on, directly or not; `order` has dependencies first. */
export function ancestorsOf(order: readonly DAGTask[]): ReadonlyMap<string, readonly string[]> {
  const ancestors = new Map<string, readonly string[]>();
  for (const task of order) {
    const all = new Set<string>();
    for (const name of dependenciesOf(task)) {
      for (const ancestor of ancestors.get(name) ?? []) all.add(ancestor);
      all.add(name);
    }
    ancestors.set(task.name, [...all]);
  }
  return ancestors;
}
