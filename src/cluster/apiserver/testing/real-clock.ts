/** The machine's own clock, for tests that meet real disks and sockets. */

import type { Clock } from "../../../kube/clock.js";

export const realClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  monotonic: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
};
