/** For how long a lease is surely ours, by two clocks: the wall clock goes on in a suspended machine, the other never jumps. */

import type { Clock } from "../clock.js";
import { FencedError } from "../errors.js";

/** A wall clock set back by more than this since the last renewal hides how long we may have slept. */
const setBackMaxMs = 1000;

interface Held {
  readonly renewedMonotonic: number;
  readonly renewedWall: number;
}

/** Holds until `validMs` after the last renewal was *begun*; that must be well below the lease's own duration, so that a
 * request under way lands before anyone else may take over. */
export class Tenure {
  readonly #clock: Clock;
  readonly #validMs: number;
  #held: Held | undefined;

  constructor(clock: Clock, validMs: number) {
    this.#clock = clock;
    this.#validMs = validMs;
  }

  /** The API confirmed a claim that was sent at these times. */
  confirm(sent: { readonly monotonic: number; readonly wall: number }): void {
    this.#held = { renewedMonotonic: sent.monotonic, renewedWall: sent.wall };
  }

  end(): void {
    this.#held = undefined;
  }

  /** Whether both clocks say that the lease is ours, now. */
  isHeld(): boolean {
    if (this.#held === undefined) return false;
    const monotonicMs = this.#clock.monotonic() - this.#held.renewedMonotonic;
    const wallMs = this.#clock.now() - this.#held.renewedWall;
    return monotonicMs < this.#validMs && wallMs < this.#validMs && wallMs >= -setBackMaxMs;
  }

  /** Throws {@link FencedError} unless the lease is ours at this very moment. */
  readonly guard = (): void => {
    if (!this.isHeld()) throw new FencedError("not sent: this process does not hold the lease (any more)");
  };
}
