/** Time that moves only when told to: a day passes in microseconds, and always in the same order. */

import type { Clock, Timer } from "../clock.js";
import { Heap } from "../heap.js";

class Entry implements Timer {
  constructor(
    readonly atMs: number,
    /** Of two timers due at one moment the one set first runs first. */
    readonly order: number,
    public callback: (() => void) | undefined,
    private readonly cancelled: () => void,
  ) {}

  cancel(): void {
    if (this.callback === undefined) return;
    this.callback = undefined;
    this.cancelled();
  }
}

export interface VirtualClockOptions {
  /** Wall time at the start, milliseconds since the epoch. */
  readonly startMs?: number;
  /** Calls back when everything that time does not move has come to rest; left out: when all promises have. */
  readonly atRest?: (then: () => void) => void;
}

/** 2024-01-01T00:00:00Z. */
const defaultStartMs = 1_704_067_200_000;

/**
 * Timers run in order of their time, then of their registration, each with `monotonic()` at exactly its time. Between
 * two timers everything that only waits for promises comes to rest first, so whole programs can be driven with it.
 */
export class VirtualClock implements Clock {
  readonly #timers = new Heap<Entry>((a, b) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order));
  #monotonicMs = 0;
  #wallOffsetMs: number;
  #order = 0;
  #cancelled = 0;
  readonly #atRest: (then: () => void) => void;

  constructor(options: VirtualClockOptions = {}) {
    this.#atRest = options.atRest ?? setImmediate;
    this.#wallOffsetMs = options.startMs ?? defaultStartMs;
  }

  now(): number {
    return this.#monotonicMs + this.#wallOffsetMs;
  }

  monotonic(): number {
    return this.#monotonicMs;
  }

  after(delayMs: number, callback: () => void): Timer {
    // A delay that is not a number would break the order of the heap for good.
    const atMs = this.#monotonicMs + (Number.isNaN(delayMs) ? 0 : Math.max(0, delayMs));
    const entry = new Entry(atMs, this.#order++, callback, this.#wasCancelled);
    this.#timers.push(entry);
    return entry;
  }

  /** Moves the wall clock alone, as an operator or NTP would. */
  jumpWall(deltaMs: number): void {
    this.#wallOffsetMs += deltaMs;
  }

  /** Timers that wait. */
  get pending(): number {
    return this.#timers.size - this.#cancelled;
  }

  /** The moment (monotonic) of the next timer; undefined when none waits. */
  nextAt(): number | undefined {
    this.#dropCancelled();
    return this.#timers.peek()?.atMs;
  }

  /** Passes `ms`, running what becomes due, also timers that due timers set; all at rest before and after. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#monotonicMs + ms;
    await this.#settle();
    while (this.#hasUntil(untilMs)) {
      this.#runNext();
      await this.#settle();
    }
    this.#monotonicMs = untilMs;
  }

  /** Goes to the next timer and runs it; false when none waits. */
  async step(): Promise<boolean> {
    await this.#settle();
    if (this.nextAt() === undefined) return false;
    this.#runNext();
    await this.#settle();
    return true;
  }

  /** Steps until `isDone`; false when `limitMs` passed or no timer was left before that. */
  runUntil(isDone: () => boolean, limitMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    const untilMs = this.#monotonicMs + limitMs;
    return new Promise((resolve, reject) => {
      // Not a loop that waits: that costs every step a few promises more.
      const goOn = (): void => {
        try {
          const isReached = isDone();
          if (isReached || !this.#hasUntil(untilMs)) {
            resolve(isReached);
            return;
          }
          this.#runNext();
          this.#atRest(goOn);
        } catch (error) {
          reject(error);
        }
      };
      this.#atRest(goOn);
    });
  }

  /** As {@link advance}, at one blow: for code that uses no promises. */
  advanceSync(ms: number): void {
    const untilMs = this.#monotonicMs + ms;
    while (this.#hasUntil(untilMs)) this.#runNext();
    this.#monotonicMs = untilMs;
  }

  /** Whether a timer waits that is due by then. */
  #hasUntil(untilMs: number): boolean {
    const nextMs = this.nextAt();
    return nextMs !== undefined && nextMs <= untilMs;
  }

  #settle(): Promise<void> {
    return new Promise((resolve) => this.#atRest(resolve));
  }

  #runNext(): void {
    this.#dropCancelled();
    const entry = this.#timers.pop();
    if (entry?.callback === undefined) return;
    const { callback } = entry;
    entry.callback = undefined;
    this.#monotonicMs = entry.atMs;
    callback();
  }

  readonly #wasCancelled = (): void => {
    this.#cancelled++;
    // Programs set and cancel a timeout for each request: without this the heap would only grow.
    if (this.#cancelled < 64 || this.#cancelled < this.#timers.size / 2) return;
    this.#timers.retain((kept) => kept.callback !== undefined);
    this.#cancelled = 0;
  };

  #dropCancelled(): void {
    for (let top = this.#timers.peek(); top !== undefined && top.callback === undefined; top = this.#timers.peek()) {
      this.#timers.pop();
      this.#cancelled--;
    }
  }
}

/** Lets all promise reactions (and their reactions) run. `setImmediate` comes after every microtask and `nextTick`. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
