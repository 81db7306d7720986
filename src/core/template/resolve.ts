/** Finds the template that a step, task or hook names: by name, by reference, or written in place (Argo 4.1 behaviour 3.5). */

import type { Invocation, Template, TemplateRef } from "../model/argo/template.js";
import { found, type Lookup, problem, type ResourceFacts, type ResourceNeed } from "./lookup.js";
import { readSpec } from "./readable.js";
import { hasSpec, resourceSource, type TemplateSource } from "./source.js";
import { strategicMerge } from "./strategic-merge.js";

export interface ResolvedTemplate {
  readonly template: Template;
  /** Where names inside the template are looked up. */
  readonly source: TemplateSource;
  /** The key under which status.storedTemplates must keep the template; undefined for the workflow's own. */
  readonly storedKey: string | undefined;
}

export interface ResolveContext {
  readonly namespace: string;
  readonly facts: ResourceFacts;
  /** status.storedTemplates: what was found once stays, whatever becomes of the resource. */
  readonly stored: (key: string) => Template | undefined;
}

/** The template an invocation names, seen from `source`. */
export function resolveTemplate(
  invocation: Invocation,
  source: TemplateSource,
  context: ResolveContext,
): Lookup<ResolvedTemplate> {
  if (invocation.inline !== undefined) return found(inlineTemplate(invocation, invocation.inline, source));
  const ref = invocation.templateRef;
  if (ref !== undefined && (ref.name ?? "") !== "") return referenced(ref, context);
  return named(invocation.template ?? "", source, context);
}

function inlineTemplate(invocation: Invocation, inline: Template, source: TemplateSource): ResolvedTemplate {
  const key = source.storedPrefix === undefined ? undefined : `${source.storedPrefix}/inline/${invocation.name ?? ""}`;
  return { template: inline, source, storedKey: key };
}

function named(name: string, source: TemplateSource, context: ResolveContext): Lookup<ResolvedTemplate> {
  const storedKey = source.storedPrefix === undefined ? undefined : `${source.storedPrefix}/${name}`;
  const template = (storedKey === undefined ? undefined : context.stored(storedKey)) ?? source.templates.get(name);
  if (template === undefined) {
    if (source.resourceName === undefined) return problem(`template ${name} not found`);
    return problem(`template ${name} not found in workflow template ${source.resourceName}`);
  }
  return found({ template: withPodMetadata(template, source), source, storedKey });
}

function referenced(ref: TemplateRef, context: ResolveContext): Lookup<ResolvedTemplate> {
  const need: ResourceNeed =
    ref.clusterScope === true
      ? { kind: "cluster-workflow-template", name: ref.name ?? "" }
      : { kind: "workflow-template", namespace: context.namespace, name: ref.name ?? "" };
  const resource = context.facts.get(need);
  if (resource === undefined) return { kind: "need", need };
  if (resource === null || !hasSpec(resource)) {
    const word = ref.clusterScope === true ? "cluster workflow template" : "workflow template";
    return problem(`${word} ${ref.name ?? ""} not found`);
  }
  const { spec, fault } = readSpec(resource.spec);
  if (fault !== undefined) return problem(`cannot unmarshall ${resource.kind} ${ref.name ?? ""}: ${fault}`);
  return named(ref.template ?? "", resourceSource(ref, { ...resource, spec }), context);
}

function withPodMetadata(template: Template, source: TemplateSource): Template {
  if (source.podMetadata === undefined) return template;
  return { ...template, metadata: strategicMerge(source.podMetadata, template.metadata ?? {}) };
}
