/** The spec that is executed: the workflow's own over its template's over the controller's defaults (Argo 4.1 behaviour 3.31). */

import { type Artifact, artifactDrivers } from "../model/argo/artifact.js";
import type { Arguments, Parameter, Template } from "../model/argo/template.js";
import type { Workflow, WorkflowSpec } from "../model/argo/workflow.js";
import { kindOf, withoutOtherKinds } from "./kind.js";
import { found, type Lookup, problem, type ResourceFacts, type ResourceNeed } from "./lookup.js";
import { readSpec } from "./readable.js";
import { hasSpec } from "./source.js";
import { strategicMerge } from "./strategic-merge.js";

/** Merged with the controller's defaults; with a workflowTemplateRef also with the resource it names. */
export function executedSpec(
  workflow: Workflow,
  defaults: WorkflowSpec | undefined,
  facts: ResourceFacts,
): Lookup<WorkflowSpec> {
  const ref = workflow.spec.workflowTemplateRef;
  if (ref === undefined) return found(mergeSpecs(defaults ?? {}, workflow.spec));
  const name = ref.name ?? "";
  const need: ResourceNeed =
    ref.clusterScope === true
      ? { kind: "cluster-workflow-template", name }
      : { kind: "workflow-template", namespace: workflow.metadata.namespace ?? "", name };
  const resource = facts.get(need);
  if (resource === undefined) return { kind: "need", need };
  if (resource === null || !hasSpec(resource)) return problem(notFound(need));
  const { spec, fault } = readSpec(resource.spec);
  if (fault !== undefined) return problem(`cannot unmarshall ${resource.kind} ${name}: ${fault}`);
  const merged = mergeSpecs(mergeSpecs(defaults ?? {}, spec), workflow.spec);
  return found(withOwnSuspend(merged, workflow.spec));
}

/** `templateDefaults` below a template, without the fields of other kinds (Argo 4.1 behaviour 2.1). */
export function withTemplateDefaults(template: Template, defaults: Template | undefined): Template {
  if (defaults === undefined) return template;
  return strategicMerge(withoutOtherKinds(defaults, kindOf(template)), template);
}

function notFound(need: ResourceNeed): string {
  const plural = need.kind === "cluster-workflow-template" ? "clusterworkflowtemplates" : "workflowtemplates";
  return `${plural}.argoproj.io "${need.name}" not found`;
}

function mergeSpecs(base: WorkflowSpec, over: WorkflowSpec): WorkflowSpec {
  const merged = strategicMerge(base, over);
  const args = mergeArguments(base.arguments, over.arguments);
  return args === undefined ? merged : { ...merged, arguments: args };
}

/** Whole parameter objects: the highest source that has a value wins; its place is that of the lower source. */
function mergeArguments(base: Arguments | undefined, over: Arguments | undefined): Arguments | undefined {
  if (base === undefined || over === undefined) return over ?? base;
  const parameters = mergeByName<Parameter>(base.parameters ?? [], over.parameters ?? [], (low, high) =>
    high.value !== undefined || high.valueFrom !== undefined ? high : low,
  );
  const artifacts = mergeByName<Artifact>(base.artifacts ?? [], over.artifacts ?? [], mergeArtifact);
  return {
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(artifacts.length > 0 ? { artifacts } : {}),
  };
}

function mergeByName<T extends { readonly name: string }>(
  base: readonly T[],
  over: readonly T[],
  merge: (low: T, high: T) => T,
): readonly T[] {
  const merged = new Map(over.map((one) => [one.name, one]));
  for (const low of base) {
    const high = merged.get(low.name);
    merged.set(low.name, high === undefined ? low : merge(low, high));
  }
  return [...merged.values()];
}

function mergeArtifact(low: Artifact, high: Artifact): Artifact {
  const driver = artifactDrivers.find((one) => high[one] !== undefined);
  return driver !== undefined && low[driver] !== undefined ? strategicMerge(low, high) : high;
}

function withOwnSuspend(merged: WorkflowSpec, own: WorkflowSpec): WorkflowSpec {
  const { suspend: _lower, ...rest } = merged;
  return own.suspend === undefined ? rest : { ...rest, suspend: own.suspend };
}
