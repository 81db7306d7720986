/** The store in memory: for the simulator, for tests, and for runs that leave nothing behind. */

import type { Chance, Clock } from "../../../kube/clock.js";
import { type Batch, type LogEnd, type LogRow, type RowChange, type Store, StoreError } from "./port.js";
import { type Dated, withTheirRows } from "./replay.js";

/**
 * What outlives a crash of its owner. It keeps the values it is given by reference: they are frozen.
 * Like a disk, it has at most one owner at a time.
 */
export class MemoryDisk {
  readonly #log = new Map<number, LogRow>();
  readonly #rows = new Map<number, Map<string, KeptRow>>();
  #floor = 0;
  #revision = 0;
  #pending: PendingBatch[] = [];
  #owner = 0;
  #owned = false;

  /** Revisions on the disk, the newest last. */
  get revisions(): readonly number[] {
    return [...this.#log.keys()];
  }

  /**
   * Ends the owner as kill -9 does: of the batches that were not acknowledged, the first few may be on the disk (how
   * many, `chance` says; without it none), the rest never happened. No call in flight is ever answered, so the dead
   * server is left alone: closing it would wait for ever.
   */
  crash(chance?: Chance): void {
    const kept = chance === undefined ? 0 : Math.floor(chance.next() * (this.#pending.length + 1));
    for (const { batch } of this.#pending.slice(0, kept)) this.#write(batch);
    this.#pending = [];
    this.release();
  }

  /** Gives the disk to a new owner. Throws {@link StoreError} "owned" when there is one. */
  acquire(): number {
    if (this.#owned) throw new StoreError("owned", "the store in memory is owned by another server");
    this.#owned = true;
    return ++this.#owner;
  }

  release(): void {
    this.#owned = false;
    this.#owner++;
  }

  isOwnedBy(owner: number): boolean {
    return this.#owned && this.#owner === owner;
  }

  tell(listener: (row: LogRow, size: number) => void): LogEnd {
    const rows = [...this.#rows.values()].flatMap((kept) => [...kept.values()]);
    for (const { entry, rows: own } of withTheirRows(this.#log.values(), rows)) listener({ ...entry, rows: own }, 0);
    return { revision: this.#revision, floor: this.#floor };
  }

  enqueue(pending: PendingBatch): void {
    this.#pending.push(pending);
  }

  /** Makes `pending` and all before it durable, and tells their callers. */
  settle(pending: PendingBatch): void {
    const end = this.#pending.indexOf(pending) + 1;
    for (const { batch, acknowledge } of this.#pending.splice(0, end)) {
      this.#write(batch);
      acknowledge();
    }
  }

  #write(batch: Batch): void {
    for (const row of batch.rows) {
      this.#log.set(row.revision, row);
      if (row.rows.length > 0)
        this.#rows.set(row.revision, new Map(row.rows.map((change) => [change.id, kept(row, change)])));
      this.#revision = row.revision;
    }
    this.#floor = batch.garbage.floor;
    for (const { revision, id } of batch.garbage.items) {
      if (id === undefined) this.#log.delete(revision);
      else this.#drop(revision, id);
    }
  }

  #drop(revision: number, id: string): void {
    const rows = this.#rows.get(revision);
    rows?.delete(id);
    if (rows?.size === 0) this.#rows.delete(revision);
  }
}

interface PendingBatch {
  readonly batch: Batch;
  readonly acknowledge: () => void;
}

interface KeptRow extends Dated, RowChange {
  readonly revision: number;
}

function kept({ revision, uid }: LogRow, { id, value }: RowChange): KeptRow {
  return { revision, uid, id, value };
}

export interface MemoryStoreOptions {
  /** Left out: a new, empty one. */
  readonly disk?: MemoryDisk;
  /** Left out: a commit takes a few microtasks. Given: `commitMs` by this clock. */
  readonly clock?: Clock;
  /** Milliseconds from append to acknowledgement; left out: 0. */
  readonly commitMs?: number;
}

/** No threads, no timers of its own: what happens is fixed by the calls and by the clock given. */
export function openMemoryStore(options: MemoryStoreOptions = {}): Store {
  const disk = options.disk ?? new MemoryDisk();
  const owner = disk.acquire();
  const commitMs = options.commitMs ?? 0;
  const later = (callback: () => void): void => {
    if (options.clock === undefined) defer(callback);
    else options.clock.after(commitMs, callback);
  };
  return {
    access: "write",
    inFlightMax: 8,
    replay: async (tell) => disk.tell(tell),
    append: (batch) =>
      new Promise((resolve) => {
        // A crashed owner's calls hang, as those of a dead process do.
        if (!disk.isOwnedBy(owner)) return;
        const pending = { batch, acknowledge: () => resolve(batch.rows.map(() => 0)) };
        disk.enqueue(pending);
        later(() => {
          if (disk.isOwnedBy(owner)) disk.settle(pending);
        });
      }),
    defer,
    close: async () => {
      if (disk.isOwnedBy(owner)) disk.release();
    },
  };
}

/** As queueMicrotask, for which Node makes a resource of its own each time. */
function defer(callback: () => void): void {
  void Promise.resolve().then(callback);
}
