/** How a node's phase may move: a table, phase x event (design: the engine's contract). */

import type { NodePhase, NodeStatus } from "../../model/argo/node.js";
import { isSettled } from "../../podlife/index.js";

export { isSettled };

export type NodeEvent = "wait" | "run" | "succeed" | "fail" | "err";

type Row = Readonly<Partial<Record<NodeEvent, NodePhase>>>;

/**
 * A settled node stays where it is, but for two cases. A hook or exit handler that cannot even begin makes an Error of
 * the node it hangs on (Argo 4.1 behaviour 3.11). A pod that ends after its node was failed from outside tells its own
 * end: the phase stays, the message and exit code are news.
 */
export const transitions: Readonly<Record<NodePhase, Row>> = {
  Pending: { wait: "Pending", run: "Running", succeed: "Succeeded", fail: "Failed", err: "Error" },
  Running: { wait: "Pending", run: "Running", succeed: "Succeeded", fail: "Failed", err: "Error" },
  Succeeded: { succeed: "Succeeded", err: "Error" },
  Failed: { fail: "Failed", err: "Error" },
  Error: { err: "Error" },
  Skipped: { err: "Error" },
  Omitted: { err: "Error" },
};

export const eventOf: Readonly<Record<"Pending" | "Running" | "Succeeded" | "Failed" | "Error", NodeEvent>> = {
  Pending: "wait",
  Running: "run",
  Succeeded: "succeed",
  Failed: "fail",
  Error: "err",
};

export function isCompleted(node: Pick<NodeStatus, "phase">): boolean {
  return node.phase === "Succeeded" || isUnsuccessful(node);
}

export function isUnsuccessful(node: Pick<NodeStatus, "phase">): boolean {
  return node.phase === "Failed" || node.phase === "Error";
}

/** Nothing waits for it any more (Argo 4.1 behaviour 3.3): settled, or a daemon that is up. */
export function isFulfilled(node: NodeStatus): boolean {
  return isSettled(node) || (node.daemoned === true && node.phase !== "Pending");
}
