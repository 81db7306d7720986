/** What becomes of a node whose pod does not exist any more (design: status before demands). */

import type { NodeStatus } from "../model/argo/node.js";
import type { Verdict } from "./failure.js";

/** Argo's words for a node without a pod. */
const podDeletedMessage = "pod deleted";

/**
 * A Pending node was not yet created, or its pod went before it began: undefined, create it. One that ran is lost: an
 * attempt that was seen to run is never made again.
 */
export function assessGonePod(node: NodeStatus): Verdict | undefined {
  return node.phase === "Running" ? { phase: "Error", message: podDeletedMessage } : undefined;
}
