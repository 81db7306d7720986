/** The live objects of one type, and the events that led to them. */

import { compareUtf8 } from "../../../core/std/order.js";
import { EventRing } from "./event-ring.js";
import type { StoredObject } from "./stored-object.js";

export interface Entry {
  /** What readers see; undefined: there is no such object (yet, or any more). */
  committed: StoredObject | undefined;
  /** Writes that wait for their commit, the newest last. */
  readonly pending: PendingWrite[];
  /** The revision that the next write replaces, also when it was a deletion; 0 when there was none. */
  revision: number;
}

export interface PendingWrite {
  readonly after: StoredObject | undefined;
  /** Resolves when the write is durable (true) or lost (false). */
  readonly done: Promise<boolean>;
}

/** What the next write meets: the newest write, committed or not. */
export function headOf(entry: Entry | undefined): StoredObject | undefined {
  const newest = entry?.pending.at(-1);
  return newest === undefined ? entry?.committed : newest.after;
}

export class Collection {
  readonly entries = new Map<string, Entry>();
  readonly events = new EventRing();
  readonly #listeners = new Set<() => void>();
  #sorted: readonly string[] | undefined;

  constructor(readonly name: string) {}

  entry(path: string): Entry {
    const known = this.entries.get(path);
    if (known !== undefined) return known;
    const entry: Entry = { committed: undefined, pending: [], revision: 0 };
    this.entries.set(path, entry);
    return entry;
  }

  /** Paths of the committed objects, sorted. */
  paths(): readonly string[] {
    this.#sorted ??= [...this.entries]
      .filter(([, entry]) => entry.committed !== undefined)
      .map(([path]) => path)
      .sort(compareUtf8);
    return this.#sorted;
  }

  /** Puts a committed write into what readers see. */
  apply(path: string, after: StoredObject | undefined): void {
    const entry = this.entry(path);
    if ((entry.committed === undefined) !== (after === undefined)) this.#sorted = undefined;
    entry.committed = after;
  }

  /** Frees the place of an object that is gone, unless it was taken again. */
  forget(path: string, revision: number): void {
    const entry = this.entries.get(path);
    if (entry?.revision === revision && entry.pending.length === 0 && entry.committed === undefined) {
      this.entries.delete(path);
    }
  }

  /** Calls `listener` after events were pushed, or when watches must look whether they are still served. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  wake(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
