/** JSON merge patch (RFC 7386): applying one, and computing one from two objects. */

import { isJsonObject, type Json, type JsonObject } from "../../core/std/json.js";
import { isList, jsonEqual } from "./equal.js";
import { member, withMember, withoutMember } from "./objects.js";

/**
 * `target` changed as `patch` says. Nothing is mutated; what the patch leaves alone is shared with `target`, and a patch
 * that changes nothing answers `target` itself.
 */
export function applyMergePatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return jsonEqual(target, patch) ? (target ?? patch) : patch;
  const isObject = isJsonObject(target);
  let result: JsonObject = isObject ? target : {};
  for (const [key, change] of Object.entries(patch)) {
    result = change === null ? dropped(result, key) : merged(result, key, change);
  }
  return result;
}

function dropped(object: JsonObject, key: string): JsonObject {
  return Object.hasOwn(object, key) ? withoutMember(object, key) : object;
}

function merged(object: JsonObject, key: string, change: Json): JsonObject {
  const before = member(object, key);
  const after = applyMergePatch(before, change);
  return after === before ? object : withMember(object, key, after);
}

/**
 * The merge patch that turns `from` into `to`; `{}` when they are equal. Lists are replaced whole. A null inside `to`
 * cannot be said in a merge patch and comes out as "no such member".
 */
export function computeMergePatch(from: JsonObject, to: JsonObject): JsonObject {
  let patch: JsonObject = {};
  for (const key of Object.keys(from)) {
    if (!Object.hasOwn(to, key)) patch = withMember(patch, key, null);
  }
  for (const [key, after] of Object.entries(to)) {
    const change = memberChange(member(from, key), after);
    if (change !== undefined) patch = withMember(patch, key, change);
  }
  return patch;
}

/** Undefined: nothing to say about this member. */
function memberChange(before: Json | undefined, after: Json | undefined): Json | undefined {
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
