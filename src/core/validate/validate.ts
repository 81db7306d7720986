/** Runs one validation from the first rule to the last. */

import type { ResourceNeed } from "../template/lookup.js";
import type * as context from "./context.js";
import type { ValidateOptions, Validation } from "./options.js";
import { Report, Spot } from "./report.js";
import { globalsOf, type SubjectInput, subjectOf } from "./subject.js";
import { Unread } from "./unread.js";
import { finishTemplate, visitTemplate } from "./visit-template.js";
import { runWalk } from "./walk.js";
import { walkWorkflow } from "./workflow.js";

/** What only the kind of the resource has rules for. */
export interface KindRules {
  readonly before: (spot: Spot) => void;
  /** What Argo puts before all texts about the spec. */
  readonly argo: string;
}

export function validateSpec(
  input: SubjectInput,
  { facts, unread = [] }: ValidateOptions,
  rules: KindRules,
): Validation {
  const report = new Report();
  const needs = new Map<string, ResourceNeed>();
  const top = Spot.top(report, new Unread(unread));
  rules.before(top);
  const spot = rules.argo === "" ? top : top.under(rules.argo);
  const subject = subjectOf(input, facts, needs, spot);
  if (subject !== undefined) {
    const later: context.Validation["later"] = [];
    const validation: context.Validation = {
      facts,
      needs,
      namespace: input.metadata.namespace ?? "",
      globals: globalsOf(subject, top.unread),
      homes: new Map(),
      walkedByArgo: new Set(),
      walked: new Set(),
      checkedAtFirst: new Set(),
      later,
      visit: (found) => visitTemplate(validation, found),
      finish: finishTemplate,
    };
    runWalk(walkWorkflow(validation, subject, spot));
    for (let next = later.shift(); next !== undefined; next = later.shift()) runWalk(next());
  }
  return { problems: report.problems(), needs: [...needs.values()], argoError: report.argoError };
}
