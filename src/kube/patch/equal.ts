/** Equality of JSON values: by value, whatever the order of keys. */

import { isJsonObject, type Json, type JsonObject } from "../../core/std/json.js";

/** Whether `a` and `b` are the same JSON value; 0 and -0 are the same number. */
export function jsonEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, index) => jsonEqual(item, b[index]));
  return isJsonObject(a) && isJsonObject(b) && objectsEqual(a, b);
}

function objectsEqual(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key]));
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}
