/** The workflow's variables, usable anywhere in it (Argo 4.1 behaviour 4.4). */

import type { ScopeValue } from "../expr/index.js";
import { annotations } from "../model/argo/names.js";
import type { Outputs, Parameter } from "../model/argo/template.js";
import type { Workflow, WorkflowSpec } from "../model/argo/workflow.js";
import { compareUtf8 } from "../std/order.js";
import { parseRfc3339, strftime, strftimeNames, unixSeconds } from "../std/time.js";
import { configMapValue } from "./config-map.js";
import { found, type Lookup, problem, type ResourceFacts } from "./lookup.js";
import { goJsonString, goJsonText } from "./raw-json.js";
import { toJson } from "./scope.js";

/** The workflow's variables; they grow as it runs. */
export interface GlobalVariables {
  readonly texts: Map<string, ScopeValue>;
  readonly artifacts: Map<string, ScopeValue>;
}

/** All but what changes while it runs: status, duration, failures, outputs. */
export function globalVariables(workflow: Workflow, spec: WorkflowSpec, facts: ResourceFacts): Lookup<GlobalVariables> {
  const { metadata } = workflow;
  const variables = new Map<string, ScopeValue>([
    ["workflow.name", metadata.name ?? ""],
    ["workflow.namespace", metadata.namespace ?? ""],
    ["workflow.mainEntrypoint", spec.entrypoint ?? ""],
    ["workflow.serviceAccountName", spec.serviceAccountName ?? ""],
    ["workflow.uid", metadata.uid ?? ""],
  ]);
  addCreationTime(variables, metadata.creationTimestamp);
  if (spec.priority !== undefined) variables.set("workflow.priority", String(spec.priority));
  const scheduled = metadata.annotations?.[annotations.scheduledTime];
  if (scheduled !== undefined) variables.set("workflow.scheduledTime", scheduled);
  addMap(variables, "workflow.annotations", metadata.annotations);
  addMap(variables, "workflow.labels", metadata.labels);
  const added = addParameters(variables, spec.arguments?.parameters ?? [], { workflow, facts });
  return added.kind === "found" ? found({ texts: added.value, artifacts: new Map() }) : added;
}

/** Adds `workflow.outputs.…`. */
export function addGlobalOutputs({ texts, artifacts }: GlobalVariables, outputs: Outputs | undefined): void {
  for (const { name, value } of outputs?.parameters ?? []) {
    if (value !== undefined) texts.set(`workflow.outputs.parameters.${name}`, value);
  }
  for (const artifact of outputs?.artifacts ?? []) {
    artifacts.set(`workflow.outputs.artifacts.${artifact.name}`, toJson(artifact));
  }
}

function addCreationTime(variables: Map<string, ScopeValue>, timestamp: string | undefined): void {
  const time = parseRfc3339(timestamp ?? "");
  if (!time.ok || timestamp === undefined) return;
  variables.set("workflow.creationTimestamp", timestamp);
  for (const letter of strftimeNames) {
    const text = strftime(time.value, letter);
    if (text !== undefined) variables.set(`workflow.creationTimestamp.${letter}`, text);
  }
  variables.set("workflow.creationTimestamp.s", String(unixSeconds(time.value)));
  variables.set("workflow.creationTimestamp.RFC3339", timestamp);
}

function addMap(
  variables: Map<string, ScopeValue>,
  prefix: string,
  map: Readonly<Record<string, string>> | undefined,
): void {
  const entries = Object.entries(map ?? {}).sort(([a], [b]) => compareUtf8(a, b));
  const json = `{${entries.map(([key, value]) => `${goJsonString(key)}:${goJsonString(value)}`).join(",")}}`;
  variables.set(prefix, json);
  variables.set(`${prefix}.json`, json);
  for (const [key, value] of entries) variables.set(`${prefix}.${key}`, value);
}

function addParameters(
  variables: Map<string, ScopeValue>,
  parameters: readonly Parameter[],
  { workflow, facts }: { readonly workflow: Workflow; readonly facts: ResourceFacts },
): Lookup<Map<string, ScopeValue>> {
  for (const parameter of parameters) {
    const value = parameterValue(parameter, workflow.metadata.namespace ?? "", facts);
    if (value.kind !== "found") return value;
    variables.set(`workflow.parameters.${parameter.name}`, value.value);
  }
  const json = goJsonText(parameters);
  variables.set("workflow.parameters", json);
  variables.set("workflow.parameters.json", json);
  return found(variables);
}

function parameterValue(parameter: Parameter, namespace: string, facts: ResourceFacts): Lookup<string> {
  const ref = parameter.valueFrom?.configMapKeyRef;
  if (parameter.value !== undefined) return found(parameter.value);
  if (ref === undefined) {
    const reason = "either value or valueFrom must be specified in order to set global parameter";
    return problem(`${reason} ${parameter.name}`);
  }
  const value = configMapValue({ namespace, name: ref.name ?? "", key: ref.key }, facts);
  if (value.kind !== "problem") return value;
  const fallback = parameter.valueFrom?.default;
  if (fallback !== undefined) return found(fallback);
  return problem(
    `failed to set global parameter ${parameter.name} from configmap with name ${ref.name ?? ""} and key ${ref.key}: ${value.message}`,
  );
}
