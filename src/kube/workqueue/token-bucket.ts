/** A budget of so many acts a second, with a reserve for bursts. */

import type { Clock, Timer } from "../clock.js";

export interface TokenBucketOptions {
  readonly clock: Clock;
  readonly ratePerSecond: number;
  readonly burst: number;
  /** Ends all waiting. */
  readonly signal?: AbortSignal;
}

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Who waits is served in the order of coming. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #perMs: number;
  readonly #burst: number;
  readonly #signal: AbortSignal | undefined;
  readonly #waiters = new Set<Waiter>();
  #tokens: number;
  #filledAt: number;
  #timer: Timer | undefined;

  constructor({ clock, ratePerSecond, burst, signal }: TokenBucketOptions) {
    this.#clock = clock;
    this.#perMs = ratePerSecond / 1000;
    this.#burst = Math.max(1, burst);
    this.#tokens = this.#burst;
    this.#filledAt = clock.monotonic();
    this.#signal = signal;
    signal?.addEventListener("abort", () => this.#giveUp(), { once: true });
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  /** Takes one now, or answers false. */
  tryTake(): boolean {
    this.#fill();
    if (this.#waiters.size > 0 || this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Takes one as soon as there is one; rejects with the signal's reason when it aborts before. */
  take(): Promise<void> {
    if (this.#signal?.aborted) return Promise.reject(this.#signal.reason);
    if (this.tryTake()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiters.add({ resolve, reject });
      this.#arm();
    });
  }

  #giveUp(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    for (const waiter of this.#waiters) waiter.reject(this.#signal?.reason);
    this.#waiters.clear();
  }

  #fill(): void {
    const now = this.#clock.monotonic();
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#filledAt) * this.#perMs);
    this.#filledAt = now;
  }

  #arm(): void {
    if (this.#timer !== undefined || this.#waiters.size === 0) return;
    // Rounded up, and never nothing: a fraction of a millisecond short would spin.
    const waitMs = Math.max(1, Math.ceil((1 - this.#tokens) / this.#perMs));
    this.#timer = this.#clock.after(waitMs, () => {
      this.#timer = undefined;
      this.#serve();
      this.#arm();
    });
  }

  #serve(): void {
    this.#fill();
    for (const waiter of this.#waiters) {
      if (this.#tokens < 1) return;
      this.#tokens -= 1;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }
}
