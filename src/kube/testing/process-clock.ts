/** The clock of one simulated process: its wall clock may jump, and it may be stopped, go on, or die with its timers. */

import type { Clock, Timer } from "../clock.js";

class Waiting implements Timer {
  /** The world's. */
  timer: Timer | undefined;

  constructor(
    readonly callback: () => void,
    private readonly among: Set<Waiting>,
  ) {}

  cancel(): void {
    this.timer?.cancel();
    this.among.delete(this);
  }
}

/**
 * A view of a shared clock. While it is paused (SIGSTOP, a long garbage collection) nothing of the process runs; on
 * resuming, what became due meanwhile runs at once, in order.
 */
export class ProcessClock implements Clock {
  readonly #world: Clock;
  readonly #waiting = new Set<Waiting>();
  #missed: Waiting[] = [];
  #wallOffsetMs = 0;
  #state: "running" | "paused" | "dead" = "running";

  constructor(world: Clock) {
    this.#world = world;
  }

  now(): number {
    return this.#world.now() + this.#wallOffsetMs;
  }

  monotonic(): number {
    return this.#world.monotonic();
  }

  after(delayMs: number, callback: () => void): Timer {
    if (this.#state === "dead") return { cancel: () => {} };
    const waiting = new Waiting(callback, this.#waiting);
    waiting.timer = this.#world.after(delayMs, () => this.#due(waiting));
    this.#waiting.add(waiting);
    return waiting;
  }

  /** Timers that wait or were missed. */
  get pending(): number {
    return this.#waiting.size;
  }

  jumpWall(deltaMs: number): void {
    this.#wallOffsetMs += deltaMs;
  }

  pause(): void {
    if (this.#state === "running") this.#state = "paused";
  }

  resume(): void {
    if (this.#state !== "paused") return;
    this.#state = "running";
    const missed = this.#missed;
    this.#missed = [];
    for (const waiting of missed) this.#due(waiting);
  }

  /** No timer of this process ever runs again. */
  kill(): void {
    this.#state = "dead";
    for (const { timer } of this.#waiting) timer?.cancel();
    this.#waiting.clear();
    this.#missed = [];
  }

  #due(waiting: Waiting): void {
    if (this.#state === "paused") this.#missed.push(waiting);
    // Cancelled meanwhile, or the process died in an earlier callback of the same moment.
    else if (this.#waiting.delete(waiting)) waiting.callback();
  }
}
