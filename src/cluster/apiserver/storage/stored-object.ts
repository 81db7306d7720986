/** One revision of one object as it is held in memory: its rows apart, put together only for a reader who asks. */

import type { KubeObject } from "../../../core/model/kube/meta.js";
import { isJsonObject, type Json, type JsonObject } from "../../../core/std/json.js";
import { plain } from "../../../core/std/plain.js";
import type { RowTable } from "./row-table.js";

/** Path of the member whose own members are kept as rows: `["status", "nodes"]`. */
export type RowField = readonly string[];

export class StoredObject {
  #object: KubeObject | undefined;

  constructor(
    readonly revision: number,
    /** Frozen; where `table` is set, `{}` stands at `field`. */
    readonly bare: KubeObject,
    readonly table?: RowTable,
    readonly field?: RowField,
  ) {}

  /** The whole object, frozen. Its row field is put together when it is first read. */
  get object(): KubeObject {
    this.#object ??= this.#compose();
    return this.#object;
  }

  #compose(): KubeObject {
    const { table, field } = this;
    if (table === undefined || field === undefined) return this.bare;
    return composed(this.bare, field, () => table.whole());
  }
}

function composed<T extends object>(object: T, [name = "", ...rest]: RowField, whole: () => JsonObject): T {
  // Only what holds the rows is an unusual object; it is read by everyone, and a plain copy is read faster.
  if (rest.length > 0)
    return Object.freeze({ ...plain, ...object, [name]: composed(below(object, name), rest, whole) });
  return Object.freeze(Object.defineProperty({ ...plain, ...object }, name, { get: whole, enumerable: true }));
}

function below(object: object, name: string): JsonObject {
  const value: unknown = Reflect.get(object, name);
  return isJsonObject(value) ? value : {};
}

/** The value at `field`; undefined when there is none. Does not read a member below `field`. */
export function valueAtField(object: unknown, field: RowField): Json | undefined {
  let value: unknown = object;
  for (const name of field) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return isJson(value) ? value : undefined;
}

function isJson(value: unknown): value is Json {
  return value !== undefined;
}

/** `object` with `value` at `field`, whose parents exist; what is not on the path is shared, nothing is frozen. */
export function withFieldValue(object: JsonObject, [name = "", ...rest]: RowField, value: Json): JsonObject {
  const child = object[name];
  return {
    ...plain,
    ...object,
    [name]: rest.length === 0 ? value : withFieldValue(isJsonObject(child) ? child : {}, rest, value),
  };
}
