/** What becomes of a node whose pod does not exist any more, or whose machine does not answer (design: pod lifecycle). */

import type { NodeStatus } from "../model/argo/node.js";
import type { Verdict } from "./failure.js";
import type { PodView } from "./view.js";

/** Argo's words for a node without a pod. */
const podDeletedMessage = "pod deleted";

/**
 * A Pending node was not yet created, or its pod went before it began: undefined, create it. One that ran is lost: an
 * attempt that was seen to run is never made again.
 */
export function assessGonePod(node: NodeStatus): Verdict | undefined {
  return node.phase === "Running" ? { phase: "Error", message: podDeletedMessage } : undefined;
}

const LOST_WITH_HOST = "node lost: ";

/** What a node says whose pod stays Terminating on a machine that does not answer. */
export function nodeLostMessage({ hostNodeName, name }: PodView): string {
  return `${LOST_WITH_HOST}${hostNodeName ?? "unknown"} does not answer, pod ${name} is Terminating beyond its grace`;
}

/** Others may have gone on from that: what its machine tells when it answers again comes too late. */
export function isLostWithHost({ phase, message }: NodeStatus): boolean {
  return phase === "Error" && message?.startsWith(LOST_WITH_HOST) === true;
}
