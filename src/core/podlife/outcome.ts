/** What a pod says about its node: phase, message and end (Argo 4.1 behaviour 5.9, 5.10). */

import { annotations } from "../model/argo/names.js";
import type { NodeStatus } from "../model/argo/node.js";
import type { Outputs, Template } from "../model/argo/template.js";
import { isPodOver } from "../model/kube/pod-phase.js";
import { rfc3339OfMs } from "../std/time.js";
import {
  allContainers,
  exitCodeOf,
  isRunning,
  lastEndOf,
  mainContainerName,
  type RoleOf,
  rolesFor,
} from "./containers.js";
import { failedByItself, failureOf, isDisrupted, type Verdict } from "./failure.js";
import { nodeLostMessage } from "./lost.js";
import { resourcesDurationOf } from "./resources-duration.js";
import { type TaskResultFacts, type TaskResultState, taskResultStateOf } from "./task-result.js";
import type { PodView } from "./view.js";

export interface AssessContext {
  /** The node as it stands; its outputs already hold what the task result brought. */
  readonly node: NodeStatus;
  /** The node's template as executed; undefined when it is not known any more. */
  readonly template: Template | undefined;
  /** Undefined: none was seen so far. */
  readonly taskResult: TaskResultFacts | undefined;
  /** The pod's outputs.result is captured, so Succeeded must not come without it. */
  readonly includeResult: boolean;
  /** The cluster's node under the pod is gone or not ready, and the pod is Terminating beyond its grace. */
  readonly nodeLost?: boolean;
  /** The pod does not exist any more; the view is the last that was seen of it. */
  readonly podGone?: boolean;
  /** What an eviction or another disruption makes of the node: Argo's Failed (the default), or Error (lessons A-23). */
  readonly disruption?: "Failed" | "Error";
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface PodAssessment {
  readonly phase: "Pending" | "Running" | "Succeeded" | "Failed" | "Error";
  readonly message: string | undefined;
  /** The template is a daemon, and all its containers are ready. */
  readonly daemoned: boolean;
  /** Of a daemon that is up. */
  readonly podIP: string | undefined;
  readonly hostNodeName: string | undefined;
  /** From the pod's annotation; what the executor reported wins. */
  readonly progress: string | undefined;
  /** Of the container `main`, once it has ended; for `outputs.exitCode`. */
  readonly exitCode: string | undefined;
  /** With a completed phase only: the latest end of a container. */
  readonly finishedAt: string | undefined;
  /** With a completed phase only. */
  readonly resourcesDuration: Readonly<Record<string, number>> | undefined;
  /** Why a completed phase is not given yet; it comes with a later pod event or task result. */
  readonly withheld: Withheld | undefined;
}

export type Withheld =
  /** It may be saving outputs. */
  | "executor-running"
  /** The task result is neither complete nor final; `final` needs a live read, now that the pod has ended. */
  | "task-result-open";

/** Total, and the same for the same arguments. A node that was settled for another reason keeps its phase: ask first. */
export function assessPod(view: PodView, context: AssessContext): PodAssessment {
  const roleOf = rolesFor(context.template);
  const verdict = verdictOf(view, context, roleOf);
  const base = {
    daemoned: verdict.daemoned,
    podIP: verdict.daemoned ? view.podIP : undefined,
    hostNodeName: view.hostNodeName,
    progress: view.annotations[annotations.progress],
    exitCode: mainExitCode(view),
  };
  const { phase } = verdict;
  const open = { finishedAt: undefined, resourcesDuration: undefined, ...base };
  if (phase === "Pending" || phase === "Running") {
    const message = phase === "Pending" ? verdict.message : messageAfterPending(context.node, verdict.message);
    return { phase, message, withheld: undefined, ...open };
  }
  const withheld = withheldBy(view, context, roleOf);
  // Running, not the node's Pending: a Pending node without a pod is one that may be created, and this one ran.
  if (withheld !== undefined) return { phase: "Running", message: undefined, withheld, ...open };
  return {
    finishedAt: finishedAtOf(view, context.now),
    resourcesDuration: resourcesDurationOf(view, context.now),
    withheld: undefined,
    ...completed(verdict, view, context),
    ...base,
  };
}

interface LiveVerdict {
  readonly phase: PodAssessment["phase"];
  readonly message: string | undefined;
  readonly daemoned: boolean;
}

function verdictOf(view: PodView, context: AssessContext, roleOf: RoleOf): LiveVerdict {
  const isDaemon = context.template?.daemon === true;
  const settled = (verdict: Verdict): LiveVerdict => ({ daemoned: false, ...verdict });
  if (context.nodeLost === true && !isPodOver(view.phase)) {
    return settled({ phase: "Error", message: nodeLostMessage(view) });
  }
  switch (view.phase) {
    case "Pending":
      return pendingVerdict(view, context);
    case "Running":
      return runningVerdict(view, context, isDaemon);
    case "Succeeded":
      return settled(succeededVerdict(view, isDaemon, roleOf));
    case "Failed":
      return settled(withDisruption(failureOf(view, roleOf), view, context, roleOf));
    case "Unknown":
      return settled({ phase: "Error", message: `Unexpected pod phase for ${view.name}: ${view.phase}` });
  }
}

/** No pod goes back from Running: a view that says Pending of a node that runs is older than what the node tells. */
function pendingVerdict(view: PodView, { node }: AssessContext): LiveVerdict {
  if (node.phase !== "Running") return { phase: "Pending", message: pendingMessage(view), daemoned: false };
  return { phase: "Running", message: undefined, daemoned: node.daemoned === true };
}

/** A daemon counts as up only when each container is ready; until then its node stays as it is. */
function runningVerdict(view: PodView, { node }: AssessContext, isDaemon: boolean): LiveVerdict {
  if (!isDaemon) return { phase: "Running", message: undefined, daemoned: false };
  if (view.containers.every(({ ready }) => ready)) return { phase: "Running", message: undefined, daemoned: true };
  const phase = node.phase === "Pending" ? "Pending" : "Running";
  return { phase, message: phase === "Pending" ? node.message : undefined, daemoned: node.daemoned === true };
}

function succeededVerdict(view: PodView, isDaemon: boolean, roleOf: RoleOf): Verdict {
  // Argo leaves the message of a daemon that ended with 0 empty; ours says what happened (lessons G.3, 9).
  if (isDaemon) return { phase: "Failed", message: "daemon ended (exit code 0) while it was still needed" };
  const ended = view.containers.some((one) => roleOf(one) === "main" && exitCodeOf(one) === 0);
  return ended ? { phase: "Succeeded", message: undefined } : failureOf(view, roleOf);
}

function withDisruption(verdict: Verdict, view: PodView, { disruption }: AssessContext, roleOf: RoleOf): Verdict {
  const isError = disruption === "Error" && isDisrupted(view) && !failedByItself(view, roleOf);
  return isError && verdict.phase === "Failed" ? { ...verdict, phase: "Error" } : verdict;
}

/** The first waiting container's reason, else why the scheduler found no place (Argo 4.1 behaviour 5.9). */
function pendingMessage(view: PodView): string | undefined {
  for (const { state } of view.containers) {
    if (state.kind === "waiting") return state.message === "" ? state.reason : `${state.reason}: ${state.message}`;
  }
  const unschedulable = view.conditions.find(({ reason }) => reason === "Unschedulable");
  if (unschedulable === undefined) return undefined;
  return unschedulable.message ? `Unschedulable: ${unschedulable.message}` : "Unschedulable";
}

/** Leaving Pending clears what the node said while it waited; a message that someone else set stays. */
function messageAfterPending(node: NodeStatus, message: string | undefined): string | undefined {
  return node.phase === "Pending" ? message : (message ?? node.message);
}

/** Of a pod that ended without saying so, as on a lost machine, nobody looks for a last report: it is not waited for. */
function withheldBy(view: PodView, context: AssessContext, roleOf: RoleOf): Withheld | undefined {
  if (!isPodOver(view.phase)) return undefined;
  const executorRuns = view.containers.some((one) => roleOf(one) === "executor" && isRunning(one));
  if (executorRuns && view.phase !== "Failed" && context.podGone !== true) return "executor-running";
  return taskResultStateOf(view, context.taskResult) === "open" ? "task-result-open" : undefined;
}

function completed(
  verdict: LiveVerdict,
  view: PodView,
  context: AssessContext,
): Pick<PodAssessment, "phase" | "message"> {
  if (verdict.phase !== "Succeeded") return { phase: verdict.phase, message: verdict.message };
  const state = taskResultStateOf(view, context.taskResult);
  const missing = missingOutputs(context, state);
  if (missing.length === 0) return { phase: "Succeeded", message: undefined };
  return { phase: "Error", message: `outputs were not reported: ${missing.join(", ")}` };
}

/** A Succeeded node has what its template promises; only a report that was cut short can leave something out. */
function missingOutputs({ node, template, includeResult }: AssessContext, state: TaskResultState): readonly string[] {
  if (state !== "cut-short") return [];
  const has = node.outputs;
  const missing = (template?.outputs?.parameters ?? [])
    .filter(({ name, valueFrom }) => valueFrom?.path !== undefined && !hasParameter(has, name))
    .map(({ name }) => `parameter ${name}`);
  const artifacts = (template?.outputs?.artifacts ?? [])
    .filter(({ name, optional }) => optional !== true && !(has?.artifacts ?? []).some((one) => one.name === name))
    .map(({ name }) => `artifact ${name}`);
  const result = includeResult && has?.result === undefined ? ["result"] : [];
  return [...missing, ...artifacts, ...result];
}

function hasParameter(outputs: Outputs | undefined, name: string): boolean {
  return (outputs?.parameters ?? []).some((one) => one.name === name && one.value !== undefined);
}

function mainExitCode(view: PodView): string | undefined {
  const main = view.containers.find(({ name }) => name === mainContainerName);
  const code = main === undefined ? undefined : exitCodeOf(main);
  return code === undefined ? undefined : String(code);
}

/** The latest end of a container; now, while one still runs or none has told its end. */
function finishedAtOf(view: PodView, now: number): string {
  const containers = allContainers(view);
  if (containers.some(isRunning)) return rfc3339OfMs(now);
  return rfc3339OfMs(lastEndOf(containers) ?? now);
}
