/**
 * What is known of one pod on this node: the only input of the pod machine. What is on record for others (starts, ends, the
 * admission) has times of the wall clock; what this process waits for counts by the monotonic one, which nobody sets.
 */

import type { Container, Pod } from "../../core/model/kube/pod.js";

/** How a container's run ended. Times are milliseconds since the epoch, as on record. */
export interface ExitRecord {
  readonly exitCode: number;
  /** Left out: Completed for exit code 0, else Error. */
  readonly reason?: string;
  /** The termination message. */
  readonly message?: string;
  /** Undefined when it never started. */
  readonly startedAt: number | undefined;
  readonly finishedAt: number;
}

export type ContainerState =
  /** `until`: not to be started before (back-off), by the monotonic clock. */
  | { readonly kind: "waiting"; readonly reason?: string; readonly message?: string; readonly until?: number }
  | { readonly kind: "starting"; readonly reason?: string; readonly message?: string }
  | { readonly kind: "running"; readonly startedAt: number }
  /** `since`: when it was over, by the monotonic clock. */
  | { readonly kind: "terminated"; readonly exit: ExitRecord; readonly since: number };

export interface ContainerRecord {
  readonly restartCount: number;
  readonly state: ContainerState;
  /** How the run before this one ended. */
  readonly lastExit?: ExitRecord;
  readonly containerID?: string;
  /** By the readiness probe; true without one as soon as it runs. */
  readonly ready: boolean;
  /** By the startup probe; true without one as soon as it runs. */
  readonly started: boolean;
  /** The liveness (or startup) probe gave up: to be ended, then restarted as restartPolicy says. */
  readonly unhealthy?: string;
  /** The strongest signal sent to this run so far; when the first was sent, and the last, by the monotonic clock. */
  readonly signalled?: { readonly signal: "SIGTERM" | "SIGKILL"; readonly at: number; readonly sentAt: number };
}

export interface PodFailure {
  readonly reason: string;
  readonly message: string;
}

/** All containers are to end: SIGTERM at once, SIGKILL `graceMs` after `at` (by the monotonic clock). */
export interface PodStop {
  readonly at: number;
  readonly graceMs: number;
}

export type Admission =
  | { readonly kind: "waiting"; readonly message: string }
  /** `since`: the same moment by the monotonic clock. */
  | { readonly kind: "admitted"; readonly at: number; readonly since: number };

/** Volumes and sandbox of the pod. `waiting` may hold why: a missing ConfigMap, say. */
export type Setup =
  | {
      readonly kind: "waiting";
      readonly reason?: string;
      readonly message?: string;
      /** It could not be looked at: what an earlier process left of it is still not known. */
      readonly isUnseen?: true;
    }
  | { readonly kind: "working" }
  /** It can never run here: nothing of it began. */
  | { readonly kind: "refused" }
  | { readonly kind: "ready"; readonly ip: string };

export interface PodState {
  /** As last seen in the API. */
  readonly pod: Pod;
  readonly admission: Admission;
  readonly setup: Setup;
  /** By container name; a container without record waits for its first start. */
  readonly containers: ReadonlyMap<string, ContainerRecord>;
  /** It was bound to this node when it was first seen: an earlier process may have started containers of it. */
  readonly mayHaveRun?: boolean;
  readonly failure?: PodFailure;
  readonly stop?: PodStop;
}

export const freshRecord: ContainerRecord = {
  restartCount: 0,
  state: { kind: "waiting" },
  ready: false,
  started: false,
};

export function recordOf(state: PodState, containerName: string): ContainerRecord {
  return state.containers.get(containerName) ?? freshRecord;
}

/** An init container that goes on running beside the main containers. */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === "Always";
}

export function isAlive(record: ContainerRecord): boolean {
  return record.state.kind === "running" || record.state.kind === "starting";
}

export function exitOf(record: ContainerRecord): ExitRecord | undefined {
  return record.state.kind === "terminated" ? record.state.exit : undefined;
}
