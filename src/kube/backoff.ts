/** How long to wait before the next try: growing, capped, and never the same for two who failed together. */

import type { Chance } from "./clock.js";

export interface BackoffOptions {
  readonly baseMs: number;
  readonly capMs: number;
  /** Each wait is drawn from [1 - jitter, 1] of the full one; 0 to 1. */
  readonly jitter?: number;
}

const defaultJitter = 0.5;

/** The wait after the `failures`-th failure in a row (1 is the first), in milliseconds. */
export function backoffMs(options: BackoffOptions, failures: number, chance: Chance): number {
  const { baseMs, capMs, jitter = defaultJitter } = options;
  // The exponent is bounded so that a key that fails for days does not reach Infinity.
  const fullMs = Math.min(capMs, baseMs * 2 ** Math.min(Math.max(failures - 1, 0), 40));
  return fullMs * (1 - jitter * chance.next());
}
