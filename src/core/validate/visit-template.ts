/** Walks a template once: its work, its outputs, and what else it says (Argo 4.1 behaviour 10.4). */

import { fieldPath } from "../model/path.js";
import { isPodKind, kindOf } from "../template/kind.js";
import { checkLocation } from "./artifact-location.js";
import type { FoundTemplate, Validation } from "./context.js";
import { walkDag } from "./dag.js";
import { type KnownNames, noItems } from "./known-names.js";
import { checkLeaf } from "./leaf.js";
import { checkMetrics } from "./metrics.js";
import { isLeaf } from "./offers.js";
import { checkOutputs } from "./outputs.js";
import { checkPodResources } from "./pod-resources.js";
import type { Spot } from "./report.js";
import { walkSteps } from "./steps.js";
import { checkRetry, checkSuspend, checkTimes } from "./times.js";
import type { Walk } from "./walk.js";

/** Argo knows a template by its home and name; of several without a name it walks the first only. */
export function* visitTemplate(validation: Validation, found: FoundTemplate): Walk {
  const { template, home, spot } = found;
  if (validation.walked.has(template)) return;
  if (spot.seenByArgo) {
    const key = `${home.key}\n${template.name ?? ""}`;
    if (validation.walkedByArgo.has(key)) {
      validation.later.push(() => visitTemplate(validation, { ...found, spot: spot.unseen() }));
      return;
    }
    validation.walkedByArgo.add(key);
  }
  validation.walked.add(template);
  yield walkInside(validation, found);
}

function* walkInside(validation: Validation, found: FoundTemplate): Walk {
  const { template, path, spot } = found;
  const inputs: KnownNames["inputs"] = {
    parameters: new Set([
      ...(template.inputs?.parameters ?? []).map(({ name }) => name),
      ...(found.outerParameters ?? []),
    ]),
    artifacts: new Set((template.inputs?.artifacts ?? []).map(({ name }) => name)),
    any: areInputsUnread(path, spot),
  };
  const kind = kindOf(template);
  if (kind === "steps" || kind === "dag") {
    checkNonLeaf(found);
    yield kind === "steps" ? walkSteps(validation, found, inputs) : walkDag(validation, found, inputs);
    return;
  }
  const names: KnownNames = {
    globals: validation.globals,
    inputs,
    leaf: isLeaf(template),
    pod: isPodKind(kind),
    items: noItems(),
  };
  checkLeaf(found, names);
  checkPodResources(template.podResources, fieldPath(path, "podResources"), `templates.${template.name ?? ""}`, spot);
  finishTemplate(found, names);
}

/** Whether there may be inputs, its own or those of the templates around it, that could not be read. */
function areInputsUnread(path: string, { unread }: Spot): boolean {
  for (let at = path; at !== ""; at = AROUND.exec(at)?.[1] ?? "") {
    if (unread.within(fieldPath(at, "inputs"))) return true;
  }
  return false;
}

/** The template that a step or task with a template written in place belongs to. */
const AROUND = /^(.*)\.(?:steps\[\d+\]\[\d+\]|dag\.tasks\[\d+\])\.inline$/;

function checkNonLeaf({ template, path, spot }: FoundTemplate): void {
  if (template.activeDeadlineSeconds === undefined) return;
  const argo = `templates.${template.name ?? ""}.activeDeadlineSeconds is only valid for leaf templates`;
  const hint = "set it in the templates that are called, or for the whole workflow in spec.activeDeadlineSeconds";
  const message = "only a template that makes a pod has activeDeadlineSeconds";
  spot.tell({ code: "conflict", path: fieldPath(path, "activeDeadlineSeconds"), message, hint, argo });
}

/** What comes after the work of any kind. */
export function finishTemplate(found: FoundTemplate, names: KnownNames): void {
  const { template, path, spot } = found;
  checkOutputs(found, names);
  if (template.archiveLocation !== undefined) {
    const argo = `templates.${template.name ?? ""}.archiveLocation`;
    checkLocation(template.archiveLocation, fieldPath(path, "archiveLocation"), argo, spot);
  }
  checkMetrics(found);
  checkRetry(template.retryStrategy, fieldPath(path, "retryStrategy"), names, spot.unseen());
  checkTimes(found);
  checkSuspend(found);
}
