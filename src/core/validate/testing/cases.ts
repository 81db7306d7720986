/** What the tests of validation share: YAML in, problems as lines out. */

import { decodeResource, type KnownResource, readDocuments } from "../../model/index.js";
import type { KubeObject } from "../../model/kube/meta.js";
import type { Problem } from "../../std/problem.js";
import type { ResourceFacts, ResourceNeed } from "../../template/lookup.js";
import { type ValidateMode, type Validation, validateResource } from "../index.js";

/** A rule's case: a spec that is right, one that is wrong, and the lines for that one. */
export type RuleCase = readonly [rule: string, right: string, wrong: string, lines: readonly string[]];

/** Documents of a resource's YAML without apiVersion; one without kind is a workflow's spec. */
export function resourcesOf(text: string): KnownResource[] {
  const documents = text.split(/^---$/m).map((part) => `apiVersion: argoproj.io/v1alpha1\n${withKind(part)}`);
  return readDocuments(documents.join("\n---\n"), "w.yaml").documents.map((document) => {
    const { value, problems } = decodeResource(document);
    if (value === undefined) throw new Error(problems.map(({ message }) => message).join("; "));
    return value;
  });
}

function withKind(text: string): string {
  if (/^kind:/m.test(text)) return text;
  return `kind: Workflow\nmetadata: {name: w}\nspec:\n${text.replace(/^/gm, "  ")}`;
}

/** Resources by kind and name; what is not among them does not exist. */
export function factsOf(resources: readonly KubeObject[]): ResourceFacts {
  const kinds: Readonly<Record<ResourceNeed["kind"], string>> = {
    "workflow-template": "WorkflowTemplate",
    "cluster-workflow-template": "ClusterWorkflowTemplate",
    "config-map": "ConfigMap",
  };
  return {
    get: (need) =>
      resources.find(({ kind, metadata }) => kind === kinds[need.kind] && metadata.name === need.name) ?? null,
  };
}

/** Of the first document; the others are what it may refer to. */
export function validationOf(spec: string, mode?: ValidateMode): Validation {
  const [first, ...others] = resourcesOf(spec);
  if (first === undefined) throw new Error("no document");
  return validateResource(first, { facts: factsOf(others), ...(mode === undefined ? {} : { mode }) });
}

export function linesOf(spec: string, mode?: ValidateMode): string[] {
  return validationOf(spec, mode).problems.map(lineOf);
}

/** `error cycle spec.x: message | hint: … | argo: …`; errors of Argo's own only, where there is no hint. */
export function lineOf({ severity, code, path, message, hint, argo }: Problem): string {
  const parts = [`${severity} ${code} ${path}: ${message}`];
  if (hint !== undefined) parts.push(`hint: ${hint}`);
  if (argo !== undefined) parts.push(`argo: ${argo}`);
  return parts.join(" | ");
}
