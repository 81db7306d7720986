/** Keeps a store equal to what the API holds: list once, then watch for ever, and tell handlers of each change. */

import type { KubeObject } from "../core/model/kube/meta.js";
import type { ResourceType } from "../core/model/resources.js";
import { type BackoffOptions, backoffMs } from "./backoff.js";
import type { Client } from "./client.js";
import { type Chance, type Clock, sleep } from "./clock.js";
import { ApiError, TransportError } from "./errors.js";
import { defaultPageSize, listAll } from "./reflector/list-all.js";
import { type Change, type Progress, View, type ViewHandler } from "./reflector/view.js";
import { watchOnce } from "./reflector/watch-once.js";
import { type IndexFunction, type ReadonlyStore, Store } from "./store.js";

export type { Change, Progress, ViewHandler };

export interface ReflectorOptions<T extends KubeObject, I extends string = never> {
  readonly client: Pick<Client, "list" | "watch">;
  readonly type: ResourceType;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly indexes?: Readonly<Partial<Record<I, IndexFunction<T>>>>;
  readonly strip?: (object: T) => T;
  readonly pageSize?: number;
  /** `any`: the first list may be of any revision the server has at hand. Never for one who acts on what it reads. */
  readonly firstList?: "consistent" | "any";
  readonly idleTimeoutMs?: number;
  readonly backoff?: BackoffOptions;
  readonly observer?: ReflectorObserver;
}

/** For logs and metrics. */
export interface ReflectorObserver {
  listed?(objects: number, revision: string): void;
  /** A list or watch failed; the next try comes in `retryMs`. */
  failed?(error: unknown, retryMs: number): void;
  /** A handler threw, or the server sent a malformed object; the stream goes on. */
  faulted?(error: unknown): void;
}

/** Servers send a bookmark about once a minute. */
const defaultIdleTimeoutMs = 150_000;
const defaultBackoff: BackoffOptions = { baseMs: 200, capMs: 30_000 };
/** A watch that held so long was a good one: its end is no failure, and the next starts at once. */
const stableMs = 10_000;
/** Failures in a row, not being "too old", after which the list is made anew. */
const watchFailuresMax = 3;

export class Reflector<T extends KubeObject, I extends string = never> {
  readonly type: ResourceType;
  /** True with the first list; false when the reflector was stopped before it. */
  readonly synced: Promise<boolean>;
  readonly #options: ReflectorOptions<T, I>;
  readonly #view: View<T, I>;
  #resolveSynced: (isSynced: boolean) => void = () => {};
  #needsList = true;
  #failures = 0;

  constructor(options: ReflectorOptions<T, I>) {
    this.type = options.type;
    this.#options = options;
    this.#view = new View<T, I>(new Store<T, I>(options.indexes), {
      ...(options.strip === undefined ? {} : { strip: options.strip }),
      failed: (error) => options.observer?.faulted?.(error),
    });
    this.synced = new Promise((resolve) => {
      this.#resolveSynced = resolve;
    });
  }

  get store(): ReadonlyStore<T, I> {
    return this.#view.store;
  }

  get hasSynced(): boolean {
    return this.#view.revision !== undefined;
  }

  /** The newest revision all of whose changes are in the store; undefined before the first list. */
  get revision(): string | undefined {
    return this.#view.revision;
  }

  /** Handlers are called synchronously, in order of registration. Answers how to take it away again. */
  addHandler(handler: ViewHandler<T>): () => void {
    return this.#view.addHandler(handler);
  }

  /** Runs until `signal` aborts; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const waitMs = await this.#round(signal);
      if (waitMs > 0) await sleep(this.#options.clock, waitMs, signal);
    }
    this.#resolveSynced(this.hasSynced);
  }

  /** One list (where it is needed) and one watch; answers how long to wait before the next. */
  async #round(signal: AbortSignal): Promise<number> {
    const { clock, observer } = this.#options;
    const startedAt = clock.monotonic();
    try {
      if (this.#needsList) await this.#list();
      if (!signal.aborted) await this.#watch(signal);
    } catch (error) {
      const waitMs = this.#failed(error, clock.monotonic() - startedAt);
      if (!signal.aborted) observer?.failed?.(error, waitMs);
      return waitMs;
    }
    return this.#ended(clock.monotonic() - startedAt);
  }

  async #list(): Promise<void> {
    const { client, type, pageSize = defaultPageSize, firstList = "consistent", observer } = this.#options;
    const isConsistent = firstList === "consistent" || this.hasSynced;
    const revision = isConsistent ? {} : { resourceVersion: "0" };
    const list = await listAll<T>(client, type, { limit: pageSize, ...this.#selection(), ...revision });
    this.#needsList = false;
    this.#view.replace(list.items, list.resourceVersion, isConsistent);
    observer?.listed?.(list.items.length, list.resourceVersion);
    this.#resolveSynced(true);
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { client, type, clock, chance, idleTimeoutMs = defaultIdleTimeoutMs } = this.#options;
    const timeoutSeconds = Math.round(300 + 300 * chance.next());
    const options = {
      resourceVersion: this.revision ?? "0",
      allowBookmarks: true,
      timeoutSeconds,
      ...this.#selection(),
    };
    const onEvent = this.#view.apply.bind(this.#view);
    await watchOnce<T>({ client, type, options, clock, idleTimeoutMs, onEvent }, signal);
  }

  #selection(): { namespace?: string; labelSelector?: string; fieldSelector?: string } {
    const { namespace, labelSelector, fieldSelector } = this.#options;
    return {
      ...(namespace === undefined ? {} : { namespace }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    };
  }

  /** A watch that ended without an error. A server that hangs up at once, again and again, is not hammered. */
  #ended(heldMs: number): number {
    this.#failures = heldMs >= stableMs ? 0 : this.#failures + 1;
    return this.#failures === 0 ? 0 : this.#backoffMs();
  }

  #failed(error: unknown, heldMs: number): number {
    this.#failures = heldMs >= stableMs ? 1 : this.#failures + 1;
    if (mustListAgain(error) || this.#failures >= watchFailuresMax) this.#needsList = true;
    const askedMs = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
    return Math.max(askedMs, this.#backoffMs());
  }

  #backoffMs(): number {
    const { backoff = defaultBackoff, chance } = this.#options;
    return backoffMs(backoff, this.#failures, chance);
  }
}

/**
 * Whether the revision itself may be what the server cannot serve (410, 400, a revision from before a restored backup).
 * No answer, overload and a server's own error say nothing about the revision: watch on from it.
 */
function mustListAgain(error: unknown): boolean {
  if (error instanceof TransportError) return false;
  return !(error instanceof ApiError) || (error.code < 500 && error.code !== 429);
}
