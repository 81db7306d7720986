/**
 * Soon after a takeover no pod may vanish by our doing: while it stands, a create of an earlier leader that arrives late is
 * refused by its name (design law 7).
 */

import type { Clock } from "../kube/clock.js";
import type { Outcome } from "../kube/worker.js";

export interface Stay {
  readonly clock: Clock;
  /** Monotonic time before which no pod may be made to vanish. */
  readonly podsStayUntil: number;
}

/** What a pass that would let a pod vanish answers instead; undefined: it may. */
export function staying({ clock, podsStayUntil }: Stay): Outcome | undefined {
  const leftMs = podsStayUntil - clock.monotonic();
  return leftMs > 0 ? { kind: "done", wakeAt: clock.now() + leftMs } : undefined;
}
