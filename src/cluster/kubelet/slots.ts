/** How many pods may run at once: the others wait, oldest first. */

export interface SlotWaiter {
  readonly uid: string;
  /** It has a slot now. */
  readonly admit: () => void;
  /** It waits; why, for people. */
  readonly wait: (message: string) => void;
}

export class Slots {
  readonly #capacity: number;
  readonly #holders = new Set<string>();
  readonly #waiting = new Map<string, SlotWaiter>();

  /** `Infinity`: all may run. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Calls `admit` or `wait` at once, and `admit` later when its turn comes. */
  request(waiter: SlotWaiter): void {
    if (this.#holders.size < this.#capacity) {
      this.#holders.add(waiter.uid);
      waiter.admit();
      return;
    }
    this.#waiting.set(waiter.uid, waiter);
    waiter.wait(`waits for a slot (${this.#holders.size} of ${this.#capacity})`);
  }

  /** Pods that have a slot or wait for one. */
  get size(): number {
    return this.#holders.size + this.#waiting.size;
  }

  /** For a pod that runs already, after a restart: it keeps its slot even when there are too many. */
  take(uid: string): void {
    this.#holders.add(uid);
  }

  /** Gives a slot, or a place in the queue, back. */
  release(uid: string): void {
    this.#waiting.delete(uid);
    if (!this.#holders.delete(uid)) return;
    for (const waiter of this.#waiting.values()) {
      if (this.#holders.size >= this.#capacity) return;
      this.#waiting.delete(waiter.uid);
      this.#holders.add(waiter.uid);
      waiter.admit();
    }
  }
}
