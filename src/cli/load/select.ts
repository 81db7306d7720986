/** Which of the loaded documents runs: the Workflows, or the one template, or the one that `--from` names. */

import type { CronWorkflow, Workflow, WorkflowSpec, WorkflowTemplate } from "../../core/model/argo/workflow.js";
import { nearestName } from "../../core/model/index.js";
import type { ResourceType } from "../../core/model/resources.js";
import { clusterWorkflowTemplates, cronWorkflows, workflowTemplates } from "../../core/model/resources.js";
import { workflowFrom } from "../../core/operations/index.js";
import { badInput } from "../errors.js";
import type { SpecHome } from "./references.js";
import { type LoadedResource, ofKind } from "./resources.js";

/** A workflow to be, and where its spec was written. */
export interface Chosen {
  readonly workflow: Workflow;
  readonly home: SpecHome;
}

export const templateKinds = ["WorkflowTemplate", "ClusterWorkflowTemplate", "CronWorkflow"] as const;
export type TemplateKindName = (typeof templateKinds)[number];

export interface FromTarget {
  readonly kind: TemplateKindName;
  readonly type: ResourceType;
  readonly name: string;
}

const FROM_TYPES: Readonly<Record<TemplateKindName, ResourceType>> = {
  WorkflowTemplate: workflowTemplates,
  ClusterWorkflowTemplate: clusterWorkflowTemplates,
  CronWorkflow: cronWorkflows,
};

/** `cronwf/hello`, `workflowtemplate/build` (Argo 4.1 behaviour 8.4). */
export function parseFrom(text: string): FromTarget {
  const [kindText = "", name = "", ...rest] = text.split("/");
  if (name === "" || rest.length > 0) {
    throw badInput(`resource identifier '${text}' is malformed. Should be \`kind/name\`, e.g. cronwf/hello-world-cwf`);
  }
  const wanted = kindText.toLowerCase();
  const kind = templateKinds.find((candidate) => {
    const { singular, plural, shortNames } = FROM_TYPES[candidate];
    return [candidate.toLowerCase(), singular, plural, ...shortNames, EXTRA_NAMES[candidate]].includes(wanted);
  });
  if (kind === undefined) throw badInput(`Resource kind '${kindText}' is not supported for submitting`);
  return { kind, type: FROM_TYPES[kind], name };
}

/** Argo's command takes this short name beside those of the resource. */
const EXTRA_NAMES: Readonly<Record<TemplateKindName, string>> = {
  WorkflowTemplate: "wftmpl",
  ClusterWorkflowTemplate: "cwftmpl",
  CronWorkflow: "cronwf",
};

/** `leftOut` says what else stood there. Rejects with CliError when nothing, or more than one template, could be meant. */
export function chooseWorkflows(
  resources: readonly LoadedResource[],
  from: FromTarget | undefined,
  leftOut: readonly string[] = [],
): readonly Chosen[] {
  if (from !== undefined) return [fromNamed(resources, from)];
  const toRun = resources.filter((loaded) => loaded.toRun);
  const workflows = ofKind(toRun, "Workflow");
  if (workflows.length > 0) {
    return workflows.map(({ resource, document }) => ({
      workflow: resource,
      home: { spec: resource.spec, document, path: "spec" },
    }));
  }
  const templates = templateKinds.flatMap((kind) => ofKind(toRun, kind));
  const [only, ...more] = templates;
  if (only === undefined) throw badInput("no workflow found in given files", whatIsThere(toRun, leftOut));
  if (more.length > 0) {
    const names = templates.map(
      ({ resource }) => `  --from ${resource.kind.toLowerCase()}/${resource.metadata.name ?? ""}`,
    );
    throw badInput(`${templates.length} templates are there, and no Workflow: say which one to run`, names.join("\n"));
  }
  return [chosenFrom(only)];
}

function whatIsThere(resources: readonly LoadedResource[], leftOut: readonly string[]): string | undefined {
  if (resources.length === 0) return leftOut.length === 0 ? undefined : leftOut.join("\n");
  const kinds = [...new Set(resources.map(({ resource }) => resource.kind))];
  return `there is ${kinds.join(", ")}; a Workflow, WorkflowTemplate, ClusterWorkflowTemplate or CronWorkflow can be run`;
}

function fromNamed(resources: readonly LoadedResource[], from: FromTarget): Chosen {
  const candidates = ofKind(resources, from.kind);
  const found = candidates.find(({ resource }) => resource.metadata.name === from.name);
  if (found !== undefined) return chosenFrom(found);
  const names = candidates.map(({ resource }) => resource.metadata.name ?? "");
  const near = nearestName(from.name, names);
  const hint = near === undefined ? "give the file that holds it, or add it with --with" : `did you mean "${near}"?`;
  throw badInput(`${from.kind} "${from.name}" is not in the given files`, hint);
}

function chosenFrom(loaded: LoadedResource<(CronWorkflow | WorkflowTemplate) & LoadedResource["resource"]>): Chosen {
  const { resource, document } = loaded;
  return { workflow: workflowFrom(resource), home: homeOf(resource, document) };
}

/** The spec inside a template resource, and its path. */
export function homeOf(
  resource: { readonly spec: WorkflowSpec | CronWorkflow["spec"] },
  document: SpecHome["document"],
): SpecHome {
  if ("workflowSpec" in resource.spec) return { spec: resource.spec.workflowSpec, document, path: "spec.workflowSpec" };
  return { spec: resource.spec, document, path: "spec" };
}
