/** The recent events of one collection, in order: what a watch reads from. */

import type { StoredObject } from "./stored-object.js";

export interface LedgerEvent {
  readonly revision: number;
  readonly collection: string;
  /** Undefined: the object is new. */
  readonly before: StoredObject | undefined;
  /** Undefined: the object was deleted. */
  readonly after: StoredObject | undefined;
  /** The object as of this revision: `after`, or the deleted object's last state. */
  readonly last: StoredObject;
}

/** Numbered from 0 on; the oldest are dropped by {@link shift}, and keep their numbers. */
export class EventRing {
  #events: LedgerEvent[] = [];
  #start = 0;
  #first = 0;

  /** Number of the oldest event that is kept. */
  get first(): number {
    return this.#first;
  }

  /** Number of the next event to come. */
  get end(): number {
    return this.#first + this.#events.length - this.#start;
  }

  push(event: LedgerEvent): void {
    this.#events.push(event);
  }

  at(number: number): LedgerEvent | undefined {
    return number < this.#first ? undefined : this.#events[this.#start + number - this.#first];
  }

  /** Forgets the oldest event. */
  shift(): void {
    if (this.end === this.#first) return;
    this.#start++;
    this.#first++;
    // Moving the rest for each event would cost their number squared.
    if (this.#start > 1024 && this.#start * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#start);
      this.#start = 0;
    }
  }

  /** Number of the first event above `revision`; {@link end} when there is none. */
  after(revision: number): number {
    let low = this.#first;
    let high = this.end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.at(middle)?.revision ?? 0) > revision) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
