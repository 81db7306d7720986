/** What the engine asks: whether Argo would take the workflow, and if not, in which words it says so. */

import type { Workflow } from "../model/argo/workflow.js";
import type { Problem } from "../std/problem.js";
import type { ResourceFacts, ResourceNeed } from "../template/lookup.js";
import { validateWorkflow } from "./kinds.js";

/** Argo's text of the first problem that Argo finds too; `problems` in the order that validation gave them. */
export function firstArgoError(problems: readonly Problem[]): string | undefined {
  return problems.find(({ argo }) => argo !== undefined)?.argo;
}

/**
 * The text after `invalid spec: `, or undefined for a workflow that Argo would run. What `facts` do not know counts as
 * missing: for callers who have everything at hand. Has the shape of `EngineOptions.validate`.
 */
export function invalidSpecOf(workflow: Workflow, facts: ResourceFacts): string | undefined {
  return validateWorkflow(workflow, { facts: { get: (need) => facts.get(need) ?? null }, mode: "run" }).argoError;
}

/** The same for callers who fetch what is asked for: as long as something is not known, it is what is answered. */
export function invalidSpecOrNeed(workflow: Workflow, facts: ResourceFacts): string | ResourceNeed | undefined {
  const { argoError, needs } = validateWorkflow(workflow, { facts, mode: "run" });
  return needs[0] ?? argoError;
}
