/** The workflow's own phase, conditions, labels and sums (Argo 4.1 behaviour 3.3, 3.21, 3.23, 3.30). */

import type { FinalPhase } from "../model/argo/final-phase.js";
import { labels } from "../model/argo/names.js";
import type { WorkflowCondition } from "../model/argo/workflow.js";
import { plain } from "../std/plain.js";
import { endAllDaemons } from "./kinds/daemons.js";
import { settleAll } from "./leftovers.js";
import { updateNode } from "./nodes/change.js";
import { isExecutable, ProgressSums, printProgress, progressOf } from "./nodes/progress.js";
import type { Pass } from "./pass.js";
import { setResourceSums } from "./resource-sums.js";

export function markRunning(pass: Pass): void {
  pass.status = {
    ...plain,
    ...pass.status,
    phase: "Running",
    startedAt: pass.status.startedAt ?? pass.timestamp,
  };
  pass.labels[labels.phase] = "Running";
  pass.labels[labels.completed] = "false";
}

/** Ends the workflow; what still runs in it is settled, so that nothing stays Running in what has ended. */
export function finishWorkflow(pass: Pass, phase: FinalPhase, message: string | undefined): void {
  endAllDaemons(pass);
  settleEntry(pass, phase);
  settleAll(pass);
  const { message: _old, ...rest } = pass.status;
  const now = pass.timestamp;
  pass.status = {
    ...rest,
    phase,
    startedAt: rest.startedAt ?? now,
    finishedAt: now,
    ...(message === undefined || message === "" ? {} : { message }),
  };
  setCondition(pass, { type: "Completed", status: "True" });
  pass.labels[labels.phase] = phase;
  pass.labels[labels.completed] = "true";
  setAllProgress(pass);
  setResourceSums(pass);
}

/** An Error that no node caused stands on the entry node too. */
function settleEntry(pass: Pass, phase: FinalPhase): void {
  const entry = pass.nodes.named(pass.workflow.metadata.name ?? "");
  if (phase !== "Error" || entry?.phase !== "Running") return;
  updateNode(pass, entry, { phase: "Error", message: "Workflow operation error" });
}

/** In the place of the one of its type: how often it changed does not show. */
export function setCondition(pass: Pass, condition: WorkflowCondition): void {
  const before = pass.status.conditions ?? [];
  const isKnown = before.some(({ type }) => type === condition.type);
  const conditions = isKnown
    ? before.map((one) => (one.type === condition.type ? condition : one))
    : [...before, condition];
  pass.status = { ...plain, ...pass.status, conditions };
}

/** What follows from the nodes as they stand after the pass. */
export function sumUp(pass: Pass): void {
  const progress = printProgress(pass.nodes.progress);
  if (progress !== pass.status.progress) pass.status = { ...plain, ...pass.status, progress };
  setPodRunning(pass);
}

function setPodRunning(pass: Pass): void {
  const before = pass.status.conditions?.find(({ type }) => type === "PodRunning");
  const status = pass.nodes.runningPods > 0 ? "True" : "False";
  if (before?.status === status || (before === undefined && !hasOpenWork(pass))) return;
  setCondition(pass, { type: "PodRunning", status });
}

function hasOpenWork(pass: Pass): boolean {
  return pass.nodes.activePods > 0 || pass.nodes.runningPods > 0;
}

/** Composites sum up what is below them, along all edges; worked out once, at the end. */
function setAllProgress(pass: Pass): void {
  const nodes = [...pass.nodes.all()];
  const sums = new ProgressSums(nodes);
  for (const node of nodes) {
    const progress = isExecutable(node.type) ? printProgress(progressOf(node)) : sums.below(node);
    if (progress !== undefined) updateNode(pass, node, { progress });
  }
}
