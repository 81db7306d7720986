/** Makes of a resource what is walked, and of its metadata the variables that are known from the start. */

import type { Artifact } from "../model/argo/artifact.js";
import type { Arguments, Parameter } from "../model/argo/template.js";
import type { WorkflowSpec } from "../model/argo/workflow.js";
import type { ObjectMeta } from "../model/kube/meta.js";
import { fieldPath } from "../model/path.js";
import { plain } from "../std/plain.js";
import type { ResourceFacts, ResourceNeed } from "../template/lookup.js";
import { readSpec } from "../template/readable.js";
import { hasSpec } from "../template/source.js";
import { labelOf, needOf, ownHome, resourceHome } from "./homes.js";
import type { KnownGlobals } from "./known-names.js";
import type { Spot } from "./report.js";
import type { Unread } from "./unread.js";
import type { Subject } from "./workflow.js";

export interface SubjectInput {
  readonly metadata: ObjectMeta;
  readonly spec: WorkflowSpec;
  readonly path: string;
  readonly isTemplate: boolean;
  readonly values: "required" | "optional";
}

/** Undefined when the resource that workflowTemplateRef names is missing (told) or not known yet (a need). */
export function subjectOf(
  input: SubjectInput,
  facts: ResourceFacts,
  needs: Map<string, ResourceNeed>,
  spot: Spot,
): Subject | undefined {
  const { spec, path, metadata, isTemplate } = input;
  const home = ownHome(spec, { path, key: `local/${metadata.name ?? ""}`, unread: spot.unread, isTemplate });
  const ref = spec.workflowTemplateRef;
  if (ref === undefined) return { ...plain, ...input, home, outer: undefined, arguments: spec.arguments ?? {} };
  if ((spec.templates?.length ?? 0) > 0) {
    const argo = "Templates is invalid field in spec if workflow referred WorkflowTemplate reference";
    const message = "workflowTemplateRef brings the templates: a workflow that has it has none of its own";
    spot.tell({ code: "conflict", path: fieldPath(path, "templates"), message, argo });
  }
  const need = needOf(ref, metadata.namespace ?? "");
  const resource = facts.get(need);
  if (resource === undefined) {
    needs.set(`${need.kind}/${need.name}`, need);
    return undefined;
  }
  const outerHome = resource === null ? undefined : resourceHome(ref, resource);
  if (outerHome === undefined || resource === null || !hasSpec(resource)) {
    const plural = ref.clusterScope === true ? "clusterworkflowtemplates" : "workflowtemplates";
    const argo = `${plural}.argoproj.io "${ref.name ?? ""}" not found`;
    const message = `${labelOf(ref)} was not given`;
    const hint = "add --with FILE, a file that defines it";
    spot.tell({ code: "no-template", path: fieldPath(path, "workflowTemplateRef"), message, hint, argo });
    return undefined;
  }
  const outer = { home: outerHome, spec: readSpec(resource.spec).spec };
  return { ...plain, ...input, home, outer, arguments: mergedArguments(spec.arguments, outer.spec.arguments) };
}

/** Its own first; what has no value takes that of the other, whole. */
function mergedArguments(own: Arguments = {}, outer: Arguments = {}): Arguments {
  const hasValue = ({ value, valueFrom }: Parameter): boolean => value !== undefined || valueFrom !== undefined;
  return {
    parameters: merged(own.parameters, outer.parameters, hasValue),
    artifacts: merged<Artifact>(own.artifacts, outer.artifacts, () => true),
  };
}

function merged<T extends { readonly name: string }>(
  own: readonly T[] = [],
  outer: readonly T[] = [],
  isWhole: (one: T) => boolean,
): readonly T[] {
  const others = new Map(outer.map((one) => [one.name, one]));
  const names = new Set(own.map(({ name }) => name));
  return [
    ...own.map((one) => (isWhole(one) ? one : (others.get(one.name) ?? one))),
    ...outer.filter(({ name }) => !names.has(name)),
  ];
}

export function globalsOf(subject: Subject, unread: Unread): KnownGlobals {
  const { metadata, spec, outer, path } = subject;
  const isUnread = (field: string): boolean => unread.within(fieldPath(path, field));
  const added = [spec.workflowMetadata, outer?.spec.workflowMetadata];
  return {
    parameters: new Map((subject.arguments.parameters ?? []).map(({ name, value }) => [name, value])),
    anyParameter: subject.isTemplate || isUnread("arguments"),
    labels: keysOf([metadata.labels, ...added.flatMap((one) => [one?.labels, one?.labelsFrom])]),
    annotations: keysOf([metadata.annotations, ...added.map((one) => one?.annotations)]),
    anyMetadata: unread.within("metadata") || isUnread("workflowMetadata") || unread.within("spec.workflowMetadata"),
    anyExported: unread.within(path),
    priority: spec.priority !== undefined || isUnread("priority"),
    failures: isUnread("onExit"),
    anyArtifactExported: false,
    exportedParameters: new Set(),
    exportedArtifacts: new Set(),
  };
}

function keysOf(maps: readonly (object | undefined)[]): ReadonlySet<string> {
  return new Set(maps.flatMap((map) => Object.keys(map ?? {})));
}
