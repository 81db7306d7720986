/** Whether a task may begin, by what became of the tasks it depends on (Argo 4.1 behaviour 3.7.1). */

import { evaluateBoolean } from "../../expr/index.js";
import type { NodeStatus } from "../../model/argo/node.js";
import type { DagState, TaskState } from "../frames.js";
import { itemsOf } from "../nodes/children.js";
import { type At, exprContext, type Pass } from "../pass.js";
import { dependsLogic } from "./dag-graph.js";

export type Dependencies =
  | { readonly kind: "wait" }
  | { readonly kind: "run" }
  | { readonly kind: "omit" }
  | { readonly kind: "error"; readonly message: string };

export function evaluateDependencies(
  { pass }: At,
  state: DagState,
  { task, dependencies, nodeName }: TaskState,
): Dependencies {
  if (dependencies.length === 0) return { kind: "run" };
  const env = new Map<string, ReadonlyMap<string, boolean>>();
  for (const name of dependencies) {
    const before = state.tasks.get(name);
    const node = before === undefined ? undefined : pass.nodes.named(before.nodeName);
    if (before === undefined || node === undefined || before.phase !== "done") return { kind: "wait" };
    env.set(identifier(name), resultsOf(pass, node));
  }
  const logic = identifier(dependsLogic(task, state.all));
  const holds = evaluateBoolean(logic, env, exprContext(pass, nodeName));
  if (!holds.ok) return { kind: "error", message: `unable to evaluate expression '${logic}': ${holds.error}` };
  return { kind: holds.value ? "run" : "omit" };
}

/** `-` means minus in an expression. */
function identifier(text: string): string {
  return text.replaceAll("-", "_");
}

function resultsOf(pass: Pass, node: NodeStatus): ReadonlyMap<string, boolean> {
  const items = node.type === "TaskGroup" ? itemsOf(pass, node).map(({ phase }) => phase) : [];
  return new Map([
    ["Succeeded", node.phase === "Succeeded"],
    ["Failed", node.phase === "Failed"],
    ["Errored", node.phase === "Error"],
    ["Skipped", node.phase === "Skipped"],
    ["Omitted", node.phase === "Omitted"],
    ["Daemoned", node.daemoned === true && node.phase !== "Pending"],
    ["AnySucceeded", items.includes("Succeeded")],
    ["AllFailed", items.length > 0 && items.every((phase) => phase === "Failed")],
  ]);
}
