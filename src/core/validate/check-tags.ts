/** Checks that what tags name is known where they stand (Argo 4.1 behaviour 10.7). */

import { argoAccepts } from "./argo-accepts.js";
import { faultBeyondArgo } from "./beyond-argo.js";
import { explainName } from "./explain-name.js";
import { checkExpression } from "./expressions.js";
import type { KnownNames } from "./known-names.js";
import type { Spot } from "./report.js";
import type { FoundTag } from "./tags.js";

/** `argo` is what Argo's text begins with: `templates.main.steps `. */
export function checkTags(tags: readonly FoundTag[], names: KnownNames, argo: string, spot: Spot): void {
  for (const tag of tags) {
    if (tag.kind === "expression") checkExpression({ source: tag.text, path: tag.path, place: "tag" }, names, spot);
    else checkSimple(tag, names, argo, spot);
  }
}

function checkSimple(tag: FoundTag, names: KnownNames, argo: string, spot: Spot): void {
  const name = tag.text.trim();
  if (tag.nested === undefined ? argoAccepts(name, names) : nestedAccepted(tag, names)) {
    const fault = faultBeyondArgo(name, names);
    if (fault === undefined) return;
    const { severity, hint } = fault;
    spot.tell({ code: "unresolved", severity, path: tag.path, message: `{{${tag.text}}}`, hint });
    return;
  }
  const shown = tag.nested === undefined ? tag.text : tag.nested.whole;
  spot.tell({
    code: "unresolved",
    path: tag.path,
    message: `{{${shown}}}`,
    hint: () => hintFor(tag, name, names),
    argo: `${argo}failed to resolve {{${tag.text}}}`,
  });
}

function hintFor(tag: FoundTag, name: string, names: KnownNames): string | undefined {
  if (tag.nested !== undefined) return undefined;
  if (names.own !== undefined && tag.path.includes(".inline.") && !name.startsWith("inputs.parameters.")) {
    return "Argo reads an inline template as part of its step: make it one of spec.templates";
  }
  return explainName(name, names);
}

/** What is inside is replaced first; only inputs and the workflow's variables have a value by then. */
function nestedAccepted({ nested, text }: FoundTag, names: KnownNames): boolean {
  if (nested === undefined) return argoAccepts(text.trim(), names);
  const early = nested.inner.every((name) => /^(?:inputs|workflow|pod)\./.test(name) && argoAccepts(name, names));
  return early ? argoAccepts(nested.whole, names) : argoAccepts(text.trim(), names);
}
