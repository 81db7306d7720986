/** Time and chance as ports: real ones at the composition root, virtual and seeded ones in the simulator. */

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Wall clock, milliseconds since the epoch; may jump. */
  now(): number;
  /** Milliseconds since an arbitrary start; never goes back. */
  monotonic(): number;
  /** Calls `callback` once, `delayMs` (at least 0) from now by the monotonic clock. */
  after(delayMs: number, callback: () => void): Timer;
}

export interface Chance {
  /** Uniform in [0, 1). */
  next(): number;
  /** A random (version 4) UUID. */
  uuid(): string;
}

/**
 * The moment of the wall clock (milliseconds since the epoch) when `ms` have passed: a later one for any `ms` above 0. So
 * large a number keeps no small fraction, and what is due now would be looked at again and again.
 */
export function momentAfter(clock: Pick<Clock, "now">, ms: number): number {
  return clock.now() + Math.ceil(ms);
}

/** Resolves after `delayMs`, or at once when `signal` aborts. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      timer.cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = clock.after(delayMs, done);
    signal?.addEventListener("abort", done, { once: true });
  });
}
