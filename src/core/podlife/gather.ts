/** A pod's facts out of what the shell has at hand: the pod, a sighting of its owner, the saved node. */

import { isFinal } from "../model/argo/final-phase.js";
import type { NodeStatus } from "../model/argo/node.js";
import type { Template } from "../model/argo/template.js";
import type { Workflow } from "../model/argo/workflow.js";
import type { LabelSelector, LabelSelectorRequirement } from "../model/kube/meta.js";
import { msOf, parseDurationOrSeconds } from "../std/duration.js";
import { msOfRfc3339 } from "../std/time.js";
import type { DispositionFacts, OutcomeState } from "./facts.js";
import type { PodGCFacts } from "./gc.js";
import { currentRunOf } from "./generation.js";
import { type OwnerSighting, outcomeStateOf, ownerStateOf } from "./situation.js";
import type { PodView } from "./view.js";

export interface FactSources {
  readonly sighting: OwnerSighting;
  /** The pod's node as saved (never as staged); undefined when the workflow has none of that ID. */
  readonly node: NodeStatus | undefined;
  readonly template: Template | undefined;
  /** Another pod is the node's, see `isRatherOf`. */
  readonly isTwin?: boolean;
  readonly hostLost: boolean;
  /** config podGCDeleteDelayDuration, where the workflow names no delay. */
  readonly podGCDelayMs: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export function gatherFacts(pod: PodView, sources: FactSources): DispositionFacts {
  const { sighting, node, template, hostLost, now } = sources;
  const owner = ownerStateOf(pod, sighting);
  const workflow = sighting.kind === "seen" ? sighting.workflow : undefined;
  const settledAt = node === undefined || isOpen(node) ? workflow?.status?.finishedAt : node.finishedAt;
  const askedAt = owner === "deleting" ? workflow?.metadata.deletionTimestamp : settledAt;
  return {
    pod,
    owner,
    outcome: sources.isTwin === true ? "surplus" : outcomeOf(pod, node, workflow),
    hostLost,
    podGC: podGCFactsOf(workflow, pod, sources.podGCDelayMs),
    template,
    endAskedAt: askedAt === undefined ? undefined : msOfRfc3339(askedAt),
    workflowName: owner === "present" ? workflow?.metadata.name : undefined,
    now,
  };
}

/**
 * Once its workflow is over nobody will settle a node any more: what was left open counts as saved, or its pod would be
 * held for ever. Nodes that are stored elsewhere prove nothing by their absence.
 */
function outcomeOf(pod: PodView, node: NodeStatus | undefined, workflow: Workflow | undefined): OutcomeState {
  const status = workflow?.status ?? {};
  const isOver = status.finishedAt !== undefined && isFinal(status.phase);
  const hasOther = status.compressedNodes !== undefined || status.offloadNodeStatusVersion !== undefined;
  const areElsewhere = hasOther && Object.keys(status.nodes ?? {}).length === 0;
  if (node === undefined && areElsewhere) return isOver ? "saved" : "unsaved";
  const state = outcomeStateOf(pod, node, workflow && currentRunOf(workflow));
  return state === "unsaved" && isOver ? "saved" : state;
}

function isOpen({ phase }: NodeStatus): boolean {
  return phase === undefined || phase === "Pending" || phase === "Running";
}

function podGCFactsOf(workflow: Workflow | undefined, pod: PodView, defaultDelayMs: number): PodGCFacts {
  const { podGC } = workflow?.status?.storedWorkflowTemplateSpec ?? workflow?.spec ?? {};
  const { phase, finishedAt } = workflow?.status ?? {};
  const finished = finishedAt === undefined ? undefined : msOfRfc3339(finishedAt);
  const hasFailed = phase === "Failed" || phase === "Error";
  return {
    strategy: podGC?.strategy ?? "",
    selected: podGC?.labelSelector === undefined || matchesSelector(podGC.labelSelector, pod.labels),
    delayMs: delayOf(podGC?.deleteDelayDuration) ?? defaultDelayMs,
    workflow: finished === undefined ? "running" : hasFailed ? "failed" : "succeeded",
    workflowFinishedAt: finished,
  };
}

function delayOf(text: number | string | undefined): number | undefined {
  const delay = text === undefined ? undefined : parseDurationOrSeconds(String(text));
  return delay?.ok ? msOf(delay.value) : undefined;
}

function matchesSelector(
  { matchLabels = {}, matchExpressions = [] }: LabelSelector,
  labels: PodView["labels"],
): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every((requirement) => holds(requirement, labels[requirement.key]))
  );
}

function holds({ operator, values = [] }: LabelSelectorRequirement, value: string | undefined): boolean {
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
  }
}
