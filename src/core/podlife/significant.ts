/** Which pod updates can change a decision; the others are dropped where they arrive (Argo 4.1 behaviour 5.7). */

import type { ContainerView, PodView } from "./view.js";

/** True when a pass of the workflow, or of the pod, could decide something else for `after` than for `before`. */
export function significantChange(before: PodView, after: PodView): boolean {
  return (
    concernsNode(before, after) ||
    !sameText(before.labels, after.labels) ||
    !sameList(before.finalizers, after.finalizers, Object.is)
  );
}

/** True when it could be the workflow's pass: labels and finalizers tell who holds the pod, not what becomes of its node. */
export function concernsNode(before: PodView, after: PodView): boolean {
  if (before.uid !== after.uid) return true;
  return !(
    sameFields(before, after) &&
    sameText(before.annotations, after.annotations) &&
    sameList(before.conditions, after.conditions, sameCondition) &&
    sameList(before.initContainers, after.initContainers, sameContainer) &&
    sameList(before.containers, after.containers, sameContainer)
  );
}

/** Argo lets status.reason and the owner pass; a disruption's class and an orphan depend on them. */
const DECIDING_FIELDS = [
  "phase",
  "reason",
  "message",
  "podIP",
  "hostNodeName",
  "nominatedNodeName",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "ownerUid",
] as const satisfies readonly (keyof PodView)[];

function sameFields(a: PodView, b: PodView): boolean {
  return DECIDING_FIELDS.every((field) => a[field] === b[field]);
}

function sameText(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key] && Object.hasOwn(b, key));
}

function sameList<T>(a: readonly T[], b: readonly T[], same: (x: T, y: T) => boolean): boolean {
  return (
    a.length === b.length &&
    a.every((item, index) => {
      const other = b[index];
      return other !== undefined && same(item, other);
    })
  );
}

type Condition = PodView["conditions"][number];

function sameCondition(a: Condition, b: Condition): boolean {
  return a.type === b.type && a.status === b.status && a.reason === b.reason && a.message === b.message;
}

function sameContainer(a: ContainerView, b: ContainerView): boolean {
  return a.name === b.name && a.ready === b.ready && a.restartCount === b.restartCount && sameState(a.state, b.state);
}

/** Becoming running or terminated decides; the times within a state do not, except an end's. */
function sameState(a: ContainerView["state"], b: ContainerView["state"]): boolean {
  if (a.kind === "waiting" && b.kind === "waiting") return a.reason === b.reason && a.message === b.message;
  if (a.kind === "terminated" && b.kind === "terminated") {
    return a.exitCode === b.exitCode && a.reason === b.reason && a.finishedAt === b.finishedAt;
  }
  return a.kind === b.kind;
}
