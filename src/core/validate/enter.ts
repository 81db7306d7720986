/** Enters a template from a call: first its own form, then what the call gives it, then its inside (Argo 4.1 behaviour 10.1). */

import { templateKinds } from "../model/argo/template.js";
import { fieldPath, itemPath } from "../model/path.js";
import type { FoundTemplate, Validation } from "./context.js";
import type { Finding } from "./find-template.js";
import { checkGiven, type GivenArguments } from "./given-arguments.js";
import { checkInputs } from "./inputs.js";
import { kindWord } from "./kind-word.js";
import { isLeaf } from "./offers.js";
import { checkPodOnly } from "./pod-resources.js";
import type { Walk } from "./walk.js";

const KINDS = "container, containerSet, steps, script, resource, dag, suspend, template, template ref";

/**
 * Without `given`, as if all it needs were given: Argo enters twice, the second time with the real arguments.
 * Answers the walk inside, where it was not walked yet.
 */
export function enter(validation: Validation, found: Finding, given?: GivenArguments): Walk | undefined {
  if (typeof found === "string") return undefined;
  const first = !validation.checkedAtFirst.has(found.template);
  validation.checkedAtFirst.add(found.template);
  if (first) {
    checkRetryPolicy(found);
    if (isKindUnread(found)) {
      validation.walked.add(found.template);
      return undefined;
    }
    checkKind(found);
    checkInputs(found);
    checkInitContainers(found);
    checkPodOnly(found);
  }
  if (first && kindsOf(found).length !== 1) {
    validation.walked.add(found.template);
    return undefined;
  }
  if (given !== undefined) checkGiven(found, given);
  if (first) checkTimeouts(found);
  return validation.walked.has(found.template) ? undefined : validation.visit(found);
}

const POLICIES: readonly string[] = ["", "Always", "OnError", "OnFailure", "OnTransientError"];

function checkRetryPolicy({ template, path, spot }: FoundTemplate): void {
  const policy: string = template.retryStrategy?.retryPolicy ?? "";
  if (POLICIES.includes(policy)) return;
  const at = fieldPath(fieldPath(path, "retryStrategy"), "retryPolicy");
  const message = `"${policy}" is none of ${POLICIES.slice(1).join(", ")}`;
  spot.tell({ code: "bad-value", path: at, message, argo: `${policy} is not a valid RetryPolicy` });
}

function kindsOf({ template }: FoundTemplate): readonly string[] {
  return templateKinds.filter((kind) => template[kind] !== undefined);
}

/** Its work is there, and could not be read: of what it does nothing can be said. */
function isKindUnread(found: FoundTemplate): boolean {
  const { path, spot } = found;
  return kindsOf(found).length === 0 && templateKinds.some((kind) => spot.unread.at(fieldPath(path, kind)));
}

function checkKind(found: FoundTemplate): void {
  const { template, path, spot } = found;
  const name = template.name ?? "";
  const kinds = kindsOf(found);
  if (kinds.length === 0) {
    const argo = `templates.${name} template type unspecified. choose one of: ${KINDS}`;
    const hint = "add one of container, script, steps, dag, suspend, …";
    const message =
      name === "" ? "a template that says nothing of what it does" : `template "${name}" says nothing of what it does`;
    spot.tell({ code: "missing-field", path, message, hint, argo });
  } else if (kinds.length > 1) {
    const argo = `templates.${name} multiple template types specified. choose one of: ${KINDS}`;
    const message = `${kinds.join(" and ")}: a template does one thing`;
    const hint = "make a template of each, and call them as steps or tasks";
    spot.tell({ code: "conflict", path: fieldPath(path, kinds[1] ?? ""), message, hint, argo });
  }
}

function checkInitContainers({ template, path, spot }: FoundTemplate): void {
  for (const [index, { name = "" }] of (template.initContainers ?? []).entries()) {
    if (name !== "") continue;
    const at = itemPath(fieldPath(path, "initContainers"), index);
    const argo = "initContainers must all have container name";
    spot.tell({ code: "bad-name", path: at, message: "an init container without a name", argo, lacks: [`${at}.name`] });
  }
}

function checkTimeouts({ template, path, spot }: FoundTemplate): void {
  for (const field of ["timeout", "pendingTimeout"] as const) {
    const value = template[field] ?? "";
    if (value === "") continue;
    const at = fieldPath(path, field);
    if (!isLeaf(template)) {
      const argo = `${kindWord(template)} template doesn't support ${field} field`;
      const message = `only a template that makes a pod has a ${field}`;
      spot.tell({ code: "conflict", path: at, message, hint: "set it in the templates that are called", argo });
    }
    if (field === "timeout" && /^[+-]?\d+$/.test(value)) {
      const argo = `${template.name ?? ""} has invalid duration format in timeout`;
      spot.tell({
        code: "bad-value",
        path: at,
        message: `timeout "${value}" has no unit`,
        hint: `write ${value}s`,
        argo,
      });
    }
  }
}
