/** The queue that controllers use: keys now, after a while, at a moment, or after a failure. */

import { type BackoffOptions, backoffMs } from "../backoff.js";
import type { Chance, Clock } from "../clock.js";
import { Alarms } from "./alarms.js";
import { Queue, type QueueObserver } from "./queue.js";

export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly chance: Chance;
  /** For keys that fail: the n-th failure in a row waits 2^n times the base, up to the cap. */
  readonly backoff?: BackoffOptions;
  readonly observer?: QueueObserver;
}

const defaultBackoff: BackoffOptions = { baseMs: 100, capMs: 60_000 };

/** Nothing is kept for a key that is neither waiting, in work, delayed, nor failing. */
export class WorkQueue {
  readonly #queue: Queue;
  readonly #options: WorkQueueOptions;
  readonly #delays: Alarms;
  readonly #wakes: Alarms;
  readonly #failures = new Map<string, number>();

  constructor(options: WorkQueueOptions) {
    const { clock, observer } = options;
    this.#options = options;
    this.#queue = new Queue(clock, observer);
    const onDue = (key: string): void => this.add(key);
    this.#delays = new Alarms({ clock, time: "monotonic", onDue });
    this.#wakes = new Alarms({ clock, time: "wall", onDue });
  }

  get depth(): number {
    return this.#queue.depth;
  }

  get inWork(): number {
    return this.#queue.inWork;
  }

  /** Keys of which anything at all is kept; 0 at rest (a key may count twice). */
  get size(): number {
    return this.depth + this.inWork + this.#delays.size + this.#wakes.size + this.#failures.size;
  }

  /** Now. */
  add(key: string): void {
    this.#queue.add(key);
  }

  /** After `delayMs`, or earlier where an earlier delay is set. */
  addAfter(key: string, delayMs: number): void {
    if (this.#queue.isShutDown) return;
    const atMs = this.#delays.now() + delayMs;
    if (delayMs <= 0) this.add(key);
    else if (atMs < (this.#delays.at(key) ?? Number.POSITIVE_INFINITY)) this.#delays.set(key, atMs);
  }

  /** At a moment of the wall clock (milliseconds since the epoch), in the place of the one set before; undefined: never. */
  wakeAt(key: string, atMs: number | undefined): void {
    if (atMs === undefined || this.#queue.isShutDown) this.#wakes.clear(key);
    else this.#wakes.set(key, atMs);
  }

  /** The key failed once more: again after its backoff, or after `minimumMs` (a server's Retry-After). Answers the wait. */
  addFailed(key: string, minimumMs = 0): number {
    if (this.#queue.isShutDown) return 0;
    const { backoff = defaultBackoff, chance } = this.#options;
    const failures = this.failures(key) + 1;
    this.#failures.set(key, failures);
    const waitMs = Math.max(minimumMs, backoffMs(backoff, failures, chance));
    this.addAfter(key, waitMs);
    return waitMs;
  }

  /** Failures in a row. */
  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** The key did well: its next failure counts as the first. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** The next key, in work from now until {@link done}; undefined when the queue is shut down. */
  take(): Promise<string | undefined> {
    return this.#queue.take();
  }

  done(key: string): void {
    this.#queue.done(key);
  }

  shutDown(): void {
    this.#queue.shutDown();
    this.#delays.clearAll();
    this.#wakes.clearAll();
    this.#failures.clear();
  }
}
