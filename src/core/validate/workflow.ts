/** Rules for a whole workflow, in Argo's order (Argo 4.1 behaviour 10.1, 10.2). */

import type { Arguments, Template } from "../model/argo/template.js";
import type { PodGC, WorkflowSpec } from "../model/argo/workflow.js";
import type { ObjectMeta } from "../model/kube/meta.js";
import { fieldPath } from "../model/path.js";
import { plain } from "../std/plain.js";
import { checkArguments } from "./arguments.js";
import { checkTags } from "./check-tags.js";
import type { FoundTemplate, Validation } from "./context.js";
import { enter } from "./enter.js";
import { findTemplate } from "./find-template.js";
import type { GivenArguments } from "./given-arguments.js";
import type { TemplateHome } from "./homes.js";
import { labelOf } from "./homes.js";
import { checkHookConditions, checkHookTemplates } from "./hooks.js";
import { type KnownNames, noItems } from "./known-names.js";
import { checkNames } from "./names.js";
import { exportsDynamicArtifact } from "./offers.js";
import { checkPodResources } from "./pod-resources.js";
import type { Spot } from "./report.js";
import { tagsIn } from "./tags.js";
import { checkDuration, checkRetry } from "./times.js";
import type { Walk } from "./walk.js";

/** A workflow, or a resource that is looked at as one. */
export interface Subject {
  readonly metadata: ObjectMeta;
  readonly spec: WorkflowSpec;
  /** Of the spec in its resource. */
  readonly path: string;
  readonly home: TemplateHome;
  /** What workflowTemplateRef names. */
  readonly outer: { readonly home: TemplateHome; readonly spec: WorkflowSpec } | undefined;
  /** The workflow's arguments over those of what it refers to. */
  readonly arguments: Arguments;
  /** A template resource: its arguments are never complete, and its entrypoint is optional. */
  readonly isTemplate: boolean;
  readonly values: "required" | "optional";
}

export function* walkWorkflow(validation: Validation, subject: Subject, spot: Spot): Walk {
  const { spec, path, outer, isTemplate } = subject;
  const templates = fieldPath(path, "templates");
  checkNames(
    spec.templates ?? [],
    { kind: "template", word: "template", path: templates, argo: "spec.templates" },
    spot,
  );
  checkWorkflowArguments(subject, spot);
  const entrypoint = (spec.entrypoint ?? "") || (outer?.spec.entrypoint ?? "");
  if (entrypoint === "" && !isTemplate) {
    const argo = "spec.entrypoint is required";
    const hint = `add entrypoint: ${spec.templates?.[0]?.name || "NAME"}`;
    spot.tell({ code: "no-entrypoint", path, message: "it says not where to begin", hint, argo });
  }
  if (entrypoint !== "") {
    yield walkNamed(validation, { name: entrypoint, field: "entrypoint", given: subject.arguments }, subject, spot);
  }
  const onExit = (spec.onExit ?? "") || (outer?.spec.onExit ?? "");
  if (onExit !== "") {
    validation.globals.failures = true;
    const dynamic = [...(spec.templates ?? []), ...(outer?.spec.templates ?? [])].some(exportsDynamicArtifact);
    if (dynamic) validation.globals.anyArtifactExported = true;
    yield walkNamed(validation, { name: onExit, field: "onExit", given: spec.arguments ?? {} }, subject, spot);
  }
  checkHookConditions(spec.hooks, path, "hooks", spot);
  checkPodGC(spec.podGC, fieldPath(path, "podGC"), spot);
  checkPodResources(spec.podResources, fieldPath(path, "podResources"), "spec", spot);
  yield walkAll(validation, subject, spot);
  validation.globals.failures = true;
  checkRest(validation, subject, spot.unseen());
  checkRetry(spec.retryStrategy, fieldPath(path, "retryStrategy"), undefined, spot.unseen());
}

function checkWorkflowArguments({ spec, path, values, ...subject }: Subject, spot: Spot): void {
  const { parameters = [], artifacts = [] } = spec.arguments ?? {};
  const merged = {
    parametersFrom: parameters.length,
    artifactsFrom: artifacts.length,
    path: fieldPath(path, "workflowTemplateRef"),
  };
  const place = { path: fieldPath(path, "arguments"), argo: "spec.arguments.", givenBy: "flag", merged } as const;
  checkArguments(subject.arguments, { ...plain, ...place, values }, spot);
}

interface Named {
  readonly name: string;
  readonly field: "entrypoint" | "onExit";
  readonly given: Arguments;
}

function* walkNamed(validation: Validation, { name, field, given }: Named, subject: Subject, spot: Spot): Walk {
  const { path, spec, home, isTemplate } = subject;
  const ref = spec.workflowTemplateRef;
  const names = ref === undefined ? { template: name } : { templateRef: { ...ref, template: name } };
  const isOwn = (spec[field] ?? "") !== "";
  const namePath = fieldPath(path, isOwn || ref === undefined ? field : "workflowTemplateRef");
  const found = findTemplate(validation, { names, path, namePath, home, spot, known: () => undefined, inLoop: false });
  if (typeof found === "string") return;
  if (isTemplate) {
    const inside = enter(validation, found);
    if (inside !== undefined) yield inside;
    return;
  }
  const values = field === "entrypoint" ? valuesOf(found.template, given) : new Map<string, string>();
  const args: GivenArguments = { arguments: given, path: undefined, spot };
  const inside = enter(validation, { ...plain, ...found, values }, args);
  if (inside !== undefined) yield inside;
}

/** What the inputs of the entrypoint are, as far as it can be told before anything runs. */
function valuesOf(template: Template, given: Arguments): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const input of template.inputs?.parameters ?? []) {
    const value = given.parameters?.find(({ name }) => name === input.name)?.value ?? input.value ?? input.default;
    if (value !== undefined && !value.includes("{{")) values.set(input.name, value);
  }
  return values;
}

/** Also templates that nobody calls. */
function* walkAll(validation: Validation, subject: Subject, spot: Spot): Walk {
  const { outer, home, spec, path } = subject;
  const ref = spec.workflowTemplateRef;
  const whole = outer?.home ?? home;
  const foreign =
    outer === undefined || ref === undefined
      ? undefined
      : { label: labelOf(ref), via: fieldPath(path, "workflowTemplateRef") };
  for (const placed of whole.all) {
    const name = placed.template.name ?? "";
    const under = spot.under(`templates.${name} `);
    const at = foreign === undefined ? under : under.inside(foreign);
    // By its name Argo only ever finds the first.
    const isFirst = whole.templates.get(name)?.template === placed.template && name !== "";
    const found: FoundTemplate = { ...plain, ...placed, home: whole, spot: isFirst ? at : at.unseen(), inLoop: false };
    const inside = enter(validation, found);
    if (inside !== undefined) yield inside;
  }
}

const STRATEGIES: readonly string[] = [
  "",
  "OnPodCompletion",
  "OnPodSuccess",
  "OnWorkflowCompletion",
  "OnWorkflowSuccess",
];
const OPERATORS: readonly string[] = ["In", "NotIn", "Exists", "DoesNotExist"];

function checkPodGC(podGC: PodGC | undefined, path: string, spot: Spot): void {
  if (podGC === undefined) return;
  const strategy: string = podGC.strategy ?? "";
  if (!STRATEGIES.includes(strategy)) {
    const argo = `podGC.strategy unknown strategy '${strategy}'`;
    const message = `"${strategy}" is none of ${STRATEGIES.slice(1).join(", ")}`;
    spot.tell({ code: "bad-value", path: fieldPath(path, "strategy"), message, argo });
  }
  for (const { operator } of podGC.labelSelector?.matchExpressions ?? []) {
    if (OPERATORS.includes(operator)) continue;
    const argo = `podGC.labelSelector invalid: "${operator}" is not a valid label selector operator`;
    const message = `"${operator}" is none of ${OPERATORS.join(", ")}`;
    spot.tell({ code: "bad-value", path: fieldPath(path, "labelSelector"), message, argo });
  }
  const delay = podGC.deleteDelayDuration;
  checkDuration(delay === undefined ? undefined : String(delay), fieldPath(path, "deleteDelayDuration"), spot.unseen());
}

/** Argo replaces the workflow's variables in the rest of its spec when it starts, and looks at its hooks when they fire. */
function checkRest(validation: Validation, subject: Subject, spot: Spot): void {
  const { spec, path, home, outer } = subject;
  const names: KnownNames = {
    globals: validation.globals,
    inputs: { parameters: new Set(), artifacts: new Set() },
    leaf: false,
    pod: false,
    items: noItems(),
  };
  const {
    templates: _templates,
    templateDefaults: _defaults,
    arguments: _arguments,
    metrics: _metrics,
    ...rest
  } = spec;
  const tags = tagsIn(rest, path).filter(({ kind, text }) => kind === "simple" && text.trim().startsWith("workflow."));
  checkTags(tags, names, "", spot);
  const call = { home: outer?.home ?? home, known: () => undefined, inLoop: false };
  const place = { call, path, names, spot, exitArguments: subject.arguments };
  checkHookTemplates(validation, { hooks: spec.hooks ?? {} }, place);
}
