/** JSON values, their canonical text and their equality. */

import { compareUtf8 } from "./order.js";

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `Array.isArray` for readonly lists, which the built-in guard does not narrow. */
export function isJsonList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** Compact JSON with keys in UTF-8 order: equal values have equal texts. Fields that are `undefined` are left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? "null";
}

/** Deep equality; a field that is `undefined` equals an absent one, and the order of keys does not matter. */
export function jsonEquals(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && listsEqual(a, b);
  if (Array.isArray(b) || !isRecord(a) || !isRecord(b)) return false;
  return recordsEqual(a, b);
}

/** Sets `key` as an own field whatever its name: plain assignment would let `__proto__` change the prototype. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const result: Record<string, unknown> = {};
  // Integer-like keys come first in any JavaScript object, in every run alike: the text stays canonical.
  for (const key of Object.keys(value).sort(compareUtf8)) setOwn(result, key, sorted(value[key]));
  return result;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function listsEqual(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => jsonEquals(item, b[index]));
}

function recordsEqual(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const keys = definedKeys(a);
  return (
    keys.length === definedKeys(b).length && keys.every((key) => Object.hasOwn(b, key) && jsonEquals(a[key], b[key]))
  );
}

function definedKeys(value: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}
