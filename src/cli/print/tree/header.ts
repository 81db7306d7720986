/** The tree's first line: name, phase and age, runtime, pods, slots. */

import type { NodeStatus } from "../../../core/model/argo/node.js";
import type { Workflow } from "../../../core/model/argo/workflow.js";
import { timeOf, twoUnits } from "../duration.js";
import type { TreeItem } from "./item.js";

export interface HeaderFacts {
  readonly workflow: Workflow;
  /** `docker`, `host`. */
  readonly runtime: string;
  /** Pods running at once, and how many may; null is no limit. */
  readonly slots: { readonly used: number; readonly max: number } | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Tasks that have no node yet. */
  readonly notBegun: number;
  /** What Ctrl-C did so far. */
  readonly stopping: "no" | "stopping" | "terminating";
}

/** Parts, most important first; the renderer joins as many as fit. */
export function headerParts(facts: HeaderFacts): readonly string[] {
  const { workflow, slots } = facts;
  const { done, total } = podCounts(workflow);
  const parts = [`${workflow.metadata.name ?? ""}  ${phaseText(facts)}`];
  const isOver = timeOf(workflow.status?.finishedAt) !== undefined;
  if (!isOver && facts.stopping !== "no") parts.push(NEXT[facts.stopping]);
  parts.push(facts.runtime);
  if (total + facts.notBegun > 1) parts.push(`pods ${done} of ${total + facts.notBegun} done`);
  if (slots !== null && slots.used >= slots.max) parts.push(`slots ${slots.used} of ${slots.max}`);
  return parts;
}

const NEXT = { stopping: "Ctrl-C again terminates", terminating: "Ctrl-C again leaves at once" } as const;

const STOPPING = { stopping: "Stopping", terminating: "Terminating" } as const;

function phaseText({ workflow, now, stopping }: HeaderFacts): string {
  const status = workflow.status;
  const ended = timeOf(status?.finishedAt) !== undefined;
  const phase = ended || stopping === "no" ? status?.phase || "Pending" : STOPPING[stopping];
  const began = timeOf(status?.startedAt) ?? timeOf(workflow.metadata.creationTimestamp) ?? now;
  const suspended = phase === "Running" && workflow.spec.suspend === true ? " (suspended)" : "";
  return `${phase}${suspended} ${twoUnits((timeOf(status?.finishedAt) ?? now) - began)}`;
}

/** Pod nodes that have ended, and all there are. */
export function podCounts(workflow: Workflow): { readonly done: number; readonly total: number } {
  const pods = Object.values(workflow.status?.nodes ?? {}).filter((node) => node.type === "Pod");
  return { done: pods.filter(hasEnded).length, total: pods.length };
}

/** Of the tasks shown, those that have no node yet; a loop without a node of its own has those of its items. */
export function countNotBegun(items: readonly TreeItem[]): number {
  return items.filter(({ id, kind, label }) => id === "" && kind !== "loop" && label !== "onExit").length;
}

export function hasEnded(node: NodeStatus): boolean {
  return node.phase !== undefined && node.phase !== "Pending" && node.phase !== "Running";
}
