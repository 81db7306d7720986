/** What an earlier process left of a pod's containers, from the driver's records and the pod's saved status. */

import type { Container, ContainerStatus, Pod } from "../../core/model/kube/pod.js";
import type { Clock } from "../../kube/clock.js";
import type { BuiltinImages } from "./builtin.js";
import type { ContainerRecord, ExitRecord } from "./pod-state.js";
import { lostExit } from "./runtime/lost.js";
import type { FoundContainer } from "./runtime/port.js";
import { monotonicOf, msOfKubeTime } from "./time.js";

export interface Adopter {
  readonly clock: Clock;
  readonly builtinImages: Pick<BuiltinImages, "has">;
}

/**
 * Records of the containers that have begun. Built-in containers have no start record: one whose end is not in the
 * saved status runs again, which it is made for. Any other that was told to run and of which nothing is found (the disk
 * was wiped, say) is lost: it must not begin twice.
 */
export function adoptedRecords(
  pod: Pod,
  found: readonly FoundContainer[],
  { clock, builtinImages }: Adopter,
): ReadonlyMap<string, ContainerRecord> {
  const records = new Map<string, ContainerRecord>();
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  const saved = new Map([...initContainerStatuses, ...containerStatuses].map((status) => [status.name, status]));
  const { initContainers = [], containers } = pod.spec;
  const specs = new Map([...initContainers, ...containers].map((container) => [container.name, container]));
  for (const status of saved.values()) {
    const isBuiltin = builtinImages.has(specs.get(status.name)?.image ?? "");
    const exit = exitIn(status.state) ?? (isBuiltin ? undefined : lostIn(status.state, clock));
    if (exit !== undefined)
      records.set(status.name, { ...ended(status.restartCount, exit, clock), ...knownOf(status) });
  }
  for (const one of found) {
    const status = saved.get(one.name);
    const told = status?.restartCount === one.restartCount ? status : undefined;
    const record = one.state === "alive" ? running(one, specs.get(one.name), told) : endedAs(one, one.state, clock);
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
  clock: Clock,
): ContainerRecord {
  const exit = state === "lost" ? { ...lostExit, startedAt, finishedAt: clock.now() } : state.exit;
  return ended(restartCount, exit, clock);
}

function ended(restartCount: number, exit: ExitRecord, clock: Clock): ContainerRecord {
  const since = monotonicOf(clock, exit.finishedAt);
  return { restartCount, state: { kind: "terminated", exit, since }, ready: false, started: false };
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

function lostIn(state: ContainerStatus["state"], clock: Clock): ExitRecord | undefined {
  if (state?.running === undefined) return undefined;
  return { ...lostExit, startedAt: msOfKubeTime(state.running.startedAt), finishedAt: clock.now() };
}

function exitIn(state: ContainerStatus["state"]): ExitRecord | undefined {
  const saved = state?.terminated;
  if (saved === undefined) return undefined;
  const startedAt = msOfKubeTime(saved.startedAt);
  return {
    exitCode: saved.exitCode,
    startedAt,
    finishedAt: msOfKubeTime(saved.finishedAt) ?? startedAt ?? 0,
    ...(saved.reason === undefined ? {} : { reason: saved.reason }),
    ...(saved.message === undefined ? {} : { message: saved.message }),
  };
}
