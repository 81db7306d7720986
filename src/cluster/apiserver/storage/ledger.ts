/**
 * The owner's side of the log: the live objects, the writes that wait for their commit, and the recent events. A write
 * is decided against the head at once, and becomes visible only after its commit.
 */

import { assert } from "../../../core/std/assert.js";
import { Collection, type Entry } from "./collection.js";
import type { LedgerEvent } from "./event-ring.js";
import { History, type HistoryLimits } from "./history.js";
import { type LogRow, type RowChange, type Store, StoreError } from "./port.js";
import { replayed } from "./replay.js";
import type { RowField, StoredObject } from "./stored-object.js";

/** A write that passed its preconditions. */
export interface Write {
  readonly collection: Collection;
  /** `namespace/name`. */
  readonly path: string;
  readonly revision: number;
  readonly before: StoredObject | undefined;
  readonly after: StoredObject | undefined;
  /** The object as of this revision; for a deletion its last state. */
  readonly last: StoredObject;
  readonly rows: readonly RowChange[];
}

interface Staged {
  readonly write: Write;
  readonly entry: Entry;
  readonly row: LogRow;
  readonly settle: (durable: boolean) => void;
}

/** A batch on its way. */
interface Flight {
  readonly epoch: number;
  readonly writes: readonly Staged[];
}

/** From this many writes on a batch is sent in halves: while the store writes one, its writers prepare the next. */
const splitMin = 32;

export interface LedgerOptions {
  /** Collection -> its row field. */
  readonly rowFields: ReadonlyMap<string, RowField>;
  readonly history: HistoryLimits;
}

export class Ledger {
  readonly #store: Store;
  readonly #options: LedgerOptions;
  readonly #collections = new Map<string, Collection>();
  readonly #history: History;
  readonly #listeners = new Set<(events: readonly LedgerEvent[]) => void>();
  #staged: Staged[] = [];
  #flushing = false;
  #flights: Flight[] = [];
  readonly #toWake = new Set<Collection>();
  #epoch = 1;
  #assigned = 0;
  #committed = 0;
  #failure: StoreError | undefined;
  #lastFault: StoreError | undefined;
  #closed = false;
  #last: Promise<boolean> = Promise.resolve(true);

  private constructor(store: Store, options: LedgerOptions) {
    this.#store = store;
    this.#options = options;
    this.#history = new History(options.history);
  }

  /** Replays `store` into memory. Rejects with {@link StoreError}. */
  static async open(store: Store, options: LedgerOptions): Promise<Ledger> {
    const ledger = new Ledger(store, options);
    const end = await store.replay((row, size) => ledger.#replay(row, size));
    ledger.#history.raiseFloor(end.floor);
    // An empty log is at 1: to a watch, 0 means "from the beginning".
    ledger.#assigned = Math.max(end.revision, 1);
    ledger.#committed = ledger.#assigned;
    return ledger;
  }

  /** Whether writes are taken at all. */
  get access(): Store["access"] {
    return this.#store.access;
  }

  /** The newest committed revision. */
  get revision(): number {
    return this.#committed;
  }

  /** Revisions above this one can be watched. */
  get floor(): number {
    return this.#history.floor;
  }

  /** Why nothing can be written any more; undefined while all is well. */
  get failure(): StoreError | undefined {
    return this.#failure;
  }

  /** Why the newest of the writes that were lost was lost. */
  get lastFault(): StoreError | undefined {
    return this.#lastFault;
  }

  collections(): IterableIterator<Collection> {
    return this.#collections.values();
  }

  collection(name: string): Collection {
    const known = this.#collections.get(name);
    if (known !== undefined) return known;
    const collection = new Collection(name);
    this.#collections.set(name, collection);
    return collection;
  }

  rowFieldOf(collection: string): RowField | undefined {
    return this.#options.rowFields.get(collection);
  }

  /** The revision for the write that is staged next. */
  nextRevision(): number {
    return this.#assigned + 1;
  }

  /** Queues `write`, whose revision is {@link nextRevision}. Answers whether it became durable. */
  stage(write: Write): Promise<boolean> {
    assert(write.revision === this.#assigned + 1, "a write is staged in the step that drew its revision");
    if (this.#closed || this.#failure !== undefined) return Promise.resolve(false);
    this.#assigned = write.revision;
    const entry = write.collection.entry(write.path);
    const row = rowOf(write, entry.revision);
    const done = new Promise<boolean>((settle) => {
      this.#staged.push({ write, entry, row, settle });
    });
    entry.pending.push({ after: write.after, done });
    entry.revision = write.revision;
    this.#last = done;
    this.#flushSoon();
    return done;
  }

  /** Tells `listener` of every commit, after readers can see it. */
  onCommit(listener: (events: readonly LedgerEvent[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Waits for what is staged, then gives the store back. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#last;
    for (const collection of this.#collections.values()) collection.wake();
    await this.#store.close();
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  #flushSoon(): void {
    if (this.#flushing || this.#flights.length >= this.#store.inFlightMax) return;
    this.#flushing = true;
    this.#store.defer(() => {
      this.#flushing = false;
      this.#flush();
    });
  }

  #flush(): void {
    while (this.#staged.length > 0 && this.#flights.length < this.#store.inFlightMax) this.#send(this.#company());
  }

  /** Who wrote goes on first: what it does next shall not wait until all watchers have looked at what it did. */
  #wakeSoon(collection: Collection): void {
    const isAwaited = this.#toWake.size > 0;
    this.#toWake.add(collection);
    if (isAwaited) return;
    this.#store.defer(() => {
      const woken = [...this.#toWake];
      this.#toWake.clear();
      for (const one of woken) one.wake();
    });
  }

  /** The writes that go together next, in order. */
  #company(): readonly Staged[] {
    const staged = this.#staged;
    const isSplit = staged.length >= splitMin && this.#flights.length + 1 < this.#store.inFlightMax;
    const size = isSplit ? Math.ceil(staged.length / 2) : staged.length;
    this.#staged = staged.slice(size);
    return staged.slice(0, size);
  }

  #send(writes: readonly Staged[]): void {
    const flight: Flight = { epoch: this.#epoch, writes };
    this.#flights.push(flight);
    const batch = { epoch: this.#epoch, rows: writes.map(({ row }) => row), garbage: this.#history.takeGarbage() };
    this.#store.append(batch).then(
      (sizes) => this.#commit(flight, sizes),
      (error: unknown) => this.#lose(flight, error),
    );
  }

  #commit(flight: Flight, sizes: readonly number[]): void {
    assert(flight === this.#flights.shift(), "batches are acknowledged in order");
    const { writes } = flight;
    const events = writes.map((staged, index) => this.#apply(staged, sizes[index] ?? 0));
    this.#committed = writes.at(-1)?.write.revision ?? this.#committed;
    if (this.#staged.length > 0) this.#flushSoon();
    for (const { settle } of writes) settle(true);
    // The newest first: a pod is looked at before the save that demanded it, of which its writer knows.
    for (const { write } of writes.toReversed()) this.#wakeSoon(write.collection);
    for (const listener of this.#listeners) listener(events);
  }

  #apply({ write, entry, row }: Staged, size: number): LedgerEvent {
    const { collection, before, after, last, revision, path } = write;
    entry.pending.shift();
    collection.apply(path, after);
    const event = { revision, collection: collection.name, before, after, last };
    this.#history.push(event, { collection, path, row, size });
    return event;
  }

  /** What was built on a lost write is lost with it, so the head goes back to what is committed. */
  #lose(flight: Flight, error: unknown): void {
    if (flight.epoch < this.#epoch) return;
    const fault = error instanceof StoreError ? error : new StoreError("broken", String(error));
    if (fault.fault !== "full") this.#failure = fault;
    const lost = [...this.#flights.flatMap(({ writes }) => writes), ...this.#staged];
    this.#flights = [];
    this.#staged = [];
    this.#epoch++;
    this.#lastFault = fault;
    for (const { entry, row } of lost.toReversed()) {
      entry.pending.pop();
      entry.revision = row.previous;
    }
    for (const { settle } of lost) settle(false);
  }

  #replay(row: LogRow, size: number): void {
    const { collection: name, path } = placeOf(row.key);
    const collection = this.collection(name);
    const entry = collection.entry(path);
    const before = entry.committed;
    const { after, last } = replayed(row, before, this.rowFieldOf(name));
    entry.revision = row.revision;
    collection.apply(path, after);
    const event = { revision: row.revision, collection: name, before, after, last };
    this.#history.push(event, { collection, path, row, size });
  }
}

function rowOf(write: Write, previous: number): LogRow {
  return {
    revision: write.revision,
    key: `${write.collection.name}/${write.path}`,
    previous,
    value: write.after?.bare,
    uid: write.last.bare.metadata.uid ?? "",
    rows: write.rows,
  };
}

function placeOf(key: string): { readonly collection: string; readonly path: string } {
  const end = key.indexOf("/");
  return { collection: key.slice(0, end), path: key.slice(end + 1) };
}
