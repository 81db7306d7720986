/** Which of a spec's own templates a run can come to. */

import type { Invocation, LifecycleHook, Template } from "../argo/template.js";
import type { WorkflowSpec } from "../argo/workflow.js";

/**
 * Whether a run of `spec` can reach its template of that name from the entrypoint, onExit or a hook. A name that is
 * only known at run time (`template: "{{item}}"`) may be any: then all are reachable.
 */
export function reachableTemplates(spec: WorkflowSpec): (templateName: string) => boolean {
  const byName = new Map((spec.templates ?? []).map((template) => [template.name ?? "", template]));
  const reached = new Set<string>();
  const open = [...entryNames(spec)];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name.includes("{{")) return () => true;
    if (reached.has(name)) continue;
    reached.add(name);
    const template = byName.get(name);
    if (template !== undefined) open.push(...namesIn(template));
  }
  return (name) => reached.has(name);
}

function entryNames(spec: WorkflowSpec): string[] {
  const names = [spec.entrypoint, spec.onExit, ...hookNames(spec.hooks)];
  return names.filter((name) => name !== undefined && name !== "").map(String);
}

/** The templates of the same spec that `template` names itself. */
function namesIn(template: Template): string[] {
  const invocations: readonly Invocation[] = [...(template.steps ?? []).flat(), ...(template.dag?.tasks ?? [])];
  return invocations.flatMap((invocation) => [
    ...[invocation.template, invocation.onExit].filter((name) => name !== undefined && name !== "").map(String),
    ...hookNames(invocation.hooks),
    ...(invocation.inline === undefined ? [] : namesIn(invocation.inline)),
  ]);
}

function hookNames(hooks: Readonly<Record<string, LifecycleHook>> | undefined): string[] {
  return Object.values(hooks ?? {}).flatMap((hook) => (hook.template ? [hook.template] : []));
}
