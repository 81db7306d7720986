/** Facts about a pod folded into a few closed choices, so that the table of dispositions can be read and enumerated. */

import { isFinal } from "../model/argo/final-phase.js";
import { labels, podFinalizer } from "../model/argo/names.js";
import type { NodeStatus } from "../model/argo/node.js";
import type { Template } from "../model/argo/template.js";
import type { Workflow } from "../model/argo/workflow.js";
import { isPodOver } from "../model/kube/pod-phase.js";
import { msOfRfc3339 } from "../std/time.js";
import { allContainers, exitCodeOf, hasEnded, isRunning, rolesFor } from "./containers.js";
import type { DispositionFacts, OutcomeState, OwnerState } from "./facts.js";
import { type PodGCVerdict, podGCVerdict } from "./gc.js";
import { isOfEarlierRun, type WorkflowRun } from "./generation.js";
import type { PodView } from "./view.js";

export interface Situation {
  /** Agent, artifact GC: theirs is another life. */
  readonly component: "yes" | "no";
  readonly life: Life;
  readonly deletion: "none" | "asked" | "overdue";
  readonly finalizer: "ours" | "off";
  readonly label: "completed" | "open";
  readonly owner: OwnerState;
  readonly outcome: OutcomeState;
  readonly host: "there" | "lost";
  readonly gc: PodGCVerdict;
}

export type Life =
  /** No machine was chosen: nothing of it can have run. */
  | "unbound"
  /** On a machine, nothing started that we know of. */
  | "bound"
  | "running"
  /** The step is over (and saved its outputs), something beside it still runs. */
  | "leftovers"
  | "ended";

/** A clock of ours may be ahead of the API server's. */
const OVERDUE_SLACK_MS = 10_000;

export function situationOf(facts: DispositionFacts): Situation {
  const { pod, now } = facts;
  return {
    component: pod.labels[labels.component] === undefined ? "no" : "yes",
    life: lifeOf(pod, facts.template),
    deletion: deletionOf(pod, now),
    finalizer: pod.finalizers.includes(podFinalizer) ? "ours" : "off",
    label: pod.labels[labels.completed] === "true" ? "completed" : "open",
    owner: facts.owner,
    outcome: facts.outcome,
    host: facts.hostLost ? "lost" : "there",
    gc: podGCVerdict(facts.podGC, pod.phase === "Succeeded" ? "Succeeded" : "Failed"),
  };
}

export function lifeOf(view: PodView, template: Template | undefined): Life {
  if (isPodOver(view.phase)) return "ended";
  const begun = allContainers(view).some((one) => isRunning(one) || hasEnded(one) || one.restartCount > 0);
  if (!begun) return view.hostNodeName === undefined ? "unbound" : "bound";
  return isOver(view, template) ? "leftovers" : "running";
}

/** Main and executor have ended; or one container of a set failed, and the others run for nothing. */
function isOver(view: PodView, template: Template | undefined): boolean {
  const roleOf = rolesFor(template);
  const mains = view.containers.filter((one) => roleOf(one) === "main");
  const executors = view.containers.filter((one) => roleOf(one) === "executor");
  if (mains.length === 0) return false;
  if (mains.every(hasEnded) && executors.every(hasEnded)) return view.containers.some(isRunning);
  return mains.some(isRunning) && mains.some((one) => (exitCodeOf(one) ?? 0) !== 0);
}

function deletionOf(view: PodView, now: number): Situation["deletion"] {
  if (view.deletionTimestamp === undefined) return "none";
  const due = overdueAt(view);
  // At the very moment for which a recheck was asked it must not be "not yet".
  return due !== undefined && now >= due ? "overdue" : "asked";
}

/** When a deletion counts as overdue: Kubernetes sets deletionTimestamp to the time of the request plus the grace. */
export function overdueAt({ deletionTimestamp }: PodView): number | undefined {
  const due = deletionTimestamp === undefined ? undefined : msOfRfc3339(deletionTimestamp);
  return due === undefined ? undefined : due + OVERDUE_SLACK_MS;
}

/** What is known of the workflow that a pod names as its owner. */
export type OwnerSighting =
  | { readonly kind: "seen"; readonly workflow: Workflow }
  /** A live read found no workflow of that name, or one with another UID. */
  | { readonly kind: "gone" }
  /** Not in the cache, or there with another UID. */
  | { readonly kind: "unseen" };

export function ownerStateOf(view: PodView, sighting: OwnerSighting): OwnerState {
  if (view.ownerUid === undefined) return "none";
  if (sighting.kind === "gone") return "absent";
  if (sighting.kind === "unseen" || sighting.workflow.metadata.uid !== view.ownerUid) return "unproven";
  const { deletionTimestamp, finalizers = [] } = sighting.workflow.metadata;
  if (deletionTimestamp === undefined) return "present";
  return finalizers.includes("orphan") ? "orphaning" : "deleting";
}

/** `node`: as saved, undefined when the workflow has none of that ID; `current`: undefined where there is no workflow. */
export function outcomeStateOf(
  view: PodView,
  node: NodeStatus | undefined,
  current: WorkflowRun | undefined,
): OutcomeState {
  const isEarlier = current !== undefined && isOfEarlierRun(view, current);
  if (node === undefined) return isEarlier ? "superseded" : "surplus";
  if (node.restartingPodUID === view.uid) return "superseded";
  if (isSettled(node)) return "saved";
  return isEarlier ? "superseded" : "unsaved";
}

/** Whether its saved node says anything of a pod but that it goes on. */
export function decidesPods(node: NodeStatus): boolean {
  return node.restartingPodUID !== undefined || isSettled(node);
}

/** It will not change any more by itself. A daemon that is up counts as fulfilled for its followers, but it has not ended. */
export function isSettled({ phase, taskResultSynced }: Pick<NodeStatus, "phase" | "taskResultSynced">): boolean {
  if (phase === "Skipped" || phase === "Omitted") return true;
  return isFinal(phase) && taskResultSynced !== false;
}
