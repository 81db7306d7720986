/** One moment for each key, and one timer for all of them. */

import type { Clock, Timer } from "../clock.js";
import { Heap } from "../heap.js";

interface Entry {
  readonly key: string;
  readonly atMs: number;
}

export interface AlarmsOptions {
  readonly clock: Clock;
  /** By which of the clock's two times the moments are meant. */
  readonly time: "wall" | "monotonic";
  readonly onDue: (key: string) => void;
}

/** The wall clock may jump, so it is looked at again after at most this long. */
const wallCheckMs = 60_000;

export class Alarms {
  readonly #options: AlarmsOptions;
  readonly #entries = new Map<string, Entry>();
  /** May hold entries that were replaced or cleared; they are known by not being in `#entries`. */
  readonly #heap = new Heap<Entry>((a, b) => a.atMs < b.atMs);
  #timer: Timer | undefined;
  #timerAtMs = Number.POSITIVE_INFINITY;

  constructor(options: AlarmsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  at(key: string): number | undefined {
    return this.#entries.get(key)?.atMs;
  }

  /** Replaces what was set for `key`. */
  set(key: string, atMs: number): void {
    if (this.#entries.get(key)?.atMs === atMs) return;
    const entry = { key, atMs };
    this.#entries.set(key, entry);
    this.#heap.push(entry);
    if (this.#heap.size > 2 * this.#entries.size + 64) this.#heap.retain((kept) => this.#isCurrent(kept));
    this.#arm();
  }

  clear(key: string): void {
    if (this.#entries.delete(key) && this.#entries.size === 0) this.clearAll();
  }

  clearAll(): void {
    this.#entries.clear();
    this.#heap.retain(() => false);
    this.#disarm();
  }

  now(): number {
    const { clock, time } = this.#options;
    return time === "wall" ? clock.now() : clock.monotonic();
  }

  #isCurrent(entry: Entry): boolean {
    return this.#entries.get(entry.key) === entry;
  }

  #arm(): void {
    const next = this.#next();
    if (next === undefined) {
      this.#disarm();
      return;
    }
    const { clock, time } = this.#options;
    // Whole milliseconds: a fraction that rounding loses would wake us too early, again and again.
    const leftMs = Math.max(0, Math.ceil(next.atMs - this.now()));
    const delayMs = time === "wall" ? Math.min(leftMs, wallCheckMs) : leftMs;
    const timerAtMs = clock.monotonic() + delayMs;
    if (this.#timer !== undefined && this.#timerAtMs <= timerAtMs) return;
    this.#disarm();
    this.#timerAtMs = timerAtMs;
    this.#timer = clock.after(delayMs, () => this.#fire());
  }

  #disarm(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#timerAtMs = Number.POSITIVE_INFINITY;
  }

  #fire(): void {
    this.#disarm();
    const due: string[] = [];
    for (let next = this.#next(); next !== undefined && next.atMs <= this.now(); next = this.#next()) {
      this.#heap.pop();
      this.#entries.delete(next.key);
      due.push(next.key);
    }
    this.#arm();
    for (const key of due) this.#options.onDue(key);
  }

  /** The earliest entry that still counts. */
  #next(): Entry | undefined {
    for (let top = this.#heap.peek(); top !== undefined; top = this.#heap.peek()) {
      if (this.#isCurrent(top)) return top;
      this.#heap.pop();
    }
    return undefined;
  }
}
