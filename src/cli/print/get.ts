/** The view of one workflow: `get`, and what `submit` and `retry` print (Argo 4.1 behaviour 8.6). */

import type { Artifact } from "../../core/model/argo/artifact.js";
import type { Parameter } from "../../core/model/argo/template.js";
import type { Workflow, WorkflowCondition } from "../../core/model/argo/workflow.js";
import { ago, goTimestamp, longDuration, timeOf } from "./duration.js";
import { type GetTreeOptions, getTreeLines, resourcesText } from "./get-tree.js";
import { lostStatus, statusText } from "./status-text.js";

export interface GetOptions extends GetTreeOptions {
  /** Minutes east of UTC at a time. */
  readonly utcOffsetMinutes: (at: number) => number;
  /** Nobody works on it any more: the command that goes on. */
  readonly lost?: string;
}

export function getLines(workflow: Workflow, options: GetOptions): readonly string[] {
  const tree = getTreeLines(workflow, options);
  if (options.columns === "short") return tree;
  const header = headerLines(workflow, options);
  return tree.length === 0 ? header : [...header, "", ...tree];
}

function field(name: string, value: string): string {
  return `${name.padEnd(20)} ${value}`;
}

function headerLines(workflow: Workflow, options: GetOptions): string[] {
  const { metadata, status, spec } = workflow;
  return [
    field("Name:", metadata.name ?? ""),
    field("Namespace:", metadata.namespace ?? ""),
    field("ServiceAccount:", serviceAccountText(workflow)),
    ...statusLines(workflow, options),
    ...conditionLines(status?.conditions ?? [], options),
    ...timeLines(workflow, options),
    ...optional("Progress:", status?.progress),
    ...optional("ResourcesDuration:", resourcesText(status?.resourcesDuration)),
    ...parameterLines("Parameters:", spec.arguments?.parameters ?? []),
    ...parameterLines("Output Parameters:", status?.outputs?.parameters ?? []),
    ...artifactLines(status?.outputs?.artifacts ?? []),
  ];
}

function statusLines(workflow: Workflow, { lost }: GetOptions): readonly string[] {
  const status = statusText(workflow);
  const message = optional("Message:", workflow.status?.message);
  if (lost === undefined) return [field("Status:", status), ...message];
  return [field("Status:", `${lostStatus(status)}: its process is gone`), field("Go on with:", lost), ...message];
}

function optional(name: string, value: string | undefined): readonly string[] {
  return value ? [field(name, value)] : [];
}

function serviceAccountText({ spec }: Workflow): string {
  if (spec.serviceAccountName) return spec.serviceAccountName;
  return spec.workflowTemplateRef ? "unset" : "unset (will run with the default ServiceAccount)";
}

const CONDITION_ICONS: Readonly<Record<string, string>> = { MetricsError: "✖", SpecWarning: "⚠" };

function conditionLines(conditions: readonly WorkflowCondition[], { style }: GetOptions): readonly string[] {
  if (conditions.length === 0) return [];
  const lines = conditions.map((condition) => {
    const icon = style.utf8 ? (CONDITION_ICONS[condition.type] ?? "") : "";
    return field(`${icon} ${condition.type}`, condition.message || condition.status);
  });
  return [field("Conditions:", ""), ...lines];
}

function timeLines({ metadata, status }: Workflow, options: GetOptions): readonly string[] {
  const stamp = (at: number): string => `${goTimestamp(at, options.utcOffsetMinutes(at))} (${ago(options.now - at)})`;
  const created = timeOf(metadata.creationTimestamp);
  const started = timeOf(status?.startedAt);
  const finished = timeOf(status?.finishedAt);
  const estimated = status?.phase === "Running" ? status.estimatedDuration : undefined;
  return [
    ...(created === undefined ? [] : [field("Created:", stamp(created))]),
    ...(started === undefined ? [] : [field("Started:", stamp(started))]),
    ...(finished === undefined ? [] : [field("Finished:", stamp(finished))]),
    ...(started === undefined ? [] : [field("Duration:", longDuration((finished ?? options.now) - started))]),
    ...(estimated === undefined ? [] : [field("EstimatedDuration:", longDuration(estimated * 1000))]),
  ];
}

function parameterLines(title: string, parameters: readonly Parameter[]): readonly string[] {
  const withValue = parameters.filter((parameter) => parameter.value !== undefined);
  if (withValue.length === 0) return [];
  return [field(title, ""), ...withValue.map((parameter) => field(`  ${parameter.name}:`, parameter.value ?? ""))];
}

function artifactLines(artifacts: readonly Artifact[]): readonly string[] {
  if (artifacts.length === 0) return [];
  return [
    field("Output Artifacts:", ""),
    ...artifacts.map((artifact) => field(`  ${artifact.name}:`, locationText(artifact))),
  ];
}

/** Where an artifact lies, in few words: its key, URL, repository or path. */
export function locationText(artifact: Artifact): string {
  const { s3, gcs, oss, azure, http, artifactory, git, hdfs, raw, plugin } = artifact;
  const keyed = s3?.key ?? gcs?.key ?? oss?.key ?? azure?.blob ?? plugin?.key;
  return keyed ?? http?.url ?? artifactory?.url ?? git?.repo ?? hdfs?.path ?? (raw === undefined ? "" : "raw");
}
