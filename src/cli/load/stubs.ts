/** `--stub`: whether each stub fits a template and has all its outputs; and what stands in for templates that were not given. */

import type { Template } from "../../core/model/argo/template.js";
import type { WorkflowSpec } from "../../core/model/argo/workflow.js";
import { nearestName } from "../../core/model/index.js";
import type { KubeObject } from "../../core/model/kube/meta.js";
import { isJsonObject } from "../../core/std/json.js";
import type { Problem } from "../../core/std/problem.js";
import {
  lackingOutputs,
  noStubOutputs,
  readStubOutputs,
  type StubOutputs,
  stubTemplate,
} from "../../core/template/index.js";
import type { Stub } from "../ports.js";
import type { Reach, StubbedRef } from "./references.js";
import type { LoadedResource } from "./resources.js";
import { homeOf } from "./select.js";

/** A template that a stub is for, and where it stands. */
interface Place {
  readonly template: Template;
  readonly loaded: LoadedResource;
  readonly path: string;
}

/** Names that no template has, outputs that no template has, and outputs that would have no value. */
export function stubProblems(
  stubs: readonly Stub[],
  resources: readonly LoadedResource[],
  reached: readonly Reach[],
): readonly Problem[] {
  const places = resources.flatMap(templatesOf);
  const refs = reached.flatMap(({ stubbedRefs }) => stubbedRefs.map(({ template }) => template));
  const names = [...new Set([...places.map(({ template }) => template.name ?? ""), ...refs])];
  return stubs.flatMap((stub) => {
    if (!names.includes(stub.template)) return [unknownTemplate(stub, names)];
    const read = readStubOutputs(stub.outcome);
    if (!read.ok) return read.error.map((problem) => ofFile(problem, stub));
    const outputs = read.value;
    const own = places.filter(({ template }) => template.name === stub.template);
    return own.flatMap((place) => [...unknownOutputs(stub, outputs, place), ...lacking(stub, outputs, place)]);
  });
}

function ofFile({ path, message, ...problem }: Problem, { file }: Stub): Problem {
  return { ...problem, path: "", message: `${file ?? "--stub"}: ${path === "" ? "" : `${path}: `}${message}` };
}

function templatesOf(loaded: LoadedResource): readonly Place[] {
  const home = specOf(loaded);
  if (home === undefined) return [];
  return (home.spec.templates ?? []).map((template, index) => ({
    template,
    loaded,
    path: `${home.path}.templates[${index}]`,
  }));
}

function specOf({
  resource,
  document,
}: LoadedResource): { readonly spec: WorkflowSpec; readonly path: string } | undefined {
  switch (resource.kind) {
    case "Workflow":
    case "WorkflowTemplate":
    case "ClusterWorkflowTemplate":
    case "CronWorkflow":
      return homeOf(resource, document);
    default:
      return undefined;
  }
}

function unknownTemplate({ template }: Stub, names: readonly string[]): Problem {
  const near = nearestName(template, names);
  return {
    code: "no-template",
    severity: "error",
    path: "",
    message: `--stub ${template}: no template has that name`,
    hint: near === undefined ? `there are ${names.join(", ")}` : `did you mean "${near}"?`,
  };
}

function unknownOutputs(stub: Stub, given: StubOutputs, { template }: Place): readonly Problem[] {
  const find = (kind: "parameters" | "artifacts"): readonly Problem[] => {
    const known = (template.outputs?.[kind] ?? []).map(({ name }) => name);
    const unknown = Object.keys(given[kind]).filter((name) => !known.includes(name));
    return unknown.map((name) => ({
      code: "bad-value",
      severity: "error",
      path: "",
      message: `${stub.file ?? "--stub"}: ${kind}.${name}: template "${stub.template}" has no such output`,
      hint: known.length === 0 ? `it has no output ${kind}` : `it has ${known.join(", ")}`,
    }));
  };
  return [...find("parameters"), ...find("artifacts")];
}

/** A stub that fails anyway need not say what it would have put out. */
function lacking(stub: Stub, given: StubOutputs, { template, loaded, path }: Place): readonly Problem[] {
  if (isJsonObject(stub.outcome) && typeof stub.outcome["exitCode"] === "number" && stub.outcome["exitCode"] !== 0) {
    return [];
  }
  const { parameters, artifacts } = lackingOutputs(template, given);
  const problemOf = (kind: "parameters" | "artifacts", name: string): Problem => {
    const index = (template.outputs?.[kind] ?? []).findIndex((one) => one.name === name);
    const position = loaded.document.positionOf(`${path}.outputs.${kind}[${index}].name`);
    const word = kind === "parameters" ? "parameter" : "artifact";
    const fallback = kind === "parameters" ? " and no default" : "";
    return {
      code: kind === "parameters" ? "no-parameter" : "no-artifact",
      severity: "error",
      path: "",
      message: `the stub of "${stub.template}" gives its output ${word} ${name} no value${fallback}`,
      hint: `${stub.file === null ? `--stub ${stub.template}=FILE, with` : `in ${stub.file}:`} ${kind}: {${name}: …}`,
      ...(position === undefined ? {} : { position }),
    };
  };
  return [
    ...parameters.map((name) => problemOf("parameters", name)),
    ...artifacts.map((name) => problemOf("artifacts", name)),
  ];
}

/** Template resources that were not given, and of which only stubs are called: made up, with the outputs of the stubs. */
export function standInResources(
  refs: readonly StubbedRef[],
  stubs: readonly Stub[],
  namespace: string,
): readonly KubeObject[] {
  const names = [...new Set(refs.map(({ kind, name }) => `${kind}/${name}`))];
  return names.map((id) => {
    const own = refs.filter(({ kind, name }) => `${kind}/${name}` === id);
    const [kind = "", name = ""] = id.split("/");
    const templates = [...new Set(own.map(({ template }) => template))].map((template) => madeUp(template, stubs));
    return {
      apiVersion: "argoproj.io/v1alpha1",
      kind,
      metadata: { name, ...(kind === "WorkflowTemplate" ? { namespace } : {}) },
      spec: { templates },
    };
  });
}

function madeUp(name: string, stubs: readonly Stub[]): Template {
  const read = readStubOutputs(stubs.find(({ template }) => template === name)?.outcome ?? null);
  // Of a file in the wrong shape nothing: the run has been refused for it.
  const given = read.ok ? read.value : noStubOutputs;
  const parameters = Object.keys(given.parameters).map((one) => ({ name: one, valueFrom: {} }));
  const artifacts = Object.keys(given.artifacts).map((one) => ({ name: one }));
  return stubTemplate({ name, outputs: { parameters, artifacts } }, given);
}
