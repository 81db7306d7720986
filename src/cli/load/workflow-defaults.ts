/** `workflowDefaults` of a given controller configuration, below the workflows: for checks before anything is created. */

import { readControllerConfig } from "../../core/engine/controller-config.js";
import type { Workflow, WorkflowSpec } from "../../core/model/argo/workflow.js";
import { executedSpec } from "../../core/template/index.js";
import { controllerConfig } from "./controller-config.js";
import type { LoadedResource } from "./resources.js";

/** What completes a workflow as the engine will; a workflow that names a template is completed there. */
export type Completion = (workflow: Workflow) => Workflow;

export function completionBy(resources: readonly LoadedResource[]): Completion {
  const { data } = controllerConfig(resources.map(({ resource }) => resource));
  const defaults = readControllerConfig(data).settings.workflowDefaults?.spec;
  if (defaults === undefined) return (workflow) => workflow;
  return (workflow) => {
    if (workflow.spec.workflowTemplateRef !== undefined) return workflow;
    const merged = executedSpec(workflow, defaults, { get: () => null });
    return merged.kind === "found" ? { ...workflow, spec: ownFirst(workflow.spec, merged.value) } : workflow;
  };
}

/** Paths of what a file says stay as they are in the file. */
function ownFirst(own: WorkflowSpec, merged: WorkflowSpec): WorkflowSpec {
  const { templates, arguments: args } = merged;
  const parameters = sorted(args?.parameters, own.arguments?.parameters);
  return {
    ...merged,
    ...(templates === undefined ? {} : { templates: sorted(templates, own.templates) }),
    ...(args === undefined ? {} : { arguments: { ...args, ...(args.parameters === undefined ? {} : { parameters }) } }),
  };
}

function sorted<T extends { readonly name?: string }>(
  all: readonly T[] | undefined,
  first: readonly { readonly name?: string }[] | undefined,
): readonly T[] {
  const names = (first ?? []).map(({ name }) => name);
  const rank = ({ name }: T): number => (names.includes(name) ? names.indexOf(name) : names.length);
  return (all ?? []).toSorted((a, b) => rank(a) - rank(b));
}
