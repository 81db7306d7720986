/** From kept rows back to objects: what opening a log does. */

import { isJsonObject } from "../../../core/std/json.js";
import type { LogRow } from "./port.js";
import { RowTable } from "./row-table.js";
import { type RowField, StoredObject, valueAtField } from "./stored-object.js";

/** What a store keeps of an object at a revision. */
export interface Dated {
  readonly revision: number;
  readonly uid: string;
}

/**
 * Log rows with the rows of their object, both given in order of revision. A row whose own log row was dropped belongs
 * to the next log row of its object.
 */
export function* withTheirRows<L extends Dated, R extends Dated>(
  log: Iterable<L>,
  rows: Iterable<R>,
): Generator<{ readonly entry: L; readonly rows: readonly R[] }, void, undefined> {
  const waiting = new Map<string, R[]>();
  const iterator = rows[Symbol.iterator]();
  let next = iterator.next();
  for (const entry of log) {
    while (next.done !== true && next.value.revision <= entry.revision) {
      const list = waiting.get(next.value.uid);
      if (list === undefined) waiting.set(next.value.uid, [next.value]);
      else list.push(next.value);
      next = iterator.next();
    }
    yield { entry, rows: waiting.get(entry.uid) ?? [] };
    waiting.delete(entry.uid);
  }
}

/** The object that `row` makes of the one before it; for a deletion `after` is undefined. */
export function replayed(
  row: LogRow,
  before: StoredObject | undefined,
  field: RowField | undefined,
): { readonly after: StoredObject | undefined; readonly last: StoredObject } {
  if (row.value === undefined) return { after: undefined, last: deletedAs(before, row) };
  const object = new StoredObject(row.revision, row.value, tableOf(row, before, field), field);
  return { after: object, last: object };
}

function tableOf(row: LogRow, before: StoredObject | undefined, field: RowField | undefined): RowTable | undefined {
  if (field === undefined || !isJsonObject(valueAtField(row.value, field))) return undefined;
  const same = before?.bare.metadata.uid === row.uid ? before?.table : undefined;
  return same !== undefined && row.rows.length === 0 ? same : (same ?? RowTable.empty()).with(row.rows, row.revision);
}

/** A deleted object's last state carries the revision of its deletion. */
export function deletedAs(before: StoredObject | undefined, row: Pick<LogRow, "revision" | "uid">): StoredObject {
  const resourceVersion = String(row.revision);
  if (before === undefined) {
    const metadata = Object.freeze({ uid: row.uid, resourceVersion });
    return new StoredObject(row.revision, Object.freeze({ apiVersion: "", kind: "", metadata }));
  }
  const metadata = Object.freeze({ ...before.bare.metadata, resourceVersion });
  const bare = Object.freeze({ ...before.bare, metadata });
  return new StoredObject(row.revision, bare, before.table, before.field);
}
