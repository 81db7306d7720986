/** A queue of keys: each waits at most once, is worked on by at most one worker, and runs once more if it became dirty. */

import type { Clock } from "../clock.js";

/** For metrics; all times in milliseconds. */
export interface QueueObserver {
  added?(depth: number): void;
  started?(waitedMs: number, depth: number): void;
  finished?(workedMs: number): void;
}

export class Queue {
  readonly #clock: Clock;
  readonly #observer: QueueObserver;
  /** Keys that wait, in order, with the time they came. A key in work is never among them. */
  readonly #waiting = new Fifo<string>();
  /** Every key that needs a run: those that wait, and those in work that became dirty meanwhile. */
  readonly #dirtySince = new Map<string, number>();
  readonly #startedAt = new Map<string, number>();
  readonly #takers: (() => void)[] = [];
  #isShutDown = false;

  constructor(clock: Clock, observer: QueueObserver = {}) {
    this.#clock = clock;
    this.#observer = observer;
  }

  /** Keys that wait. */
  get depth(): number {
    return this.#waiting.size;
  }

  get inWork(): number {
    return this.#startedAt.size;
  }

  get isShutDown(): boolean {
    return this.#isShutDown;
  }

  add(key: string): void {
    if (this.#isShutDown || this.#dirtySince.has(key)) return;
    this.#dirtySince.set(key, this.#clock.monotonic());
    if (!this.#startedAt.has(key)) this.#enqueue(key);
  }

  /**
   * The next key, in work from when it is answered until {@link done}; undefined when the queue is shut down. What wakes a
   * taker waits until it looks: what else comes of the same event makes no second run.
   */
  async take(): Promise<string | undefined> {
    while (!this.#isShutDown) {
      const key = this.#waiting.shift();
      if (key !== undefined) return this.#start(key);
      await new Promise<void>((resolve) => this.#takers.push(resolve));
    }
    return undefined;
  }

  /** The work on `key` has ended; did it become dirty meanwhile, it waits again. */
  done(key: string): void {
    const startedAt = this.#startedAt.get(key);
    if (startedAt === undefined) return;
    this.#startedAt.delete(key);
    this.#observer.finished?.(this.#clock.monotonic() - startedAt);
    if (this.#dirtySince.has(key)) this.#enqueue(key);
  }

  /** Nothing is taken or added any more; what is in work ends as usual. */
  shutDown(): void {
    this.#isShutDown = true;
    this.#waiting.clear();
    this.#dirtySince.clear();
    for (const wake of this.#takers.splice(0)) wake();
  }

  #enqueue(key: string): void {
    if (this.#isShutDown) return;
    this.#waiting.push(key);
    this.#observer.added?.(this.#waiting.size);
    this.#takers.shift()?.();
  }

  #start(key: string): string {
    const now = this.#clock.monotonic();
    const dirtySince = this.#dirtySince.get(key) ?? now;
    this.#dirtySince.delete(key);
    this.#startedAt.set(key, now);
    this.#observer.started?.(now - dirtySince, this.#waiting.size);
    return key;
  }
}

/** First in, first out, without moving the rest at each step. */
class Fifo<T> {
  #items: T[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.size === 0) return undefined;
    const item = this.#items[this.#head++];
    if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    } else if (this.size === 0) {
      this.clear();
    }
    return item;
  }

  clear(): void {
    this.#items = [];
    this.#head = 0;
  }
}
