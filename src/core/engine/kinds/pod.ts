/** Container and script: one pod for the node, and what its end means (Argo 4.1 behaviour 5.9). */

import type { NodeStatus } from "../../model/argo/node.js";
import type { Outputs } from "../../model/argo/template.js";
import {
  assessGonePod,
  assessPod,
  isLostWithHost,
  type PodAssessment,
  type PodView,
  restartOf,
} from "../../podlife/index.js";
import type { TaskResultView } from "../contract.js";
import { unplacedFor } from "../deadlines.js";
import { DEADLINE, shutdownMessage } from "../from-outside.js";
import { hasEnded, isLeftBehind } from "../late.js";
import { createNode, markNode, type NodeChange, updateNode } from "../nodes/change.js";
import { isSettled } from "../nodes/phases.js";
import { parseProgress } from "../nodes/progress.js";
import { type At, type Executed, isPastDeadline, mayExecute, type Pass, shutdownOf } from "../pass.js";
import type { Kind } from "./kind.js";
import { demandPod } from "./pod-demand.js";
import { readsResult } from "./result-readers.js";

export const podKind: Kind = { begin, proceed, wants: demandPod };

function begin({ pass, frame, template }: At): NodeStatus {
  return createNode(pass, frame.call, { type: "Pod", phase: "Pending", template });
}

function proceed(at: At, node: NodeStatus): Executed {
  if (isLostWithHost(node)) return { node };
  const { pass } = at;
  const view = pass.observations.pods.get(node.id);
  const reported = withTaskResult(at, node);
  const seen = view === undefined ? withoutPod(at, reported) : withPod(at, reported, view);
  if (isSettled(seen)) return { node: seen };
  return { node: endedFromOutside(at, seen, view) };
}

/** What the executor reported goes to the node; the exit code is the pod's to tell. */
function withTaskResult({ pass }: At, node: NodeStatus): NodeStatus {
  const result = pass.observations.results.get(node.id);
  if (result === undefined) return node;
  return updateNode(pass, node, reportedBy(result, node));
}

function reportedBy(result: TaskResultView, node: NodeStatus): NodeChange {
  const outputs = outputsOf(result.outputs, node.outputs?.exitCode);
  const isProgress = result.progress !== undefined && parseProgress(result.progress) !== undefined;
  return {
    ...(outputs === undefined ? {} : { outputs }),
    ...(isProgress && result.progress !== undefined ? { progress: result.progress } : {}),
  };
}

function outputsOf(reported: Outputs | undefined, exitCode: string | undefined): Outputs | undefined {
  if (reported === undefined) return undefined;
  const outputs = { ...reported, ...(exitCode === undefined ? {} : { exitCode }) };
  return Object.keys(outputs).length === 0 ? undefined : outputs;
}

function withPod(at: At, node: NodeStatus, view: PodView): NodeStatus {
  const { pass, template } = at;
  if (isLeftBehind(view, node)) return node;
  const restart = restartOf(view, node, template, { maxRestarts: pass.options.podRestartsMax ?? 0 });
  if (restart !== undefined) {
    const { message, failedPodRestarts, restartingPodUID } = restart;
    return updateNode(pass, node, { phase: "Pending", message, failedPodRestarts, restartingPodUID });
  }
  const result = pass.observations.results.get(node.id);
  const { disruption } = pass.options;
  const podGone = pass.observations.gone.has(node.id);
  const assessment = assessPod(view, {
    node,
    template,
    taskResult: result === undefined ? undefined : { completed: result.completed, final: result.final },
    includeResult: readsResult(at),
    nodeLost: pass.observations.hostsLost.has(view.uid),
    podGone,
    now: pass.now,
    ...(disruption === undefined ? {} : { disruption }),
  });
  const seen = updateNode(pass, node, changeBy(assessment, node, result?.progress !== undefined));
  return podGone && !hasEnded(view) ? whenGone(pass, seen) : seen;
}

function changeBy(assessment: PodAssessment, node: NodeStatus, hasReportedProgress: boolean): NodeChange {
  const { phase, message, daemoned, exitCode, progress } = assessment;
  const { podIP, hostNodeName, finishedAt, resourcesDuration } = assessment;
  return {
    phase,
    message: message ?? "",
    daemoned,
    ...(exitCode === undefined ? {} : { outputs: { ...node.outputs, exitCode } }),
    // What the executor reported wins over the pod's annotation.
    ...(progress === undefined || hasReportedProgress ? {} : { progress }),
    // Fields without a value leave the node's as they are.
    ...(podIP === undefined ? {} : { podIP }),
    ...(hostNodeName === undefined ? {} : { hostNodeName }),
    ...(finishedAt === undefined ? {} : { finishedAt }),
    ...(resourcesDuration === undefined ? {} : { resourcesDuration }),
  };
}

/** No pod was seen: not made yet, or lost. Only a complete look, or a deletion seen, says that there is none. */
function withoutPod({ pass }: At, node: NodeStatus): NodeStatus {
  const { observations } = pass;
  const isGone = observations.gone.has(node.id);
  const isUnknown = !observations.isComplete || observations.podCreates.has(node.id);
  return !isGone && isUnknown ? node : whenGone(pass, node);
}

function whenGone(pass: Pass, node: NodeStatus): NodeStatus {
  const lost = assessGonePod(node);
  if (lost === undefined) return node;
  return updateNode(pass, node, { phase: lost.phase, message: lost.message ?? "", daemoned: false });
}

/**
 * Shutdown and the workflow's deadline end a node at once; its pod follows (Argo 4.1 behaviour 3.13, 3.24). A daemon that
 * is up has done its part: it ends with the template around it, and is not to blame.
 */
function endedFromOutside(at: At, node: NodeStatus, view: PodView | undefined): NodeStatus {
  const { pass, frame } = at;
  if (node.daemoned === true) return node;
  if (hasEnded(view) && !isLeftBehind(view, node)) return node;
  const hasPod = view !== undefined || pass.observations.podCreates.get(node.id)?.kind === "created";
  if (!mayExecute(pass, frame.call.onExit)) {
    return markNode(pass, node, "Failed", shutdownMessage(shutdownOf(pass) ?? "", hasPod ? "has a pod" : "has no pod"));
  }
  if (isPastDeadline(pass) && !frame.call.onExit) return markNode(pass, node, "Failed", DEADLINE);
  const unplaced = unplacedFor(at, view);
  return unplaced === undefined ? node : markNode(pass, node, "Failed", unplaced);
}
