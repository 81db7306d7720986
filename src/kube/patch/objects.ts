/** Changed copies of JSON objects. A key may be `__proto__`: it is data like any other and never reaches a prototype. */

import type { Json, JsonObject } from "../../core/std/json.js";

/** The own member `key`; undefined when there is none, also for names that every object inherits. */
export function member(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function withMember(object: JsonObject, key: string, value: Json): JsonObject {
  if (key !== "__proto__") return { ...object, [key]: value };
  return Object.defineProperty({ ...object }, key, { value, enumerable: true, configurable: true, writable: true });
}

export function withoutMember(object: JsonObject, key: string): JsonObject {
  const copy: Record<string, Json> = { ...object };
  delete copy[key];
  return copy;
}
