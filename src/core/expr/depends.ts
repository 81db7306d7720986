/** `depends` and `dependencies`: which results of which tasks let a task run (Argo 4.1 behaviour 3.7.1). */

import { compareUtf8 } from "../std/order.js";
import { err, ok, type Result } from "../std/result.js";
import { evaluateBoolean } from "./evaluate.js";
import type { ExprKey, ExprValue } from "./values/value.js";

/** What may be asked of a task. */
export const taskResults = [
  "Succeeded",
  "Failed",
  "Errored",
  "Skipped",
  "Omitted",
  "Daemoned",
  "AnySucceeded",
  "AllFailed",
] as const;
export type TaskResult = (typeof taskResults)[number];

/** As much of a DAG task as matters here. */
interface DependedTask {
  readonly continueOn?: { readonly error?: boolean; readonly failed?: boolean };
}

/** A task's condition, ready to be evaluated. */
export interface Depends {
  /** Bare names expanded: `(A.Succeeded || A.Skipped || A.Daemoned)`. Empty when the task waits for nothing. */
  readonly expression: string;
  /** The tasks named, each once, sorted. */
  readonly tasks: readonly string[];
  /** Those of them of which `AnySucceeded` or `AllFailed` is asked: they must be loops. */
  readonly loops: readonly string[];
}

/** Tasks of the same DAG by name, for their `continueOn`. */
type TasksByName = ReadonlyMap<string, DependedTask>;

const REFERENCE = /([a-zA-Z0-9][-a-zA-Z0-9]*?\.[A-Z][a-zA-Z]+)|([a-zA-Z0-9][-a-zA-Z0-9]*)/g;

/**
 * Reads a `depends` text. The error is Argo's for a result there is not. Names of tasks that are not in `tasks` are
 * not complained about: they are among the result's `tasks`, and validation says it better.
 */
export function parseDepends(text: string, tasks: TasksByName): Result<Depends> {
  const named = new Set<string>();
  const loops = new Set<string>();
  let problem: string | undefined;
  const expression = text.replace(REFERENCE, (reference, withResult: string | undefined) => {
    if (withResult === undefined) {
      named.add(reference);
      return expanded(reference, tasks.get(reference));
    }
    const [task = "", result = ""] = withResult.split(".");
    named.add(task);
    if (!isTaskResult(result)) problem ??= `task result '${result}' for task '${task}' is invalid`;
    if (result === "AnySucceeded" || result === "AllFailed") loops.add(task);
    return reference;
  });
  if (problem !== undefined) return err(problem);
  return ok({ expression, tasks: [...named].sort(compareUtf8), loops: [...loops].sort(compareUtf8) });
}

/** `dependencies: [A, B]` is `A && B`. */
function dependsOnAll(dependencies: readonly string[], tasks: TasksByName): Depends {
  return {
    expression: dependencies.map((name) => expanded(name, tasks.get(name))).join(" && "),
    tasks: [...new Set(dependencies)].sort(compareUtf8),
    loops: [],
  };
}

/** Of a task with either field, or none. */
export function dependsOf(
  task: { readonly depends?: string; readonly dependencies?: readonly string[] },
  tasks: TasksByName,
): Result<Depends> {
  if (task.depends !== undefined && task.depends !== "") return parseDepends(task.depends, tasks);
  return ok(dependsOnAll(task.dependencies ?? [], tasks));
}

function isTaskResult(name: string): name is TaskResult {
  return taskResults.some((result) => result === name);
}

/** A bare name: it went well, or its own continueOn says that it does not matter. */
function expanded(name: string, task: DependedTask | undefined): string {
  const results: TaskResult[] = ["Succeeded", "Skipped", "Daemoned"];
  if (task?.continueOn?.error === true) results.push("Errored");
  if (task?.continueOn?.failed === true) results.push("Failed");
  return `(${results.map((result) => `${name}.${result}`).join(" || ")})`;
}

/**
 * Whether the task may run; ask only once every task named is done. The error is the node's message. Hyphens become
 * underscores first, in the whole expression, as in Argo.
 */
export function evaluateDepends(
  depends: Depends,
  resultOf: (task: string, result: TaskResult) => boolean,
): Result<boolean> {
  if (depends.expression === "") return ok(true);
  const env = new Map<string, ExprValue>();
  for (const task of depends.tasks) {
    const results = taskResults.map((result): [ExprKey, ExprValue] => [result, resultOf(task, result)]);
    env.set(underscored(task), new Map(results));
  }
  const expression = underscored(depends.expression);
  const value = evaluateBoolean(expression, env, { now: 0, seed: "" });
  return value.ok ? value : err(`unable to evaluate expression '${expression}': ${value.error}`);
}

function underscored(text: string): string {
  return text.replaceAll("-", "_");
}
