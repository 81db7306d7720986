/** What an earlier process left of a pod's containers, from the driver's records and the pod's saved status. */

import type { Container, ContainerStatus, Pod } from "../../core/model/kube/pod.js";
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
  const saved = new Map([...initContainerStatuses, ...containerStatuses].map((status) => [status.name, status]));
  for (const status of saved.values()) {
    const exit = exitIn(status.state);
    if (exit !== undefined) records.set(status.name, { ...ended(status.restartCount, exit), ...knownOf(status) });
  }
  const { initContainers = [], containers } = pod.spec;
  const specs = new Map([...initContainers, ...containers].map((container) => [container.name, container]));
  for (const one of found) {
    const status = saved.get(one.name);
    const told = status?.restartCount === one.restartCount ? status : undefined;
    const record = one.state === "alive" ? running(one, specs.get(one.name), told) : endedAs(one, one.state, now);
    records.set(one.name, { ...record, ...(told === undefined ? before(status) : knownOf(told)) });
  }
  return records;
}

/** What its probes had said stays until they say otherwise. */
function running(
  { restartCount, startedAt }: FoundContainer,
  container: Container | undefined,
  told: ContainerStatus | undefined,
): ContainerRecord {
  return {
    restartCount,
    state: { kind: "running", startedAt },
    ready: container?.readinessProbe === undefined || told?.ready === true,
    started: container?.startupProbe === undefined || told?.started === true,
  };
}

function endedAs(
  { restartCount, startedAt }: FoundContainer,
  state: Exclude<FoundContainer["state"], "alive">,
  now: number,
): ContainerRecord {
  return ended(restartCount, state === "lost" ? { ...lostExit, startedAt, finishedAt: now } : state.exit);
}

function ended(restartCount: number, exit: ExitRecord): ContainerRecord {
  return { restartCount, state: { kind: "terminated", exit }, ready: false, started: false };
}

/** Of this run, what only the saved status tells. */
function knownOf({ containerID, lastState }: ContainerStatus): Pick<ContainerRecord, "containerID" | "lastExit"> {
  const lastExit = exitIn(lastState);
  return { ...(containerID === undefined ? {} : { containerID }), ...(lastExit === undefined ? {} : { lastExit }) };
}

/** Of the run before the one that was found. */
function before(status: ContainerStatus | undefined): Pick<ContainerRecord, "lastExit"> {
  const lastExit = exitIn(status?.state);
  return lastExit === undefined ? {} : { lastExit };
}

function exitIn(state: ContainerStatus["state"]): ExitRecord | undefined {
  const saved = state?.terminated;
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
