/** Where template names are looked up: the workflow itself, or the (cluster) template resource a template came from. */

import type { Metadata, Template, TemplateRef } from "../model/argo/template.js";
import type { ClusterWorkflowTemplate, Workflow, WorkflowSpec, WorkflowTemplate } from "../model/argo/workflow.js";
import type { KubeObject } from "../model/kube/meta.js";

export interface TemplateSource {
  /** `local/<workflow>`, `namespaced/<name>` or `cluster/<name>`: a node's templateScope. */
  readonly scope: string;
  /** Key prefix in status.storedTemplates; undefined when templates of this source need not be stored. */
  readonly storedPrefix: string | undefined;
  /** For messages: the resource's name; undefined for the workflow itself. */
  readonly resourceName: string | undefined;
  readonly templates: ReadonlyMap<string, Template>;
  /** The resource's podMetadata: defaults for its templates' metadata (Argo 4.1 behaviour 3.31). */
  readonly podMetadata: Metadata | undefined;
}

/** The workflow's own templates; with a workflowTemplateRef those of the merged spec, stored under the resource's name. */
export function workflowSource(workflow: Workflow, spec: WorkflowSpec): TemplateSource {
  const ref = workflow.spec.workflowTemplateRef;
  return {
    scope: ref === undefined ? `local/${workflow.metadata.name ?? ""}` : "local/",
    storedPrefix: ref === undefined ? undefined : `${scopeWord(ref.clusterScope)}/${ref.name ?? ""}`,
    resourceName: undefined,
    templates: byName(spec.templates),
    podMetadata: undefined,
  };
}

export function resourceSource(ref: TemplateRef, resource: WorkflowTemplate | ClusterWorkflowTemplate): TemplateSource {
  const scope = `${scopeWord(ref.clusterScope)}/${ref.name ?? ""}`;
  return {
    scope,
    storedPrefix: scope,
    resourceName: ref.name ?? "",
    templates: byName(resource.spec.templates),
    podMetadata: resource.spec.podMetadata,
  };
}

/** A WorkflowTemplate or ClusterWorkflowTemplate: something with a spec. */
export function hasSpec(object: KubeObject): object is WorkflowTemplate {
  return "spec" in object && typeof object.spec === "object" && object.spec !== null;
}

function scopeWord(clusterScope: boolean | undefined): string {
  return clusterScope === true ? "cluster" : "namespaced";
}

function byName(templates: readonly Template[] | undefined): ReadonlyMap<string, Template> {
  return new Map((templates ?? []).map((template) => [template.name ?? "", template]));
}
