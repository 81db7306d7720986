/** What was told, and what the engine made of it, in a line each. */

import type { DemandOutcome, TaskResultView } from "../../../src/core/engine/contract.js";
import type { Change } from "../../../src/core/engine/index.js";
import type { NodeId, NodeStatus } from "../../../src/core/model/argo/node.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import type { PodView } from "../../../src/core/podlife/index.js";

type NameOf = (id: NodeId) => string;

export function changeText(change: Change, workflow: Workflow): string {
  const name: NameOf = (id) => workflow.status?.nodes?.[id]?.name ?? id;
  switch (change.kind) {
    case "pod":
      return podText(change.view, name);
    case "pod-gone":
      return `pod of ${name(change.nodeId)} (${change.uid}) is gone`;
    case "host-lost":
      return `machine of ${name(change.nodeId)} (${change.uid}) does not answer`;
    case "task-result":
      return reportText(change.result, name);
    case "workflow":
      return `spec: shutdown ${change.workflow.spec.shutdown ?? "no"}, suspend ${change.workflow.spec.suspend ?? "no"}`;
    case "observed":
      return "that is all there is";
    case "outcome":
      return outcomeText(change.outcome, name);
  }
}

function podText({ nodeId, uid, phase, reason, deletionTimestamp }: PodView, name: NameOf): string {
  const going = deletionTimestamp === undefined ? "" : ", going";
  return `pod of ${name(nodeId)} (${uid}): ${phase}${reason === undefined ? "" : ` (${reason})`}${going}`;
}

function reportText({ nodeId, outputs, completed, final }: TaskResultView, name: NameOf): string {
  const last = final ? "nothing more will come" : "so far";
  return `report of ${name(nodeId)}: ${JSON.stringify(outputs ?? {})}, ${completed ? "complete" : last}`;
}

function outcomeText(outcome: DemandOutcome, name: NameOf): string {
  const of = outcome.demand === "create-pod" ? name(outcome.nodeId) : outcome.name;
  return `${outcome.demand} of ${of}: ${outcome.result.kind}`;
}

/** Nodes first, then the workflow. */
export function* changedTexts(before: Workflow, after: Workflow): Generator<string> {
  for (const [id, node] of Object.entries(after.status?.nodes ?? {})) {
    const was = before.status?.nodes?.[id];
    if (was !== node)
      yield `${node.name} (${node.type}): ${was === undefined ? "" : `${textOf(was)} -> `}${textOf(node)}`;
  }
  const [was, is] = [before.status ?? {}, after.status ?? {}];
  if (was.phase !== is.phase || was.message !== is.message) yield `workflow: ${is.phase} ${is.message ?? ""}`;
}

function textOf({ phase, message, daemoned }: NodeStatus): string {
  return `${phase}${daemoned === true ? " as daemon" : ""}${message === undefined ? "" : ` (${message})`}`;
}
