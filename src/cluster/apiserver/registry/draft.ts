/** An object on its way to the log: what it will be, with its row field as a list of changes. */

import type { KubeObject } from "../../../core/model/kube/meta.js";
import { assert } from "../../../core/std/assert.js";
import { isJsonObject, type Json, type JsonObject } from "../../../core/std/json.js";
import { plain } from "../../../core/std/plain.js";
import { deepFreeze } from "../../../kube/freeze.js";
import { jsonEqual } from "../../../kube/patch/equal.js";
import { applyMergePatch } from "../../../kube/patch/merge-patch.js";
import type { RowChange } from "../storage/port.js";
import { RowTable } from "../storage/row-table.js";
import { type RowField, StoredObject, valueAtField, withFieldValue } from "../storage/stored-object.js";
import { isKubeObject, jsonCopy } from "./json-copy.js";
import { badRequest } from "./refusals.js";

export interface Draft {
  /** The object; where it has rows, `{}` stands at the row field. */
  readonly bare: KubeObject;
  /** How the rows differ from the object that the draft replaces. */
  readonly rows: readonly RowChange[];
}

/** What a client sent, checked to be an object of JSON, with its row field apart. */
export function draftOf(input: unknown, before: StoredObject | undefined, field: RowField | undefined): Draft {
  if (field !== undefined && isJsonObject(input) && sameRows(input, before, field)) {
    return { bare: checked(jsonCopy(withFieldValue(input, field, {}), before?.bare)), rows: [] };
  }
  return split(checked(jsonCopy(input, before?.bare)), before, field);
}

/** A reader that changed something else hands the rows back as it got them. */
function sameRows(input: JsonObject, before: StoredObject | undefined, field: RowField): boolean {
  return before?.table?.isWhole(valueAtField(input, field)) === true;
}

export function checked(value: Json): KubeObject {
  if (isKubeObject(value)) return value;
  throw badRequest("the object has no apiVersion, kind or metadata");
}

/** `object` with its row field compared to the rows there are: costs their number. */
export function split(object: KubeObject, before: StoredObject | undefined, field: RowField | undefined): Draft {
  if (field === undefined) return { bare: object, rows: [] };
  const given = valueAtField(object, field);
  if (!isJsonObject(given)) return { bare: object, rows: removals(before) };
  return { bare: checked(withFieldValue(jsonOf(object), field, {})), rows: rowChanges(before?.table, given) };
}

function removals(before: StoredObject | undefined): readonly RowChange[] {
  return (before?.table?.ids() ?? []).map((id) => ({ id, value: undefined }));
}

function rowChanges(table: RowTable | undefined, given: JsonObject): readonly RowChange[] {
  if (table?.isWhole(given) === true) return [];
  const changes: RowChange[] = [];
  for (const id of table?.ids() ?? []) {
    if (!Object.hasOwn(given, id)) changes.push({ id, value: undefined });
  }
  for (const [id, value] of Object.entries(given)) {
    if (!jsonEqual(table?.get(id), value)) changes.push({ id, value });
  }
  return changes;
}

/** A merge patch whose row field names the rows to change: costs their number, whatever else there is. */
export function mergedDraft(before: StoredObject, patch: Json, field: RowField | undefined): Draft {
  const change = field === undefined ? undefined : valueAtField(patch, field);
  if (field === undefined || !reaches(patch, field)) {
    return { bare: checked(applyMergePatch(jsonOf(before.bare), patch)), rows: [] };
  }
  if (!isJsonObject(change)) return split(checked(applyMergePatch(jsonOf(before.object), patch)), before, field);
  // The patch without the row field still makes the parents and the place of the rows.
  const bare = checked(applyMergePatch(jsonOf(before.bare), withFieldValue(jsonOf(patch), field, {})));
  const rows: RowChange[] = [];
  for (const [id, value] of Object.entries(change)) {
    const row = mergedRow(before.table, id, value);
    if (row !== undefined) rows.push(row);
  }
  return { bare, rows };
}

/** Whether the patch says anything about the row field, or about one of its parents as a whole. */
function reaches(patch: Json, field: RowField): boolean {
  let value: unknown = patch;
  for (const name of field) {
    if (!isJsonObject(value)) return true;
    if (!Object.hasOwn(value, name)) return false;
    value = value[name];
  }
  return true;
}

function mergedRow(table: RowTable | undefined, id: string, change: Json): RowChange | undefined {
  const before = table?.get(id);
  if (change === null) return before === undefined ? undefined : { id, value: undefined };
  const value = applyMergePatch(before, change);
  return value === before ? undefined : { id, value };
}

/** The object as it will stand at `revision`, frozen. */
export function storedAs(
  draft: Draft,
  before: StoredObject | undefined,
  revision: number,
  field: RowField | undefined,
): StoredObject {
  const metadata = { ...plain, ...draft.bare.metadata, resourceVersion: String(revision) };
  const bare = deepFreeze({ ...plain, ...draft.bare, metadata });
  for (const { value } of draft.rows) deepFreeze(value);
  return new StoredObject(revision, bare, tableOf(draft, before, revision, field), field);
}

function tableOf(
  { bare, rows }: Draft,
  before: StoredObject | undefined,
  revision: number,
  field: RowField | undefined,
): RowTable | undefined {
  if (field === undefined || !isJsonObject(valueAtField(bare, field))) return undefined;
  if (rows.length === 0 && before?.table !== undefined) return before.table;
  return (before?.table ?? RowTable.empty()).with(rows, revision);
}

function jsonOf(object: unknown): JsonObject {
  assert(isJsonObject(object), "an object is JSON");
  return object;
}
