/** A step named on the command line: by pod, node ID, display name (with what leads there, as its lines are labelled) or template. */

import type { NodeStatus } from "../core/model/argo/node.js";
import type { Workflow } from "../core/model/argo/workflow.js";
import { nearestName } from "../core/model/index.js";
import { podNameOfNode } from "../core/operations/index.js";
import { notFound } from "./errors.js";
import { compareNodes } from "./print/tree/node-index.js";
import { namesOf } from "./session/step-names.js";

/** A node that has (or had) a pod. */
export interface Step {
  readonly node: NodeStatus;
  readonly pod: string;
}

/** All steps with pods, in the order of their start. */
export function stepsOf(workflow: Workflow): readonly Step[] {
  return Object.values(workflow.status?.nodes ?? {})
    .filter((node) => node.type === "Pod")
    .sort(compareNodes)
    .map((node) => ({ node, pod: podNameOfNode(workflow.metadata.name ?? "", node) }));
}

/** Those that `name` means: all attempts and all items of a loop where it names the whole. */
export function findSteps(workflow: Workflow, name: string): readonly Step[] {
  const steps = stepsOf(workflow);
  const rules: readonly ((step: Step) => boolean)[] = [
    ({ pod, node }) => pod === name || node.id === name || node.name === name,
    ({ node }) => node.displayName === name,
    ({ node }) => namesOf(workflow, node).includes(name),
    ({ node }) => bareName(node.displayName) === name,
    ({ node }) => node.templateName === name || node.templateRef?.template === name,
  ];
  for (const rule of rules) {
    const found = steps.filter(rule);
    if (found.length > 0) return found;
  }
  const near = nearestName(name, new Set(steps.map(({ node }) => bareName(node.displayName))));
  const all = [...new Set(steps.map(({ node }) => bareName(node.displayName)))].slice(0, 10).join(", ");
  const hint = near === undefined ? `steps are ${all || "not begun yet"}` : `did you mean "${near}"?`;
  throw notFound(`${workflow.metadata.name ?? ""} has no step "${name}"`, hint);
}

/** Without the item of a loop and the number of an attempt. */
function bareName(displayName: string): string {
  return displayName.replace(/(\(\d+(:.*)?\))+$/s, "");
}

/** The step that failed last; else the newest one. */
export function lastFailed(workflow: Workflow): Step | undefined {
  const steps = stepsOf(workflow);
  return steps.findLast(({ node }) => node.phase === "Failed" || node.phase === "Error") ?? steps.at(-1);
}
