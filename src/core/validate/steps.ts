/** Rules for steps templates, in Argo's order (Argo 4.1 behaviour 10.6). */

import type { WorkflowStep } from "../model/argo/template.js";
import { fieldPath, itemPath } from "../model/path.js";
import { plain } from "../std/plain.js";
import { argoAccepts } from "./argo-accepts.js";
import { checkArguments } from "./arguments.js";
import { checkTags } from "./check-tags.js";
import type { FoundTemplate, Validation } from "./context.js";
import { enter } from "./enter.js";
import { findTemplate } from "./find-template.js";
import { checkHookConditions, hasExitHook } from "./hooks.js";
import { type Composite, callOf, checkBeyondArgo, givenBy, namesAt, nodeOffer, ownNode } from "./invocation.js";
import { type KnownItems, type KnownNames, type KnownNode, noItems } from "./known-names.js";
import { checkLoop, isAggregated } from "./loops.js";
import { badName, nameFaults, nameHint } from "./names.js";
import { addExports } from "./offers.js";
import { tagsInDeclared } from "./tags.js";
import type { Walk } from "./walk.js";

export interface StepsWalk {
  readonly composite: Composite;
  /** Argo lets items of a loop be named by all steps after it. */
  readonly items: KnownItems;
  readonly seen: Set<string>;
}

/** Walks all steps; afterwards `composite.nodes` says what outputs may name. */
export function* walkSteps(validation: Validation, found: FoundTemplate, inputs: KnownNames["inputs"]): Walk {
  const composite: Composite = {
    validation,
    found,
    inputs,
    nodes: { word: "steps", byName: new Map(), anyParameterExported: false, anyArtifactExported: false },
  };
  const walk: StepsWalk = { composite, items: noItems(), seen: new Set() };
  const list = fieldPath(found.path, "steps");
  for (const [group, steps] of (found.template.steps ?? []).entries()) {
    for (const [index, step] of steps.entries()) {
      yield walkStep(walk, step, { group, path: itemPath(itemPath(list, group), index) });
    }
  }
  validation.finish(found, namesAt(composite, walk.items));
}

interface StepPlace {
  readonly group: number;
  readonly path: string;
}

function* walkStep(walk: StepsWalk, step: WorkflowStep, { group, path }: StepPlace): Walk {
  const { composite, items } = walk;
  const { found, nodes, validation } = composite;
  const template = found.template.name ?? "";
  const name = step.name ?? "";
  const argo = `templates.${template}.steps[${group}]`;
  const spot = found.spot.under(`${argo}.${name} `);
  checkStepName(walk, step, { group, path });
  checkLoop(step, path, items, spot);
  const place = { path: fieldPath(path, "arguments"), argo: `${argo}.${name}.arguments.` };
  checkArguments(step.arguments, { ...plain, ...place, values: "required", givenBy: "file" }, found.spot);
  const call = callOf(step, path, composite, spot);
  const target = findTemplate(validation, call);
  const offer = nodeOffer(target);
  const node: KnownNode = { name, offer, aggregated: isAggregated(step), group, offered: false, statusKnown: true };
  if (name !== "" && !nodes.byName.has(name)) nodes.byName.set(name, node);
  const inside = enter(validation, target);
  if (inside !== undefined) yield inside;
  const exported = (): void => {
    node.offered = true;
    if (typeof target !== "string") addExports(target.template, validation.globals, nodes);
  };
  if (hasExitHook(step)) exported();
  checkHookConditions(step.hooks, path, `${argo}.${name}`, found.spot);
  const names = namesAt(composite, items, ownNode(step, composite, { group }));
  checkTags(tagsInDeclared(step, path), names, `templates.${template}.steps `, found.spot);
  exported();
  const again = enter(validation, target, givenBy(step, path, spot));
  if (again !== undefined) yield again;
  checkBeyondArgo(composite, { invocation: step, call, found: target }, names);
}

function checkStepName({ composite, seen }: StepsWalk, { name = "" }: WorkflowStep, { group, path }: StepPlace): void {
  const { spot, template } = composite.found;
  const argo = `templates.${template.name ?? ""}.steps[${group}].name`;
  const at = fieldPath(path, "name");
  if (name === "") {
    spot.tell({ code: "bad-name", path, message: "a step without a name", argo: `${argo} is required` });
    return;
  }
  if (seen.has(name)) {
    const message = `two of the steps are called "${name}"`;
    const hint = "names are for all groups of a template";
    spot.tell({ code: "duplicate-name", path: at, message, hint, argo: `${argo} '${name}' is not unique` });
  }
  seen.add(name);
  const reasons = nameFaults(skeletonOf(name, composite), "template");
  if (reasons.length === 0) return;
  const text = `${argo} '${name}' is invalid: ${reasons.join(";")}`;
  spot.tell({ code: "bad-name", path: at, message: badName(name, "step"), hint: nameHint("template"), argo: text });
}

/** A name may hold inputs and the workflow's variables: they have values by then. */
function skeletonOf(name: string, composite: Composite): string {
  const names = namesAt(composite, noItems());
  return name.replace(/\{\{([^{}]*)\}\}/g, (tag, inside: string) => {
    const variable = inside.trim();
    const early = /^(?:inputs|workflow)\./.test(variable) && argoAccepts(variable, names);
    return early || variable.startsWith("=") ? "x" : tag;
  });
}
