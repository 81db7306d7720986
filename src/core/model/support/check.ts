/** Finds in a resource what this machine does not obey: errors for what would change a run, notices for the rest. */

import type { Problem } from "../../std/problem.js";
import type { Template } from "../argo/template.js";
import type { WorkflowSpec } from "../argo/workflow.js";
import type { KnownResource } from "../kinds.js";
import { fieldPath, itemPath } from "../path.js";
import { volumeRows } from "./pod-rows.js";
import { reachableTemplates } from "./reachable.js";
import type { RuntimeName } from "./row.js";
import { rowsByKind, workflowSpecRows } from "./rows.js";
import { templateRows } from "./template-rows.js";
import { Walk } from "./walk.js";

export interface SupportScope {
  /** Which of the spec's templates a run can reach; left out: found from entrypoint, onExit and hooks. */
  readonly reachable?: (templateName: string) => boolean;
  /** `templates`: only those matter, as for a resource that a templateRef names. Default: the whole spec. */
  readonly part?: "whole" | "templates";
  /** What starts the containers, where that is known: some fields hold only there. */
  readonly runtime?: RuntimeName;
}

/**
 * The fields of `resource` that are not obeyed where a run would meet them: `not-yet` (severity error) and `ignored`
 * (severity notice), with paths and hints. Values that say nothing (false, "", empty) are passed over.
 */
export function unsupportedFieldsOf(resource: KnownResource, scope: SupportScope = {}): Problem[] {
  const walk = new Walk(scope.runtime);
  const found = specOf(resource);
  if (found === undefined) {
    walk.visit(rowsByKind[resource.kind], resource, { path: "", subject: "", name: "" });
    return walk.problems.toArray();
  }
  const { spec, path } = found;
  const reachable = scope.reachable ?? reachableTemplates(spec);
  const templates = (spec.templates ?? []).map((template, index) => ({ template, index }));
  const met = templates.filter(({ template }) => reachable(template.name ?? ""));
  if (scope.part !== "templates") {
    if (resource.kind === "CronWorkflow") walkCron(walk, resource);
    walkSpec(
      walk,
      spec,
      path,
      met.map((each) => each.template),
    );
  }
  for (const { template, index } of met) {
    walk.visit(templateRows, template, { path: itemPath(`${path}.templates`, index), subject: "", name: "" });
  }
  return walk.problems.toArray();
}

function specOf(resource: KnownResource): { readonly spec: WorkflowSpec; readonly path: string } | undefined {
  switch (resource.kind) {
    case "Workflow":
    case "WorkflowTemplate":
    case "ClusterWorkflowTemplate":
      return { spec: resource.spec, path: "spec" };
    case "CronWorkflow":
      return { spec: resource.spec.workflowSpec, path: "spec.workflowSpec" };
    default:
      return undefined;
  }
}

function walkCron(walk: Walk, cron: Extract<KnownResource, { readonly kind: "CronWorkflow" }>): void {
  const { workflowSpec: _, ...schedule } = cron.spec;
  walk.visit(rowsByKind.CronWorkflow, { spec: schedule }, { path: "", subject: "", name: "" });
}

/** All of a spec but its templates; of its volumes those that a reachable template mounts. */
function walkSpec(walk: Walk, spec: WorkflowSpec, path: string, met: readonly Template[]): void {
  const { templates: _, volumes = [], ...rest } = spec;
  const place = { path, subject: path, name: "" };
  walk.visit(workflowSpecRows, rest, place);
  const mounted = new Set(met.flatMap(mountNames));
  if (spec.templateDefaults !== undefined) for (const name of mountNames(spec.templateDefaults)) mounted.add(name);
  for (const [index, volume] of volumes.entries()) {
    if (!mounted.has(volume.name)) continue;
    const at = itemPath(fieldPath(path, "volumes"), index);
    walk.visit(volumeRows, volume, { path: at, subject: "", name: `volume ${volume.name}` });
  }
}

function mountNames(template: Template): string[] {
  const containers = [
    template.container,
    template.script,
    ...(template.initContainers ?? []),
    ...(template.sidecars ?? []),
    ...(template.containerSet?.containers ?? []),
    template.containerSet,
  ];
  const invocations = [...(template.steps ?? []).flat(), ...(template.dag?.tasks ?? [])];
  return [
    ...containers.flatMap((container) => (container?.volumeMounts ?? []).map((mount) => mount.name)),
    ...invocations.flatMap(({ inline }) => (inline === undefined ? [] : mountNames(inline))),
  ];
}
