/** Why a failed pod failed: the node's phase and message (Argo 4.1 behaviour 5.10). */

import { allContainers, exitCodeOf, type RoleOf, rolesFor } from "./containers.js";
import type { ContainerView, PodView } from "./view.js";

export interface Verdict {
  readonly phase: "Succeeded" | "Failed" | "Error";
  readonly message: string | undefined;
}

/** The kubelet never saw this container end: machine or owner process were lost. Always an Error, so OnError retries. */
const STATUS_UNKNOWN = "ContainerStatusUnknown";
/** The init-less layout's main says with it that the supervisor failed before main began. */
const SUPERVISOR_FAILED = 65;
const KILLED = [137, 143];

/** What the containers of a pod in phase Failed say. Succeeded only if main and the executor ended with 0. */
export function failureOf(view: PodView, roleOf: RoleOf): Verdict {
  if (view.message !== undefined) {
    const lost = view.containers.some((one) => roleOf(one) === "main" && endReason(one) === STATUS_UNKNOWN);
    return { phase: lost ? "Error" : "Failed", message: view.message };
  }
  if (view.containers.every(({ state }) => state.kind === "unknown")) {
    return { phase: "Failed", message: `can't find failed message for pod ${view.name} namespace ${view.namespace}` };
  }
  for (const container of inOrderOfBlame(view, roleOf)) {
    const verdict = blame(container, roleOf);
    if (verdict !== undefined) return verdict;
  }
  return withoutCulprit(view, roleOf);
}

/**
 * A pod in phase Failed whose work was done: only sidecars were killed. Its template need not be known: several main
 * containers, with names of their own, count as not done.
 */
export function isPodOfDoneStep(view: PodView): boolean {
  return failureOf(view, rolesFor(undefined)).phase === "Succeeded";
}

/** Each container of a pod in phase Failed ended well, or was told to end: all that a daemon ever does. */
export function wasOnlyEnded(view: PodView): boolean {
  if (view.message !== undefined) return false;
  return allContainers(view).every((container) => {
    const code = exitCodeOf(container);
    return code === 0 || (code !== undefined && KILLED.includes(code) && endReason(container) !== "OOMKilled");
  });
}

/** `main: Error (exit code 1)`, with the termination message behind it if there is one; undefined for exit 0. */
export function exitMessage(container: ContainerView): string | undefined {
  const { state } = container;
  if (state.kind !== "terminated" || state.exitCode === 0) return undefined;
  const text = `${container.name}: ${state.reason} (exit code ${state.exitCode})`;
  return state.message === "" ? text : `${text}: ${state.message}`;
}

function endReason({ state }: ContainerView): string | undefined {
  return state.kind === "terminated" ? state.reason : undefined;
}

function inOrderOfBlame(view: PodView, roleOf: RoleOf): readonly ContainerView[] {
  const mains = view.containers.filter((container) => roleOf(container) === "main");
  const executors = view.containers.filter((container) => roleOf(container) === "executor");
  const others = view.containers.filter((container) => !mains.includes(container) && !executors.includes(container));
  const blamesSupervisor = mains.some((main) => exitCodeOf(main) === SUPERVISOR_FAILED);
  const order = blamesSupervisor ? [...executors, ...mains] : [...mains, ...executors];
  return [...view.initContainers, ...order, ...others];
}

function blame(container: ContainerView, roleOf: RoleOf): Verdict | undefined {
  const { state } = container;
  if (state.kind === "waiting") {
    const cause = `${state.reason}: ${state.message}`;
    return { phase: "Error", message: `Pod failed before ${container.name} container starts due to ${cause}` };
  }
  const message = exitMessage(container);
  if (state.kind !== "terminated" || message === undefined) return undefined;
  if (roleOf(container) === "other") {
    // A sidecar that was signalled because main had ended is no failure.
    return KILLED.includes(state.exitCode) ? undefined : { phase: "Failed", message };
  }
  const isMain = roleOf(container) === "main";
  return { phase: isMain && state.reason !== STATUS_UNKNOWN ? "Failed" : "Error", message };
}

/** No container says why. Never Succeeded without a main that ended with 0 (lessons A-25). */
function withoutCulprit(view: PodView, roleOf: RoleOf): Verdict {
  const endedWell = (role: "main" | "executor"): boolean =>
    view.containers.filter((container) => roleOf(container) === role).every((one) => exitCodeOf(one) === 0);
  const hasMain = view.containers.some((container) => roleOf(container) === "main");
  const main = hasMain && endedWell("main");
  // A pod of ours that has nothing to report has no executor: then there is none that could have failed.
  const executor = endedWell("executor");
  if (main && executor) return { phase: "Succeeded", message: undefined };
  if (main) return { phase: "Failed", message: "pod failed: wait container did not complete successfully" };
  if (executor) return { phase: "Failed", message: "pod failed: main container did not complete successfully" };
  return { phase: "Failed", message: "pod failed: neither main nor wait container completed successfully" };
}

/** Pod reasons that tell of the cluster taking the pod away, not of the step failing (lessons A-23). */
const DISRUPTION_REASONS = [
  "Evicted",
  "NodeShutdown",
  "NodeLost",
  "NodeAffinity",
  "Preempting",
  "Preempted",
  "Shutdown",
  "Terminated",
  "UnexpectedAdmissionError",
];

/** The cluster took the pod away: a reason of it, or the condition DisruptionTarget. */
export function isDisrupted(view: PodView): boolean {
  if (view.reason !== undefined && DISRUPTION_REASONS.includes(view.reason)) return true;
  return view.conditions.some(({ type, status }) => type === "DisruptionTarget" && status === "True");
}

/** Main ended by itself with a failure, before or in spite of a disruption: that stays Failed. */
export function failedByItself(view: PodView, roleOf: RoleOf): boolean {
  return allContainers(view).some((container) => {
    const code = exitCodeOf(container);
    return roleOf(container) === "main" && code !== undefined && code !== 0 && !KILLED.includes(code);
  });
}
