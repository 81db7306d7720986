/** What a controller is told, and what it tells. */

import type { EngineOptions } from "../core/engine/options.js";
import type { Client, ObjectKey } from "../kube/client.js";
import type { Chance, Clock } from "../kube/clock.js";
import type { ReflectorObserver } from "../kube/reflector.js";
import type { Failure } from "../kube/worker.js";
import type { TokenBucketOptions } from "../kube/workqueue/token-bucket.js";
import type { ContainerSignals } from "./pods/ports.js";

export interface ControllerOptions {
  /** Not a fenced one. */
  readonly client: Client;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly engine: EngineOptions;
  /** Left out: the only controller there can be, and it leads without a lease (the owner of a place). */
  readonly election?: Election;
  /**
   * `leased`: kubelets elsewhere renew Leases, and one that stops is lost with its pods. Left out: pods run on the machine
   * that we are on, which cannot be lost while we are there to ask.
   */
  readonly hosts?: "leased";
  /** How containers are told to end where they run; left out: pods are deleted instead. */
  readonly signals?: ContainerSignals;
  /** Left out: all namespaces. */
  readonly namespace?: string;
  /** Workflows worked on at once. */
  readonly workers?: number;
  /** Pods worked on at once. */
  readonly podWorkers?: number;
  /** Left out: the API may be asked as often as there is something to ask. */
  readonly budgets?: Budgets;
  /** Whether ttlStrategy deletes workflows; left out: it does. */
  readonly ttl?: "obeyed" | "ignored";
  readonly observer?: ControllerObserver;
}

/** Requests a second. Each lane has its own, so that neither starves the other (design 4). */
export interface Budgets {
  readonly reconcile: Budget;
  /** Pods that are freed, workflows that are deleted. */
  readonly cleanup: Budget;
}

export type Budget = Pick<TokenBucketOptions, "ratePerSecond" | "burst">;

/** Several controllers stand for election; one at a time acts. */
export interface Election {
  readonly lease: ObjectKey;
  /** Of this process and this start, never used again: a host name and a UUID. */
  readonly identity: string;
}

/** For logs and metrics. */
export interface ControllerObserver extends ReflectorObserver {
  /** A pass failed; its key comes again. */
  passFailed?(queue: "workflow" | "pod", failure: Failure): void;
  /** For the log: a pod cannot be freed for long, or is surplus. Names pod and UID, and the next try. */
  podTrouble?(line: string): void;
  /** Who leads, as the lease shows it; empty: nobody. */
  leader?(identity: string): void;
  /** This process begins to act, or acts no more: the lease was given back, or is not surely ours any longer. */
  term?(change: "begins" | "ends"): void;
  /** The lease could not be read or written; it is tried again. */
  leaseFailed?(error: unknown): void;
}
