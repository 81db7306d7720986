/** What a template leaves to those who call it (Argo 4.1 behaviour 10.7, node references). */

import type { Template } from "../model/argo/template.js";
import { isPodKind, kindOf } from "../template/kind.js";
import type { KnownGlobals, KnownNodes, Offer } from "./known-names.js";

export function offerOf(template: Template): Offer {
  return {
    kind: kindOf(template),
    daemon: template.daemon === true,
    result: hasResult(template),
    parameters: new Set((template.outputs?.parameters ?? []).map(({ name }) => name)),
    artifacts: new Set((template.outputs?.artifacts ?? []).map(({ name }) => name)),
  };
}

function hasResult(template: Template): boolean {
  const kind = kindOf(template);
  if (kind === "containerSet") return (template.containerSet?.containers ?? []).some(({ name }) => name === "main");
  return kind === "container" || kind === "script" || kind === "data" || kind === "http" || kind === "plugin";
}

/** Argo's "leaf": all but steps, dag and suspend. */
export function isLeaf(template: Template): boolean {
  const kind = kindOf(template);
  return isPodKind(kind) || kind === "http" || kind === "plugin";
}

const TAG = /\{\{[-a-zA-Z0-9]+(\.[-a-zA-Z0-9_]+)*\}\}/;

/** Argo's test of whether a name is given by a variable. */
export function holdsVariable(text: string): boolean {
  return TAG.test(text);
}

/** The outputs that a template exports to the workflow are known from here on. */
export function addExports(template: Template, globals: KnownGlobals, nodes: KnownNodes): void {
  for (const { globalName = "" } of template.outputs?.parameters ?? []) {
    if (globalName === "") continue;
    if (holdsVariable(globalName)) nodes.anyParameterExported = true;
    else globals.exportedParameters.add(globalName);
  }
  for (const { globalName = "" } of template.outputs?.artifacts ?? []) {
    if (globalName === "") continue;
    if (holdsVariable(globalName)) nodes.anyArtifactExported = true;
    else globals.exportedArtifacts.add(globalName);
  }
}

export function exportsDynamicArtifact(template: Template): boolean {
  return (template.outputs?.artifacts ?? []).some(
    ({ globalName = "" }) => globalName !== "" && holdsVariable(globalName),
  );
}
