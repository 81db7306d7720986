/** `--events`: one line of JSON for each change, the same in every version that says `v: 1`. */

import type { NodeStatus } from "../../core/model/argo/node.js";
import type { WorkflowChange } from "./node-changes.js";

export interface EventLine {
  readonly v: 1;
  /** RFC 3339, milliseconds. */
  readonly t: string;
  readonly type: "workflow" | "node";
  readonly workflow: string;
  /** The node's name: a path, unique in the workflow. */
  readonly node?: string;
  readonly phase: string;
  /** Counted from 1, for the attempts of a retried step. */
  readonly attempt?: number;
  readonly exitCode?: number;
  readonly message?: string;
}

export function eventLine(change: WorkflowChange, workflow: string, now: number): EventLine {
  const t = new Date(now).toISOString();
  if (change.kind === "workflow") {
    const message = change.message === "" ? {} : { message: change.message };
    return { v: 1, t, type: "workflow", workflow, phase: change.phase || "Pending", ...message };
  }
  const { node } = change;
  const attempt = attemptOf(node);
  const exitCode = node.outputs?.exitCode;
  return {
    v: 1,
    t,
    type: "node",
    workflow,
    node: node.name,
    phase: node.phase ?? "Pending",
    ...(attempt === undefined ? {} : { attempt }),
    ...(exitCode === undefined ? {} : { exitCode: Number(exitCode) }),
    ...(node.message ? { message: node.message } : {}),
  };
}

function attemptOf(node: NodeStatus): number | undefined {
  if (node.nodeFlag?.retried !== true) return undefined;
  const match = /\((\d+)\)$/.exec(node.name);
  return match === null ? undefined : Number(match[1]) + 1;
}
