/** What a task may read of the tasks before it (Argo 4.1 behaviour 4.5). */

import { ok, type Result } from "../../std/result.js";
import { aggregateOutputs, LocalScope } from "../../template/index.js";
import type { DagState } from "../frames.js";
import { itemsOf, shownNode } from "../nodes/children.js";
import type { At } from "../pass.js";
import { absentOutputsOf } from "./absent.js";

/** Inputs of the DAG, and what the named tasks left. */
export function scopeOfTasks(at: At, state: DagState, names: readonly string[]): Result<LocalScope> {
  const { pass } = at;
  const scope = new LocalScope();
  scope.addInputs(at.template);
  for (const name of names) {
    const task = state.tasks.get(name);
    const node = task === undefined ? undefined : pass.nodes.named(task.nodeName);
    if (task === undefined || node === undefined) continue;
    const prefix = `tasks.${name}`;
    if (node.type === "TaskGroup") {
      const aggregated = aggregateOutputs(scope, prefix, itemsOf(pass, node));
      if (!aggregated.ok) return aggregated;
    }
    scope.addNode(prefix, shownNode(pass, node));
    const isAbsent = node.phase === "Skipped" || node.phase === "Omitted";
    if (isAbsent) scope.addAbsentOutputs(prefix, absentOutputsOf(at, task.task));
  }
  return ok(scope);
}
