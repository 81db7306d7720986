/** What is known of one pod on this node: the only input of the pod machine. */

import type { Container, Pod } from "../../core/model/kube/pod.js";

/** How a container's run ended. Times are milliseconds since the epoch. */
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
  /** `until`: not to be started before (back-off), in milliseconds since the epoch. */
  | { readonly kind: "waiting"; readonly reason?: string; readonly message?: string; readonly until?: number }
  | { readonly kind: "starting"; readonly reason?: string; readonly message?: string }
  | { readonly kind: "running"; readonly startedAt: number }
  | { readonly kind: "terminated"; readonly exit: ExitRecord };

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
  /** The strongest signal sent to this run so far; when the first was sent, and the last. */
  readonly signalled?: { readonly signal: "SIGTERM" | "SIGKILL"; readonly at: number; readonly sentAt: number };
}

export interface PodFailure {
  readonly reason: string;
  readonly message: string;
}

/** All containers are to end: SIGTERM at once, SIGKILL `graceMs` after `at`. */
export interface PodStop {
  readonly at: number;
  readonly graceMs: number;
}

export type Admission =
  | { readonly kind: "waiting"; readonly message: string; readonly since: number }
  | { readonly kind: "admitted"; readonly at: number };

/** Volumes and sandbox of the pod. `waiting` may hold why: a missing ConfigMap, say. */
export type Setup =
  | { readonly kind: "waiting"; readonly reason?: string; readonly message?: string }
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
