/** What a step or task that was skipped or omitted would have put out (Argo 4.1 behaviour 4.5). */

import type { Invocation, Outputs } from "../../model/argo/template.js";
import { resolveTemplate } from "../../template/index.js";
import { type At, addNeed } from "../pass.js";

/** The outputs that the template of an invocation declares; undefined when it cannot be found now. */
export function absentOutputsOf({ pass, frame }: At, invocation: Invocation): Outputs | undefined {
  const stored = pass.status.storedTemplates;
  const source = frame.resolved?.source ?? frame.call.source;
  const resolved = resolveTemplate(invocation, source, {
    namespace: pass.workflow.metadata.namespace ?? "",
    facts: pass.facts,
    stored: (key) => (stored !== undefined && Object.hasOwn(stored, key) ? stored[key] : undefined),
  });
  if (resolved.kind === "need") addNeed(pass, resolved.need);
  return resolved.kind === "found" ? resolved.value.template.outputs : undefined;
}
