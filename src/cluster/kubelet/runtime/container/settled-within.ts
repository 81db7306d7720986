/** Waits for something, but not for long. */

import { type Clock, sleep } from "../../../../kube/clock.js";

/** Resolves when `promise` has settled or the time is over; leaves no timer behind. */
export async function settledWithin(clock: Clock, timeoutMs: number, promise: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const settled = promise.then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([settled, sleep(clock, timeoutMs, over.signal)]);
  over.abort();
}
