/** What an earlier process left of a pod's containers, from the driver's records and the pod's saved status. */

import type { ContainerStatus, Pod } from "../../core/model/kube/pod.js";
import type { ContainerRecord, ExitRecord } from "./pod-state.js";
import { lostExit } from "./runtime/lost.js";
import type { FoundContainer } from "./runtime/port.js";

/**
 * Records of the containers that have begun. Built-in containers have no start record: one whose end is not in the
 * saved status runs again, which it is made for.
 */
export function adoptedRecords(
  pod: Pod,
  found: readonly FoundContainer[],
  now: number,
): ReadonlyMap<string, ContainerRecord> {
  const records = new Map<string, ContainerRecord>();
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  for (const status of [...initContainerStatuses, ...containerStatuses]) {
    const exit = savedExit(status);
    if (exit !== undefined) records.set(status.name, ended(status.restartCount, exit));
  }
  for (const one of found) records.set(one.name, recordOfFound(one, now));
  return records;
}

function recordOfFound(one: FoundContainer, now: number): ContainerRecord {
  if (one.state === "alive") {
    const state = { kind: "running", startedAt: one.startedAt } as const;
    return { restartCount: one.restartCount, state, ready: true, started: true };
  }
  const exit = one.state === "lost" ? { ...lostExit, startedAt: one.startedAt, finishedAt: now } : one.state.exit;
  return ended(one.restartCount, exit);
}

function ended(restartCount: number, exit: ExitRecord): ContainerRecord {
  return { restartCount, state: { kind: "terminated", exit }, ready: false, started: false };
}

function savedExit(status: ContainerStatus): ExitRecord | undefined {
  const saved = status.state?.terminated;
  if (saved === undefined) return undefined;
  const startedAt = saved.startedAt === undefined ? undefined : Date.parse(saved.startedAt);
  return {
    exitCode: saved.exitCode,
    startedAt,
    finishedAt: saved.finishedAt === undefined ? (startedAt ?? 0) : Date.parse(saved.finishedAt),
    ...(saved.reason === undefined ? {} : { reason: saved.reason }),
    ...(saved.message === undefined ? {} : { message: saved.message }),
  };
}
