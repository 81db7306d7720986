/** The store's port: an append-only log of object revisions, with the rows that belong to them. */

import type { KubeObject } from "../../../core/model/kube/meta.js";
import type { Json } from "../../../core/std/json.js";

/** One revision of one object. */
export interface LogRow {
  /** Grows with every row; it is the object's resourceVersion. Numbers may be left out. */
  readonly revision: number;
  /** `collection/namespace/name`; the namespace is empty for cluster-scoped objects. */
  readonly key: string;
  /** The revision that this one replaces, also when that was a deletion; 0 when the log knows none. */
  readonly previous: number;
  /** The object without its row field; undefined when this revision deletes it. Frozen, also when replayed. */
  readonly value: KubeObject | undefined;
  /** UID of the object, which names its rows. */
  readonly uid: string;
  /** Changed members of the object's row field. A deletion takes all of them, without naming them. */
  readonly rows: readonly RowChange[];
}

export interface RowChange {
  readonly id: string;
  /** Undefined: the member is gone. */
  readonly value: Json | undefined;
  /** In a replay: the revision that wrote it. Left out: that of its log row. */
  readonly revision?: number;
}

/** What nothing needs any more. It may be dropped at any later time, in this order and not otherwise. */
export interface Garbage {
  /** Revisions above this one can still be watched; those at or below it are incomplete. */
  readonly floor: number;
  readonly items: readonly GarbageItem[];
}

/** A log row, or where `id` is given a row that was written with it. */
export interface GarbageItem {
  readonly revision: number;
  readonly id?: string;
}

export interface Batch {
  /**
   * A batch that fails takes with it every later batch of the same epoch, whose rows build on it. The caller then goes
   * on with a higher number.
   */
  readonly epoch: number;
  readonly rows: readonly LogRow[];
  readonly garbage: Garbage;
}

/** What an opened log ends with. */
export interface LogEnd {
  readonly revision: number;
  readonly floor: number;
}

/** A driver of the log. One process writes at a time; the driver sees to that. */
export interface Store {
  /** "read": every append is refused. */
  readonly access: "write" | "read";
  /**
   * Tells every log row there is, in order of revision, with its size in bytes (0 where it does not matter); called
   * once, before the first append. Rows whose own log row was dropped come with the next one of their object.
   */
  replay(tell: (row: LogRow, size: number) => void): Promise<LogEnd>;
  /**
   * Resolves when the batch is durable, with the sizes of its rows. Batches are durable in the order of the calls: a
   * crash loses a suffix of those that were not acknowledged, and never part of a batch. Rejects with
   * {@link StoreError}.
   */
  append(batch: Batch): Promise<readonly number[]>;
  /** Calls back soon, when whoever was just answered has had the chance to write again: that makes batches large. */
  defer(callback: () => void): void;
  /** Batches that may wait for their commit at once; at least 1. */
  readonly inFlightMax: number;
  close(): Promise<void>;
}

export type StoreFault =
  /** Another process owns the store. */
  | "owned"
  /** There is no store at this path (reading only). */
  | "absent"
  /** The file is not ours, or damaged. */
  | "unreadable"
  /** No room; the batch was not written, and a later one may succeed. */
  | "full"
  /** Opened for reading only. */
  | "read-only"
  /** It is not known whether the batch was written; nothing can be written any more. */
  | "broken";

export class StoreError extends Error {
  override readonly name = "StoreError";

  constructor(
    readonly fault: StoreFault,
    message: string,
  ) {
    super(message);
  }
}
