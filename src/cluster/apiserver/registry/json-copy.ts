/** What comes in is copied once and frozen, so that nobody can change it afterwards, and holds JSON only. */

import type { KubeObject } from "../../../core/model/kube/meta.js";
import { isJsonObject, type Json } from "../../../core/std/json.js";
import { badRequest } from "./refusals.js";

/** Deeper input would overflow the stack of whoever walks it. */
export const depthMax = 500;

/**
 * `value` as it would arrive over HTTP, frozen: members that are undefined are left out. Throws BadRequest for what
 * JSON cannot say, and for what is nested too deep.
 */
export function jsonCopy(value: unknown, depth = 0): Json {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "number") return finite(value);
  if (typeof value !== "object") throw badRequest(`the object holds a ${typeof value}, which JSON cannot say`);
  if (depth >= depthMax) throw badRequest(`the object is nested deeper than ${depthMax} levels`);
  if (Array.isArray(value)) return Object.freeze(value.map((item) => jsonCopy(item ?? null, depth + 1)));
  return plainCopy(value, depth);
}

function plainCopy(value: object, depth: number): Json {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw badRequest("the object holds what is not plain data");
  const copy: Record<string, Json> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    if (key === "__proto__") Object.defineProperty(copy, key, { value: jsonCopy(member, depth + 1), enumerable: true });
    else copy[key] = jsonCopy(member, depth + 1);
  }
  return Object.freeze(copy);
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw badRequest(`the object holds ${value}, which JSON cannot say`);
  return value;
}

/** Whether `value` has what every object has: apiVersion, kind and metadata. */
export function isKubeObject(value: unknown): value is KubeObject {
  return (
    isJsonObject(value) &&
    typeof value["apiVersion"] === "string" &&
    typeof value["kind"] === "string" &&
    isJsonObject(value["metadata"])
  );
}
