/**
 * Clears away what ended pods leave, a few of them together and a moment later: whoever comes after them starts first,
 * and a disk that has just removed files is slow to write the records that a start and an end wait for.
 */

import type { Clock, Timer } from "../../kube/clock.js";

const MOMENT_MS = 250;

export class Clearing {
  readonly #clock: Clock;
  #waiting: (() => Promise<void>)[] = [];
  #timer: Timer | undefined;
  readonly #underWay = new Set<Promise<void>>();
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What is waited for or under way. */
  get size(): number {
    return this.#waiting.length + this.#underWay.size;
  }

  /** Calls `clear` after a moment. It never rejects. */
  add(clear: () => Promise<void>): void {
    this.#waiting.push(clear);
    if (this.#isClosed) this.#begin();
    else this.#timer ??= this.#clock.after(MOMENT_MS, () => this.#begin());
  }

  /** Nothing is started any more: nobody waits. Resolves when all is cleared away. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#begin();
    await Promise.all(this.#underWay);
  }

  #begin(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const clear of waiting) {
      const done = clear().finally(() => this.#underWay.delete(done));
      this.#underWay.add(done);
    }
  }
}
