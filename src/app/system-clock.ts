/** The real clock and real chance. */

import { randomUUID } from "node:crypto";
import type { Chance, Clock, Timer } from "../kube/clock.js";

/** setTimeout counts in 31 bits; a longer delay is waited for in pieces. */
const TIMEOUT_MAX_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (delayMs, callback) => startTimer(delayMs, callback),
};

function startTimer(delayMs: number, callback: () => void): Timer {
  if (delayMs <= 0) {
    // A timeout of nothing takes a millisecond or two.
    const immediate = setImmediate(callback);
    return { cancel: () => clearImmediate(immediate) };
  }
  let timer: NodeJS.Timeout;
  const wait = (leftMs: number): void => {
    timer =
      leftMs > TIMEOUT_MAX_MS
        ? setTimeout(() => wait(leftMs - TIMEOUT_MAX_MS), TIMEOUT_MAX_MS)
        : setTimeout(callback, leftMs);
  };
  wait(delayMs);
  return { cancel: () => clearTimeout(timer) };
}

export const systemChance: Chance = {
  next: () => Math.random(),
  uuid: () => randomUUID(),
};
