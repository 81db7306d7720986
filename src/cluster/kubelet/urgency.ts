/** Whether news of a pod must be written at once, or may wait for company. */

import type { PodStatus } from "../../core/model/kube/pod.js";
import { isPodOver } from "../../core/model/kube/pod-phase.js";
import type { Urgency } from "./status-writer.js";

/** An end, a slot that is lacking, a failure to start: at once. That something runs now may wait a moment. */
export function urgencyOf(status: PodStatus, before: PodStatus | undefined): Urgency {
  if (isPodOver(status.phase)) return "now";
  if (status.phase === "Running" && before?.phase === "Running" && isReady(status) !== isReady(before)) return "now";
  const all = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  if (all.some((one) => one.state?.waiting?.message !== undefined)) return "now";
  return status.conditions?.some((one) => one.type === "PodScheduled" && one.status === "False") === true
    ? "now"
    : "soon";
}

function isReady(status: PodStatus): boolean {
  return status.conditions?.find((one) => one.type === "Ready")?.status === "True";
}
