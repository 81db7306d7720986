/** JSON merge patch (RFC 7386): applying one, and computing one from two objects. */

import { isJsonObject, type Json, type JsonObject, setOwn } from "../../core/std/json.js";
import { plain } from "../../core/std/plain.js";
import { isList, jsonEqual } from "./equal.js";
import { member } from "./objects.js";

/**
 * `target` changed as `patch` says. Nothing is mutated; what the patch leaves alone is shared with `target`, and a patch
 * that changes nothing answers `target` itself.
 */
export function applyMergePatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return jsonEqual(target, patch) ? (target ?? patch) : patch;
  const base: JsonObject = isJsonObject(target) ? target : {};
  let copy: Record<string, Json> | undefined;
  for (const key of Object.keys(patch)) {
    const change = patch[key] ?? null;
    const before = member(base, key);
    const after = change === null ? undefined : applyMergePatch(before, change);
    if (after === before) continue;
    copy ??= { ...plain, ...base };
    if (after === undefined) delete copy[key];
    else setOwn(copy, key, after);
  }
  return copy ?? base;
}

/**
 * The merge patch that turns `from` into `to`; `{}` when they are equal. Lists are replaced whole. A null inside `to`
 * cannot be said in a merge patch and comes out as "no such member".
 */
export function computeMergePatch(from: JsonObject, to: JsonObject): JsonObject {
  const patch: Record<string, Json> = {};
  for (const key of Object.keys(from)) {
    if (!Object.hasOwn(to, key)) setOwn(patch, key, null);
  }
  for (const [key, after] of Object.entries(to)) {
    const change = memberChange(member(from, key), after);
    if (change !== undefined) setOwn(patch, key, change);
  }
  return patch;
}

/** What a patch says of one member; undefined: nothing. */
export function memberChange(before: Json | undefined, after: Json | undefined): Json | undefined {
  if (before === after) return undefined;
  if (after === undefined) return before === undefined ? undefined : null;
  if (!isJsonObject(after)) return sameLeaf(before, after) ? undefined : after;
  // A patch meets a list or a scalar as if nothing stood there, so the object is spelled out.
  if (!isJsonObject(before)) return after;
  const change = computeMergePatch(before, after);
  return Object.keys(change).length === 0 ? undefined : change;
}

function sameLeaf(before: Json | undefined, after: Json): boolean {
  return after === null ? before === undefined : isList(after) && jsonEqual(before, after);
}
