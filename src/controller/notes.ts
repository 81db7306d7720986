/** Kubernetes events, computed from the difference of two statuses in one place (Argo 4.1 behaviour 9.7). */

import type { NodePhase, NodeStatus } from "../core/model/argo/node.js";
import type { WorkflowPhase } from "../core/model/argo/workflow.js";
import type { OpenRun } from "./open-runs.js";

export interface Note {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** What of a save changed phase, as events on the workflow: nodes in the order they changed, then the workflow itself. */
export function notesOf(open: OpenRun): readonly Note[] {
  const { nodesBefore, status } = open.unsaved;
  const notes = [...nodesBefore].flatMap(([id, before]) => nodeNotes(before?.phase, open.run.node(id)));
  const { phase } = status;
  return phase === undefined || phase === open.savedStatus.phase
    ? notes
    : [...notes, ...workflowNotes(phase, status.message ?? "")];
}

const silentPhases: ReadonlySet<NodePhase | undefined> = new Set([undefined, "Pending"]);

function nodeNotes(before: NodePhase | undefined, node: NodeStatus | undefined): readonly Note[] {
  if (node?.phase === undefined || node.phase === before || silentPhases.has(node.phase)) return [];
  const note: Note = {
    type: node.phase === "Running" || node.phase === "Succeeded" ? "Normal" : "Warning",
    reason: `WorkflowNode${node.phase}`,
    message: `${node.phase} node ${node.name}${node.message === undefined ? "" : `: ${node.message}`}`,
  };
  const skippedRunning = before === "Pending" && node.phase !== "Running";
  return skippedRunning ? [runningNote(node), note] : [note];
}

/** A node that went from Pending straight to its end was Running in between, though nobody saw it. */
function runningNote(node: NodeStatus): Note {
  return { type: "Normal", reason: "WorkflowNodeRunning", message: `Running node ${node.name}` };
}

function workflowNotes(phase: WorkflowPhase, message: string): readonly Note[] {
  switch (phase) {
    case "Running":
      return [{ type: "Normal", reason: "WorkflowRunning", message: "Workflow Running" }];
    case "Succeeded":
      return [{ type: "Normal", reason: "WorkflowSucceeded", message: "Workflow completed" }];
    case "Failed":
    case "Error":
      return [{ type: "Warning", reason: "WorkflowFailed", message }];
    case "":
    case "Pending":
      return [];
  }
}
