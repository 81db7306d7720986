/** Where templates stand: in the workflow, or in a resource that it refers to. */

import type { Template, TemplateRef } from "../model/argo/template.js";
import type { WorkflowSpec } from "../model/argo/workflow.js";
import type { KubeObject } from "../model/kube/meta.js";
import { fieldPath, itemPath } from "../model/path.js";
import type { ResourceNeed } from "../template/lookup.js";
import { readSpec } from "../template/readable.js";
import { hasSpec } from "../template/source.js";
import type { Unread } from "./unread.js";

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
  /** There may be more templates than could be read. */
  readonly isOpen: boolean;
  /** Its templateDefaults, where Argo looks at them. */
  readonly defaults: Template | undefined;
  /** The path of templateDefaults. */
  readonly defaultsPath: string;
  /** Volumes that its templates may mount beside their own; undefined where a workflow brings them that is not seen here. */
  readonly volumes: ReadonlySet<string> | undefined;
}

interface OwnPlace {
  readonly path: string;
  readonly key: string;
  readonly unread: Unread;
  readonly isTemplate: boolean;
}

export function ownHome(spec: WorkflowSpec, place: OwnPlace): TemplateHome {
  const { path, key, unread } = place;
  const isOpen =
    unread.inList(fieldPath(path, "templates"), spec.templates) || unread.at(fieldPath(path, "workflowTemplateRef"));
  const volumes = ownVolumes(spec, place);
  return homeOf(spec, { path, key, label: undefined, defaults: spec.templateDefaults, isOpen, volumes });
}

function ownVolumes(spec: WorkflowSpec, { path, unread, isTemplate }: OwnPlace): ReadonlySet<string> | undefined {
  const isUnread = ["volumes", "volumeClaimTemplates", "templateDefaults"].some((field) =>
    unread.within(fieldPath(path, field)),
  );
  if (isTemplate || spec.workflowTemplateRef !== undefined || isUnread) return undefined;
  return new Set([
    ...[...(spec.volumes ?? []), ...(spec.templateDefaults?.volumes ?? [])].map(({ name }) => name),
    ...(spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name ?? ""),
  ]);
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
    isOpen: false,
    defaults: cluster ? undefined : spec.templateDefaults,
    volumes: undefined,
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
  place: { readonly path: string } & Pick<TemplateHome, "key" | "label" | "defaults" | "isOpen" | "volumes">,
): TemplateHome {
  const list = fieldPath(place.path, "templates");
  const all = (spec.templates ?? []).map((template, index) => ({ template, path: itemPath(list, index) }));
  const templates = new Map<string, PlacedTemplate>();
  for (const placed of all) {
    const name = placed.template.name ?? "";
    if (!templates.has(name)) templates.set(name, placed);
  }
  const { path, ...rest } = place;
  return { ...rest, templates, all, defaultsPath: fieldPath(path, "templateDefaults") };
}
