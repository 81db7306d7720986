/** What the owner's main thread and its writer thread say to each other. Values travel as JSON text. */

import type { StoreFault } from "./port.js";

export interface WriterData {
  readonly path: string;
  /**
   * "read": there is nothing to do for the thread when all is told. "read alone": with no other reader beside it, where the
   * disk has no room for what readers share.
   */
  readonly access: "write" | "read" | "read alone";
  /** Milliseconds to wait for a reader to leave, or an owner to end, before the store counts as owned. */
  readonly patienceMs: number;
  /** Milliseconds without a batch before what nobody needs is dropped: that must not make a writer wait. */
  readonly idleMs: number;
}

export interface TextRow {
  readonly revision: number;
  readonly key: string;
  readonly previous: number;
  readonly uid: string;
  /** JSON; null: deleted. */
  readonly text: string | null;
  readonly rows: readonly TextChange[];
}

export interface TextChange {
  readonly id: string;
  readonly revision: number;
  /** JSON; null: gone. */
  readonly text: string | null;
}

/** `[revision, id]` of a row, or `[revision, null]` of a log row. */
export type TextGarbage = readonly [revision: number, id: string | null];

/** Rows as one flat list: copying that to another thread costs a third of what objects in lists cost. */
export type Packed = readonly (string | number | null)[];

export function packed(rows: readonly TextRow[]): Packed {
  const list: (string | number | null)[] = [];
  for (const { revision, key, previous, uid, text, rows: changes } of rows) {
    list.push(revision, key, previous, uid, text, changes.length);
    for (const change of changes) list.push(change.id, change.text);
  }
  return list;
}

/** The inverse of {@link packed}. */
export function unpacked(list: Packed): readonly TextRow[] {
  const rows: TextRow[] = [];
  let index = 0;
  const text = (): string | null => {
    const value = list[index++];
    return typeof value === "string" ? value : null;
  };
  const number = (): number => Number(list[index++]);
  while (index < list.length) {
    const [revision, key, previous, uid, value] = [number(), text() ?? "", number(), text() ?? "", text()];
    const changes = Array.from({ length: number() }, () => ({ id: text() ?? "", revision, text: text() }));
    rows.push({ revision, key, previous, uid, text: value, rows: changes });
  }
  return rows;
}

export type ToWriter =
  | {
      readonly kind: "append";
      readonly epoch: number;
      readonly rows: Packed;
      readonly floor: number;
      readonly garbage: readonly TextGarbage[];
    }
  | { readonly kind: "close" };

export type FromWriter =
  /** Some of what the log holds, in order of revision; before "opened". */
  | { readonly kind: "replay"; readonly rows: readonly TextRow[] }
  | { readonly kind: "opened"; readonly revision: number; readonly floor: number }
  /** The oldest batch that waits is durable. */
  | { readonly kind: "durable" }
  /** The oldest batch that waits is lost; before "opened": the store cannot be opened. */
  | { readonly kind: "failed"; readonly fault: StoreFault; readonly message: string }
  | { readonly kind: "closed" };
