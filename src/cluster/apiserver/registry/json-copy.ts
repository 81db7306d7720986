/** What comes in is copied once and frozen, so that nobody can change it afterwards, and holds JSON only. */

import type { KubeObject } from "../../../core/model/kube/meta.js";
import { isJsonObject, type Json } from "../../../core/std/json.js";
import { plain } from "../../../core/std/plain.js";
import { badRequest } from "./refusals.js";

/** Deeper input would overflow the stack of whoever walks it. */
export const depthMax = 500;

/**
 * `value` as it would arrive over HTTP, frozen: members that are undefined are left out. Throws BadRequest for what
 * JSON cannot say, and for what is nested too deep. `known` is such a copy from before: what a client hands back of it
 * by reference, in its place, is taken as it is.
 */
export function jsonCopy(value: unknown, known?: unknown): Json {
  return copyOf(value, known, 0);
}

function copyOf(value: unknown, known: unknown, depth: number): Json {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "number") return finite(value);
  if (typeof value !== "object") throw badRequest(`the object holds a ${typeof value}, which JSON cannot say`);
  if (value === known) return known as Json;
  if (depth >= depthMax) throw badRequest(`the object is nested deeper than ${depthMax} levels`);
  if (Array.isArray(value)) return listCopy(value, known, depth);
  return plainCopy(value, known, depth);
}

function listCopy(value: readonly unknown[], known: unknown, depth: number): Json {
  const before: readonly unknown[] = Array.isArray(known) ? known : [];
  return Object.freeze(value.map((item, index) => copyOf(item ?? null, before[index], depth + 1)));
}

function plainCopy(value: object, known: unknown, depth: number): Json {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw badRequest("the object holds what is not plain data");
  const before: { readonly [key: string]: unknown } = isJsonObject(known) ? known : {};
  // A copy with all keys in place, whose members are replaced, is faster than one that grows key by key; and a member
  // called `__proto__` is then data like any other.
  const copy: Record<string, unknown> = { ...plain, ...value };
  for (const key of Object.keys(copy)) {
    const member = copy[key];
    // Most are.
    if (typeof member === "string") continue;
    if (member === undefined) delete copy[key];
    else copy[key] = copyOf(member, Object.hasOwn(before, key) ? before[key] : undefined, depth + 1);
  }
  return Object.freeze(copy as Record<string, Json>);
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
