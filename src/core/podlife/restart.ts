/** A pod that failed before main began, through no fault of the step, may be made again (Argo 4.1 behaviour 5.11). */

import type { NodeStatus } from "../model/argo/node.js";
import type { Template } from "../model/argo/template.js";
import { rolesFor } from "./containers.js";
import type { PodView } from "./view.js";

export interface RestartPolicy {
  /** config failedPodRestart.maxRestarts; Argo's default is 3, and 0 switches it off. */
  readonly maxRestarts: number;
}

export interface Restart {
  /** The node goes back to Pending with this, `failedPodRestarts` + 1, and `restartingPodUID` = the pod's. */
  readonly message: string;
  readonly failedPodRestarts: number;
  readonly restartingPodUID: string;
}

const RESTARTABLE_REASONS = ["Evicted", "NodeShutdown", "NodeAffinity", "UnexpectedAdmissionError"];

/** What a restart makes of the node; undefined when the failure stands. */
export function restartOf(
  view: PodView,
  node: NodeStatus,
  template: Template | undefined,
  policy: RestartPolicy,
): Restart | undefined {
  const restarts = node.failedPodRestarts ?? 0;
  if (view.phase !== "Failed" || restarts >= policy.maxRestarts) return undefined;
  if (view.reason === undefined || !RESTARTABLE_REASONS.includes(view.reason)) return undefined;
  if (mainStarted(view, template)) return undefined;
  return {
    message: `Pod auto-restarting due to ${view.reason}: ${view.message ?? ""}`,
    failedPodRestarts: restarts + 1,
    restartingPodUID: view.uid,
  };
}

/** A main that ran, even for a moment, is an attempt: it is never repeated without retryStrategy. */
function mainStarted(view: PodView, template: Template | undefined): boolean {
  const roleOf = rolesFor(template);
  return view.containers.some((container) => {
    if (roleOf(container) !== "main") return false;
    const { state, restartCount } = container;
    return (
      restartCount > 0 || state.kind === "running" || (state.kind === "terminated" && state.startedAt !== undefined)
    );
  });
}
