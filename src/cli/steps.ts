/** A step named on the command line: by pod, node ID, display name (with what leads there, as its lines are labelled) or template. */

import type { NodeId, NodeStatus } from "../core/model/argo/node.js";
import type { Workflow } from "../core/model/argo/workflow.js";
import { nearestName } from "../core/model/index.js";
import { podNameOfNode } from "../core/operations/index.js";
import { compareUtf8 } from "../core/std/order.js";
import { notFound } from "./errors.js";
import { compareNodes } from "./print/tree/node-index.js";
import { namesOf } from "./session/step-names.js";

/** A node that has (or had) a pod. */
export interface Step {
  readonly node: NodeStatus;
  readonly pod: string;
}

/** All steps with pods, in the order of their start. Of one second's, what led to another comes first. */
export function stepsOf(workflow: Workflow): readonly Step[] {
  const nodes = Object.values(workflow.status?.nodes ?? {});
  const depths = depthsOf(nodes);
  const depth = ({ id }: NodeStatus): number => depths.get(id) ?? 0;
  return nodes
    .filter((node) => node.type === "Pod")
    .sort((a, b) => compareUtf8(a.startedAt ?? "", b.startedAt ?? "") || depth(a) - depth(b) || compareNodes(a, b))
    .map((node) => ({ node, pod: podNameOfNode(workflow.metadata.name ?? "", node) }));
}

/** False where the API refused its pod, or was never asked for one: who is on no machine has no files and no log. */
export function hasRun({ hostNodeName = "" }: NodeStatus): boolean {
  return hostNodeName !== "";
}

/** How many nodes, at most, lead to each. */
function depthsOf(nodes: readonly NodeStatus[]): ReadonlyMap<NodeId, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parentsLeft = new Map<NodeId, number>();
  for (const child of nodes.flatMap(({ children = [] }) => children)) {
    parentsLeft.set(child, (parentsLeft.get(child) ?? 0) + 1);
  }
  const depths = new Map<NodeId, number>();
  const ready = nodes.filter(({ id }) => !parentsLeft.has(id));
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    const next = (depths.get(node.id) ?? 0) + 1;
    for (const id of node.children ?? []) {
      depths.set(id, Math.max(next, depths.get(id) ?? 0));
      const left = (parentsLeft.get(id) ?? 0) - 1;
      parentsLeft.set(id, left);
      const child = byId.get(id);
      if (left === 0 && child !== undefined) ready.push(child);
    }
  }
  return depths;
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
