/** Which nodes a changed spec concerns: their own template, or what is passed to them (retry --spec). */

import type { NodeStatus } from "../model/argo/node.js";
import type { Invocation, Template } from "../model/argo/template.js";
import type { WorkflowSpec } from "../model/argo/workflow.js";
import { canonicalJson, jsonEquals } from "../std/json.js";
import { type NodeTree, outerNodes } from "./node-tree.js";

export interface SpecDiff {
  /** What the node does is not what it did. */
  templateChanged(node: NodeStatus): boolean;
  /** What was passed to it, or how often, may not be what it was, or no step names it any more. */
  inputsChanged(node: NodeStatus): boolean;
}

/** Compares texts, not values: what may read a changed parameter counts as changed, so nothing stale is kept. */
export function specDiff(before: WorkflowSpec, after: WorkflowSpec, tree: NodeTree): SpecDiff {
  if (before.entrypoint !== after.entrypoint) return { templateChanged: () => true, inputsChanged: () => true };
  const old = templatesOf(before);
  const now = templatesOf(after);
  const globals = changedParameters(before, after);
  const defaultsChanged = !jsonEquals(before.templateDefaults, after.templateDefaults);
  const templateChanged = memoized((name) => {
    if (name === "") return false;
    const template = now.get(name);
    return (
      defaultsChanged || template === undefined || !jsonEquals(old.get(name), template) || readsAny(template, globals)
    );
  });
  const inputsChanged = (node: NodeStatus): boolean => {
    const parent = compositeAround(tree, node);
    if (parent === undefined) return readsOwnInputs(now.get(node.templateName ?? ""), globals);
    const step = stepName(parent, node);
    const was = invocationOf(old.get(parent.templateName ?? ""), step);
    const is = invocationOf(now.get(parent.templateName ?? ""), step);
    if (!jsonEquals(was, is) || readsAny(is, globals)) return true;
    return inputDefaultsChanged(parent.templateName ?? "") && canonicalJson(is ?? null).includes("inputs.");
  };
  const inputDefaultsChanged = memoized((name) => !jsonEquals(old.get(name)?.inputs, now.get(name)?.inputs));
  return { templateChanged: (node) => templateChanged(node.templateName ?? ""), inputsChanged };
}

/** A loop of 100,000 items compares its template once. */
function memoized(compute: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const value = known.get(name) ?? compute(name);
    known.set(name, value);
    return value;
  };
}

function templatesOf(spec: WorkflowSpec): ReadonlyMap<string, Template> {
  return new Map((spec.templates ?? []).map((template) => [template.name ?? "", template]));
}

/** The names of workflow parameters whose value is new. */
function changedParameters(before: WorkflowSpec, after: WorkflowSpec): readonly string[] {
  const old = new Map((before.arguments?.parameters ?? []).map((one) => [one.name, one]));
  const changed = (after.arguments?.parameters ?? []).filter((one) => !jsonEquals(old.get(one.name), one));
  return changed.map(({ name }) => name);
}

function readsAny(value: unknown, parameters: readonly string[]): boolean {
  if (parameters.length === 0 || value === undefined) return false;
  const text = canonicalJson(value);
  return text.includes("workflow.parameters") && parameters.some((name) => text.includes(name));
}

/** The entrypoint takes its inputs from the workflow's arguments by name. */
function readsOwnInputs(template: Template | undefined, parameters: readonly string[]): boolean {
  return (template?.inputs?.parameters ?? []).some(({ name }) => parameters.includes(name));
}

function compositeAround(tree: NodeTree, node: NodeStatus): NodeStatus | undefined {
  return outerNodes(tree, node).find(({ type }) => type === "Steps" || type === "DAG");
}

interface StepName {
  /** Of a Steps template: in which group it stands. */
  readonly group: number | undefined;
  readonly name: string;
}

/** From `wf[1].a(0:x)(2)` in `wf`: group 1, step `a`. */
function stepName(parent: NodeStatus, node: NodeStatus): StepName {
  const match = /^(?:\[(\d+)\])?\.?([^.([]*)/.exec(node.name.slice(parent.name.length));
  return { group: match?.[1] === undefined ? undefined : Number(match[1]), name: match?.[2] ?? "" };
}

function invocationOf(template: Template | undefined, { group, name }: StepName): Invocation | undefined {
  const candidates: readonly Invocation[] =
    group === undefined ? (template?.dag?.tasks ?? []) : (template?.steps?.[group] ?? []);
  return candidates.find((one) => one.name === name);
}
