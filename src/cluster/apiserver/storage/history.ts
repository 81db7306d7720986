/** How far back a watch can begin, and what of the log nobody needs once an event is too old for that. */

import type { Collection } from "./collection.js";
import type { LedgerEvent } from "./event-ring.js";
import type { Garbage, GarbageItem, LogRow } from "./port.js";

export interface HistoryLimits {
  /** Events that are kept at most. */
  readonly events: number;
  /** Bytes that their log rows take at most. */
  readonly bytes: number;
}

interface Remembered {
  readonly event: LedgerEvent;
  readonly collection: Collection;
  readonly path: string;
  readonly size: number;
  /** Rows of the log that are of no use once the event is forgotten; in this order. */
  readonly garbage: readonly GarbageItem[];
}

export class History {
  readonly #limits: HistoryLimits;
  #remembered: Remembered[] = [];
  #start = 0;
  #bytes = 0;
  #floor = 0;
  #garbage: GarbageItem[] = [];

  constructor(limits: HistoryLimits) {
    this.#limits = limits;
  }

  /** Events above this revision are kept. */
  get floor(): number {
    return this.#floor;
  }

  push(event: LedgerEvent, source: { collection: Collection; path: string; row: LogRow; size: number }): void {
    const { collection, path, row, size } = source;
    collection.events.push(event);
    this.#remembered.push({ event, collection, path, size, garbage: garbageOf(event, row) });
    this.#bytes += size;
    const { events, bytes } = this.#limits;
    while (this.#count > 1 && (this.#count > events || this.#bytes > bytes)) this.#forget();
  }

  /** Forgets what is at or below `floor`. */
  raiseFloor(floor: number): void {
    while (this.#count > 0 && (this.#remembered[this.#start]?.event.revision ?? 0) <= floor) this.#forget();
    this.#floor = Math.max(this.#floor, floor);
  }

  /** What became garbage since the last call. */
  takeGarbage(): Garbage {
    const items = this.#garbage;
    this.#garbage = [];
    return { floor: this.#floor, items };
  }

  get #count(): number {
    return this.#remembered.length - this.#start;
  }

  #forget(): void {
    const oldest = this.#remembered[this.#start];
    if (oldest === undefined) return;
    const { event, collection, path } = oldest;
    this.#start++;
    if (this.#start > 1024 && this.#start * 2 > this.#remembered.length) {
      this.#remembered = this.#remembered.slice(this.#start);
      this.#start = 0;
    }
    this.#bytes -= oldest.size;
    this.#floor = event.revision;
    collection.events.shift();
    for (const item of oldest.garbage) this.#garbage.push(item);
    if (event.after === undefined) {
      for (const place of event.before?.table?.places() ?? []) this.#garbage.push(place);
      // Last: an earlier row that outlived its deletion would bring the object back.
      this.#garbage.push({ revision: event.revision });
      collection.forget(path, event.revision);
    }
  }
}

function garbageOf(event: LedgerEvent, row: LogRow): readonly GarbageItem[] {
  const items: GarbageItem[] = [];
  for (const { id, value, revision = row.revision } of row.rows) {
    const place = event.before?.table?.placeOf(id);
    if (place !== undefined) items.push(place);
    if (value === undefined) items.push({ id, revision });
  }
  if (row.previous !== 0) items.push({ revision: row.previous });
  return items;
}
