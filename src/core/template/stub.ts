/** A template that stands for another which is not to run: one container that does nothing, with outputs from elsewhere. */

import type { Artifact } from "../model/argo/artifact.js";
import { annotations } from "../model/argo/names.js";
import type { Inputs, Outputs, Parameter, Template } from "../model/argo/template.js";
import { isJsonObject, type Json } from "../std/json.js";
import type { Problem } from "../std/problem.js";
import { err, ok, type Result } from "../std/result.js";

/** What a stub puts out, by name of the output. */
export interface StubOutputs {
  readonly parameters: Readonly<Record<string, string>>;
  readonly artifacts: Readonly<Record<string, string>>;
  /** By absolute path: for outputs that name one. */
  readonly files: Readonly<Record<string, string>>;
  /** What `outputs.result` is; undefined: what the stub prints. */
  readonly result: string | undefined;
}

export const noStubOutputs: StubOutputs = { parameters: {}, artifacts: {}, files: {}, result: undefined };

const FOLDER = "/tiphys/outputs";

/**
 * The container template in `template`'s place, whatever its kind. It takes the same parameters and no artifact; each
 * output is a file: of {@link stubFiles}, at its own path, or at one that does not exist (its default counts then). What
 * would keep it from running (locks, caches, nodes, time limits) is left out.
 */
export function stubTemplate(template: Template, given: StubOutputs): Template {
  const { name, metadata, daemon, retryStrategy } = template;
  const inputs = stubInputs(template);
  const outputs = stubOutputs(template, given);
  return {
    ...(name === undefined ? {} : { name }),
    ...(inputs === undefined ? {} : { inputs }),
    ...(outputs === undefined ? {} : { outputs }),
    ...(daemon === undefined ? {} : { daemon }),
    ...(retryStrategy === undefined ? {} : { retryStrategy }),
    metadata: { ...metadata, annotations: { ...metadata?.annotations, [annotations.stub]: "true" } },
    container: { image: "tiphys/stub", command: ["stub"] },
  };
}

/** Content by path of all that the stub leaves behind. */
export function stubFiles({ parameters, artifacts, files }: StubOutputs): Readonly<Record<string, string>> {
  return { ...files, ...below("parameters", parameters), ...below("artifacts", artifacts) };
}

function below(kind: "parameters" | "artifacts", given: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).map(([name, text]) => [`${FOLDER}/${kind}/${name}`, text]));
}

/** Names of outputs that have no value: neither given nor with a default; an artifact that is optional needs none. */
export function lackingOutputs({ outputs }: Template, given: StubOutputs): LackingOutputs {
  const lacks = (own: string | undefined, table: Readonly<Record<string, string>>, name: string): boolean =>
    !Object.hasOwn(table, name) && !Object.hasOwn(given.files, own ?? "");
  const parameters = (outputs?.parameters ?? []).filter(
    ({ name, value, valueFrom }) =>
      value === undefined && valueFrom?.default === undefined && lacks(valueFrom?.path, given.parameters, name),
  );
  const artifacts = (outputs?.artifacts ?? []).filter(
    ({ name, path, optional }) => optional !== true && lacks(path, given.artifacts, name),
  );
  return { parameters: parameters.map(({ name }) => name), artifacts: artifacts.map(({ name }) => name) };
}

export interface LackingOutputs {
  readonly parameters: readonly string[];
  readonly artifacts: readonly string[];
}

/** The part of a stub's file that is about outputs: `parameters`, `artifacts`, `result`, `files`. All problems at once. */
export function readStubOutputs(value: Json): Result<StubOutputs, readonly Problem[]> {
  const problems: Problem[] = [];
  const table = (field: "parameters" | "artifacts" | "files"): Readonly<Record<string, string>> => {
    const given = isJsonObject(value) ? value[field] : undefined;
    if (given === undefined) return {};
    if (!isJsonObject(given)) {
      problems.push({ code: "wrong-type", severity: "error", path: field, message: "must be a map" });
      return {};
    }
    return Object.fromEntries(Object.entries(given).map(([name, text]) => [name, textOf(text)]));
  };
  if (value !== null && !isJsonObject(value)) {
    problems.push({ code: "wrong-type", severity: "error", path: "", message: "must be a map" });
  }
  const result = isJsonObject(value) ? value["result"] : undefined;
  const outputs: StubOutputs = {
    parameters: table("parameters"),
    artifacts: table("artifacts"),
    files: table("files"),
    result: result === undefined ? undefined : textOf(result),
  };
  return problems.length === 0 ? ok(outputs) : err(problems);
}

/** Lists and maps as JSON, which is what a step would have written for `withParam`. */
function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A value may come from a ConfigMap that does not exist here: such a parameter is empty unless an argument is passed. */
function stubInputs({ inputs }: Template): Inputs | undefined {
  if (inputs?.parameters === undefined) return undefined;
  return {
    parameters: inputs.parameters.map(({ valueFrom, ...parameter }) =>
      valueFrom === undefined ? parameter : { default: valueFrom.default ?? "", ...parameter },
    ),
  };
}

function stubOutputs({ outputs }: Template, given: StubOutputs): Outputs | undefined {
  if (outputs === undefined) return undefined;
  const { parameters, artifacts } = outputs;
  return {
    ...(parameters === undefined ? {} : { parameters: parameters.map((one) => stubParameter(one, given)) }),
    ...(artifacts === undefined ? {} : { artifacts: artifacts.map((one) => stubArtifact(one, given)) }),
  };
}

function stubParameter(parameter: Parameter, given: StubOutputs): Parameter {
  const { valueFrom, value, ...rest } = parameter;
  const isGiven = Object.hasOwn(given.parameters, parameter.name);
  if (value !== undefined && valueFrom === undefined && !isGiven) return parameter;
  const path = pathOf("parameters", parameter.name, isGiven ? undefined : valueFrom?.path);
  return { ...rest, valueFrom: { path, ...(valueFrom?.default === undefined ? {} : { default: valueFrom.default }) } };
}

/** Into this machine's own store: what a stub says must not replace what a real run left in a bucket. */
function stubArtifact(artifact: Artifact, given: StubOutputs): Artifact {
  const { name, path, mode, archive, globalName, optional } = artifact;
  return {
    name,
    path: pathOf("artifacts", name, Object.hasOwn(given.artifacts, name) ? undefined : path),
    ...(mode === undefined ? {} : { mode }),
    ...(archive === undefined ? {} : { archive }),
    ...(globalName === undefined ? {} : { globalName }),
    ...(optional === undefined ? {} : { optional }),
  };
}

function pathOf(kind: "parameters" | "artifacts", name: string, own: string | undefined): string {
  return own ?? `${FOLDER}/${kind}/${name}`;
}
