/** Outputs with a globalName: from their node to the workflow's status and variables (Argo 4.1 behaviour 4.4). */

import type { Artifact } from "../model/argo/artifact.js";
import type { NodeStatus } from "../model/argo/node.js";
import type { Outputs, Parameter } from "../model/argo/template.js";
import { addGlobalOutputs } from "../template/index.js";
import type { Pass } from "./pass.js";

/** Copies what a fulfilled node exports; the last to do so wins. */
export function addGlobalOutputsOf(pass: Pass, node: NodeStatus): void {
  addExports(pass, exportsOf(node.outputs));
}

/** Only what is not there yet: for nodes that someone else settled (`argo resume`, `argo node set`). */
export function addMissingGlobalOutputsOf(pass: Pass, node: NodeStatus): void {
  const { parameters, artifacts } = exportsOf(node.outputs);
  const known = pass.status.outputs;
  addExports(pass, {
    parameters: parameters.filter(({ name }) => !(known?.parameters ?? []).some((one) => one.name === name)),
    artifacts: artifacts.filter(({ name }) => !(known?.artifacts ?? []).some((one) => one.name === name)),
  });
}

interface Exports {
  readonly parameters: readonly Parameter[];
  readonly artifacts: readonly Artifact[];
}

function exportsOf(outputs: Outputs | undefined): Exports {
  const parameters: Parameter[] = [];
  for (const { globalName, value } of outputs?.parameters ?? []) {
    if (globalName !== undefined && globalName !== "" && value !== undefined)
      parameters.push({ name: globalName, value });
  }
  const artifacts: Artifact[] = [];
  for (const { globalName, path: _path, mode: _mode, ...artifact } of outputs?.artifacts ?? []) {
    if (globalName !== undefined && globalName !== "") artifacts.push({ ...artifact, name: globalName });
  }
  return { parameters, artifacts };
}

function addExports(pass: Pass, { parameters, artifacts }: Exports): void {
  if (parameters.length === 0 && artifacts.length === 0) return;
  const before = pass.status.outputs;
  const merged = {
    parameters: replaceByName(before?.parameters ?? [], parameters),
    artifacts: replaceByName(before?.artifacts ?? [], artifacts),
  };
  const outputs: Outputs = {
    ...before,
    ...(merged.parameters.length > 0 ? { parameters: merged.parameters } : {}),
    ...(merged.artifacts.length > 0 ? { artifacts: merged.artifacts } : {}),
  };
  if (JSON.stringify(outputs) === JSON.stringify(before)) return;
  pass.status = { ...pass.status, outputs };
  addGlobalOutputs(pass.globals.variables, outputs);
  pass.globals.version++;
}

function replaceByName<T extends { readonly name: string }>(known: readonly T[], added: readonly T[]): readonly T[] {
  const merged = new Map(known.map((one) => [one.name, one]));
  for (const one of added) merged.set(one.name, one);
  return [...merged.values()];
}
