/** The first sight of a workflow, and what has to be worked out anew whenever a process opens it (Argo 4.1 behaviour 3.4). */

import { printValue, substitute } from "../expr/index.js";
import { annotations, labels } from "../model/argo/names.js";
import type { ArtifactRepositoryRefStatus, Workflow, WorkflowSpec } from "../model/argo/workflow.js";
import { msOfRfc3339 } from "../std/time.js";
import {
  addGlobalOutputs,
  evaluateIn,
  executedSpec,
  type GlobalVariables,
  globalVariables,
  type Lookup,
  namedRepository,
  type TemplateSource,
  usualRepository,
  workflowSource,
} from "../template/index.js";
import type { Facts, Need } from "./contract.js";
import type { EngineOptions } from "./options.js";
import type { StatusFields } from "./pass.js";

/** What stays the same from pass to pass, until someone edits the workflow. */
export interface Prepared {
  readonly spec: WorkflowSpec;
  readonly source: TemplateSource;
  readonly variables: GlobalVariables;
  /** The merged spec, to be kept in the status, where the workflow names a template. */
  readonly stored: WorkflowSpec | undefined;
  /** For the status; undefined when nobody configured one. */
  readonly repository: ArtifactRepositoryRefStatus | undefined;
}

export type Preparation =
  | { readonly kind: "ready"; readonly prepared: Prepared }
  | { readonly kind: "need"; readonly need: Need }
  /** The workflow ends before it begins. */
  | { readonly kind: "end"; readonly phase: "Failed" | "Error"; readonly message: string };

export interface PrepareInput {
  readonly workflow: Workflow;
  readonly status: StatusFields;
  readonly options: EngineOptions;
  readonly facts: Facts;
  readonly now: number;
  /** Those found valid before: what else is asked for does not make them doubtful again. */
  readonly valid: WeakSet<Workflow>;
}

export function prepare(input: PrepareInput): Preparation {
  const { workflow, status, facts } = input;
  const merged = mergedSpec(input);
  if (merged.kind !== "found") return unless(merged, "Error");
  const invalid = isFirst(status) ? validated(input, merged.value) : undefined;
  if (invalid !== undefined) return invalid;
  const variables = globalVariables(withMetadata(workflow, merged.value), merged.value, facts);
  if (variables.kind !== "found") return unless(variables, "Failed", "failed to set global parameters: ");
  addGlobalOutputs(variables.value, status.outputs);
  const repository = repositoryOf(input, merged.value);
  if (repository.kind !== "found") return unless(repository, "Error");
  const spec = withGlobals(merged.value, variables.value, input);
  if (typeof spec === "string") return { kind: "end", phase: "Error", message: spec };
  return {
    kind: "ready",
    prepared: {
      spec,
      source: workflowSource(workflow, spec),
      variables: variables.value,
      repository: repository.value,
      stored: workflow.spec.workflowTemplateRef === undefined ? undefined : merged.value,
    },
  };
}

type Unfound = Exclude<Lookup<unknown>, { readonly kind: "found" }>;

/** A need is handed on; a problem is the workflow's end. */
function unless(lookup: Unfound, phase: "Failed" | "Error", prefix = ""): Preparation {
  return lookup.kind === "need" ? lookup : { kind: "end", phase, message: `${prefix}${lookup.message}` };
}

function validated({ workflow, options, facts, valid }: PrepareInput, merged: WorkflowSpec): Preparation | undefined {
  if (valid.has(workflow)) return undefined;
  // Where a template is named, its spec lies between: validation finds it by itself.
  const isMerged = options.workflowDefaults !== undefined && workflow.spec.workflowTemplateRef === undefined;
  const invalid = options.validate?.(isMerged ? { ...workflow, spec: merged } : workflow, facts);
  if (invalid === undefined) {
    valid.add(workflow);
    return undefined;
  }
  if (typeof invalid !== "string") return { kind: "need", need: invalid };
  return { kind: "end", phase: "Failed", message: `invalid spec: ${invalid}` };
}

function repositoryOf(
  { workflow, status, options, facts }: PrepareInput,
  spec: WorkflowSpec,
): Lookup<ArtifactRepositoryRefStatus | undefined> {
  if (status.artifactRepositoryRef !== undefined) return { kind: "found", value: status.artifactRepositoryRef };
  const ref = spec.artifactRepositoryRef;
  if (ref !== undefined) return namedRepository(ref, workflow.metadata.namespace ?? "", facts);
  // Once it has begun, its status says what was found, and that nothing was.
  const usual = isFirst(status) ? usualRepository(workflow.metadata.namespace ?? "", facts) : undefined;
  if (usual !== undefined && (usual.kind !== "found" || usual.value !== undefined)) return usual;
  const artifactRepository = options.artifactRepository;
  return { kind: "found", value: artifactRepository === undefined ? undefined : { default: true, artifactRepository } };
}

export function isFirst(status: StatusFields): boolean {
  return status.phase === undefined || status.phase === "" || status.startedAt === undefined;
}

/** Once merged, the resource it names may change or go: the status has it. What a user may edit is always the user's. */
function mergedSpec({ workflow, status, options, facts }: PrepareInput): Lookup<WorkflowSpec> {
  const stored = status.storedWorkflowTemplateSpec;
  if (stored === undefined || workflow.spec.workflowTemplateRef === undefined) {
    return executedSpec(workflow, options.workflowDefaults?.spec, facts);
  }
  const { shutdown, suspend } = workflow.spec;
  const { shutdown: _s, suspend: _p, ...rest } = stored;
  return {
    kind: "found",
    value: { ...rest, ...(shutdown === undefined ? {} : { shutdown }), ...(suspend === undefined ? {} : { suspend }) },
  };
}

/** Labels and annotations that workflowMetadata adds are variables too. */
function withMetadata(workflow: Workflow, spec: WorkflowSpec): Workflow {
  const extra = spec.workflowMetadata;
  if (extra === undefined) return workflow;
  const { metadata } = workflow;
  return {
    ...workflow,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, ...extra.labels },
      annotations: { ...metadata.annotations, ...extra.annotations },
    },
  };
}

/** Templates keep their tags: they are replaced when they run. */
function withGlobals(
  spec: WorkflowSpec,
  { texts }: GlobalVariables,
  { workflow, now }: PrepareInput,
): WorkflowSpec | string {
  const { templates, ...rest } = spec;
  const context = { now, seed: workflow.metadata.uid ?? "" };
  const replaced = substitute(rest, texts, { mode: "allow-unresolved", context });
  if (!replaced.ok) return replaced.error.message;
  return { ...replaced.value, ...(templates === undefined ? {} : { templates }) };
}

export interface StartMetadata {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Labels and annotations that a workflow gets when it starts; the error is a message. */
export function startMetadata(
  workflow: Workflow,
  { spec, variables }: Prepared,
  { options, now }: { readonly options: EngineOptions; readonly now: number },
): StartMetadata | string {
  const defaults = options.workflowDefaults?.metadata;
  const own = workflow.metadata;
  const metadata = spec.workflowMetadata;
  const computed: Record<string, string> = {};
  for (const [name, { expression }] of Object.entries(metadata?.labelsFrom ?? {})) {
    const value = evaluateIn(expression, variables.texts, { now, seed: own.uid ?? "" });
    if (!value.ok) return `failed to evaluate label ${name} expression ${expression}: ${value.error}`;
    computed[name] = printValue(value.value);
  }
  const added: StartMetadata = {
    labels: {
      ...missing(defaults?.labels, own.labels),
      ...metadata?.labels,
      ...computed,
      ...templateRefLabel(workflow),
    },
    annotations: {
      ...missing(defaults?.annotations, own.annotations),
      ...metadata?.annotations,
      [annotations.podNameFormat]: "v2",
    },
  };
  return wrongLabel(added.labels) ?? added;
}

/** Says which template the workflow was made from; also when it ends before it begins. */
export function templateRefLabel({ spec }: Workflow): Readonly<Record<string, string>> {
  const ref = spec.workflowTemplateRef;
  if (ref?.name === undefined) return {};
  return { [ref.clusterScope === true ? labels.clusterWorkflowTemplate : labels.workflowTemplate]: ref.name };
}

function missing(
  defaults: Readonly<Record<string, string>> | undefined,
  own: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(defaults ?? {}).filter(([name]) => own?.[name] === undefined));
}

const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

function wrongLabel(values: Readonly<Record<string, string>>): string | undefined {
  const wrong = Object.entries(values).find(([, value]) => value.length > 63 || !LABEL_VALUE.test(value));
  return wrong === undefined ? undefined : `invalid label value "${wrong[1]}" for label "${wrong[0]}"`;
}

/** When the workflow must have ended; milliseconds since the epoch. */
export function deadlineOf(status: StatusFields, spec: WorkflowSpec): number | undefined {
  const start = msOfRfc3339(status.startedAt ?? "");
  if (spec.activeDeadlineSeconds === undefined || start === undefined) return undefined;
  return start + spec.activeDeadlineSeconds * 1000;
}
