/** When watchers are told how far the log has come, though nothing of theirs changed. */

import type { Clock, Timer } from "../../../kube/clock.js";

/** Milliseconds from a commit to the bookmarks that it causes. Nothing is due while nothing is written. */
const bookmarkMs = 30_000;

export interface BookmarkSeat {
  /** Whether a bookmark was due since the last call. */
  isDue(): boolean;
  leave(): void;
}

export class Bookmarks {
  readonly #clock: Clock;
  readonly #seats = new Set<() => void>();
  #timer: Timer | undefined;
  #round = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `state`: whether the watcher begins at the newest revision. */
  join(ring: () => void, state: "behind" | "up to date"): BookmarkSeat {
    let round = this.#round;
    this.#seats.add(ring);
    if (state === "behind") this.committed();
    return {
      isDue: () => {
        const isDue = this.#round > round;
        round = this.#round;
        return isDue;
      },
      leave: () => {
        this.#seats.delete(ring);
      },
    };
  }

  /** To be told of every commit. */
  committed(): void {
    if (this.#seats.size === 0) return;
    this.#timer ??= this.#clock.after(bookmarkMs, () => {
      this.#timer = undefined;
      this.#round++;
      for (const ring of [...this.#seats]) ring();
    });
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
