/** Which recordings can be compared now: those that use only what is built. */

import type { Template } from "../../../src/core/model/argo/template.js";
import type { WorkflowSpec } from "../../../src/core/model/argo/workflow.js";
import type { KubeObject } from "../../../src/core/model/kube/meta.js";
import type { Recording } from "./recording.js";

const unbuiltKinds = [
  "containerSet",
  "resource",
  "data",
  "http",
  "plugin",
] as const satisfies readonly (keyof Template)[];
const unbuiltOptions = ["synchronization", "memoize"] as const satisfies readonly (keyof Template)[];

/** What the recording uses that is not built yet; undefined when nothing. */
export function unbuiltFeature(recording: Recording, world: readonly KubeObject[]): string | undefined {
  const specs = [recording.submitted.spec, ...referredSpecs(recording, world)];
  for (const spec of specs) {
    const feature = unbuiltInSpec(spec);
    if (feature !== undefined) return feature;
  }
  return undefined;
}

function unbuiltInSpec(spec: WorkflowSpec): string | undefined {
  if (spec.synchronization !== undefined) return "synchronization";
  if (spec.executorPlugins !== undefined) return "executorPlugins";
  const templates = [
    ...(spec.templates ?? []),
    ...(spec.templateDefaults === undefined ? [] : [spec.templateDefaults]),
  ];
  return templates
    .flatMap(withInline)
    .map(unbuiltInTemplate)
    .find((feature) => feature !== undefined);
}

function withInline(template: Template): Template[] {
  const invocations = [...(template.steps ?? []).flat(), ...(template.dag?.tasks ?? [])];
  return [template, ...invocations.flatMap((one) => (one.inline === undefined ? [] : withInline(one.inline)))];
}

function unbuiltInTemplate(template: Template): string | undefined {
  return [...unbuiltKinds, ...unbuiltOptions].find((field) => template[field] !== undefined);
}

/** Specs of the workflow templates that the recording's objects name. */
function referredSpecs(recording: Recording, world: readonly KubeObject[]): WorkflowSpec[] {
  const text = JSON.stringify(recording.submitted);
  const named = [...text.matchAll(/"(?:templateRef|workflowTemplateRef)":\{[^}]*?"name":"([^"]+)"/g)].map(
    (match) => match[1],
  );
  return world
    .filter((object) => object.kind.endsWith("WorkflowTemplate") && named.includes(object.metadata.name))
    .map((object) => (object as KubeObject & { readonly spec: WorkflowSpec }).spec);
}
