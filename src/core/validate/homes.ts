/** Where templates stand: in the workflow, or in a resource that it refers to. */

import type { Template, TemplateRef } from "../model/argo/template.js";
import type { WorkflowSpec } from "../model/argo/workflow.js";
import type { KubeObject } from "../model/kube/meta.js";
import { fieldPath, itemPath } from "../model/path.js";
import type { ResourceNeed } from "../template/lookup.js";
import { readSpec } from "../template/readable.js";
import { hasSpec } from "../template/source.js";

export interface PlacedTemplate {
  readonly template: Template;
  readonly path: string;
}

export interface TemplateHome {
  /** Argo remembers templates by this and their name. */
  readonly key: string;
  /** `WorkflowTemplate "lib"`; undefined for the resource that is checked. */
  readonly label: string | undefined;
  /** The first of each name. */
  readonly templates: ReadonlyMap<string, PlacedTemplate>;
  readonly all: readonly PlacedTemplate[];
  /** Its templateDefaults, where Argo looks at them. */
  readonly defaults: Template | undefined;
}

export function ownHome(spec: WorkflowSpec, path: string, key: string): TemplateHome {
  return homeOf(spec, { path, key, label: undefined, defaults: spec.templateDefaults });
}

/** The home of a resource that a reference names; undefined for one that has no spec. */
export function resourceHome(ref: TemplateRef, resource: KubeObject): TemplateHome | undefined {
  if (!hasSpec(resource)) return undefined;
  const cluster = ref.clusterScope === true;
  const name = ref.name ?? "";
  const { spec } = readSpec(resource.spec);
  return homeOf(spec, {
    path: "spec",
    key: `${cluster ? "cluster" : "namespaced"}/${name}`,
    label: labelOf(ref),
    defaults: cluster ? undefined : spec.templateDefaults,
  });
}

export function labelOf({ name, clusterScope }: TemplateRef): string {
  return `${clusterScope === true ? "ClusterWorkflowTemplate" : "WorkflowTemplate"} "${name ?? ""}"`;
}

export function needOf(ref: TemplateRef, namespace: string): ResourceNeed {
  const name = ref.name ?? "";
  return ref.clusterScope === true
    ? { kind: "cluster-workflow-template", name }
    : { kind: "workflow-template", namespace, name };
}

function homeOf(
  spec: WorkflowSpec,
  place: { readonly path: string } & Pick<TemplateHome, "key" | "label" | "defaults">,
): TemplateHome {
  const list = fieldPath(place.path, "templates");
  const all = (spec.templates ?? []).map((template, index) => ({ template, path: itemPath(list, index) }));
  const templates = new Map<string, PlacedTemplate>();
  for (const placed of all) {
    const name = placed.template.name ?? "";
    if (!templates.has(name)) templates.set(name, placed);
  }
  return { key: place.key, label: place.label, templates, all, defaults: place.defaults };
}
