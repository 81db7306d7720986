/** Kubernetes' strategic merge patch: objects field by field, lists with a merge key element by element. */

import { isJsonList, isJsonObject, type Json, type JsonObject, setOwn } from "../../std/json.js";
import { resolveNode, type SchemaNode } from "../codec/schema.js";

/**
 * `base` as `patch` changes it. `node` tells which lists have a merge key; every other list is replaced, null takes a
 * field away. Of Kubernetes' directives `$patch` (replace, delete) and `$retainKeys` are obeyed; an order of elements
 * is not: elements keep their places and new ones come last.
 */
export function strategicMerge(node: SchemaNode, base: JsonObject, patch: JsonObject): JsonObject {
  if (patch["$patch"] === "delete") return {};
  const merged: Record<string, Json> = patch["$patch"] === "replace" ? {} : { ...retained(base, patch["$retainKeys"]) };
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith("$")) continue;
    if (value === null) delete merged[key];
    else
      setOwn(merged, key, mergedValue(childOf(node, key), Object.hasOwn(merged, key) ? merged[key] : undefined, value));
  }
  return merged;
}

function mergedValue(node: SchemaNode, base: Json | undefined, patch: Json): Json {
  if (isJsonObject(patch)) return strategicMerge(node, isJsonObject(base) ? base : {}, patch);
  const resolved = resolveNode(node);
  if (!isJsonList(patch) || resolved.kind !== "list" || resolved.mergeKey === undefined) return patch;
  return mergedList({ item: resolved.item, key: resolved.mergeKey }, isJsonList(base) ? base : [], patch);
}

function mergedList(
  { item, key }: { readonly item: SchemaNode; readonly key: string },
  base: readonly Json[],
  patch: readonly Json[],
): readonly Json[] {
  const isWhole = patch.some((one) => isJsonObject(one) && one["$patch"] === "replace" && one[key] === undefined);
  const merged: Json[] = isWhole ? [] : [...base];
  for (const one of patch) {
    if (!isJsonObject(one)) merged.push(one);
    else if (one[key] !== undefined) mergeElement(merged, { item, key }, one);
    // An element without its key is nobody's: whoever reads the result finds it faulty.
    else if (one["$patch"] === undefined) merged.push(one);
  }
  return merged;
}

function mergeElement(
  merged: Json[],
  { item, key }: { readonly item: SchemaNode; readonly key: string },
  patch: JsonObject,
): void {
  const at = merged.findIndex((one) => isJsonObject(one) && one[key] === patch[key]);
  const found = merged[at];
  if (patch["$patch"] === "delete") {
    if (at >= 0) merged.splice(at, 1);
  } else if (isJsonObject(found)) merged[at] = strategicMerge(item, found, patch);
  else merged.push(strategicMerge(item, {}, patch));
}

/** `$retainKeys`: of the old fields only these stay (a volume changes its source). */
function retained(base: JsonObject, keys: Json | undefined): JsonObject {
  if (!isJsonList(keys)) return base;
  return Object.fromEntries(Object.entries(base).filter(([key]) => keys.includes(key)));
}

const ANY: SchemaNode = { kind: "json" };

function childOf(node: SchemaNode, key: string): SchemaNode {
  const resolved = resolveNode(node);
  if (resolved.kind === "map") return resolved.value;
  return (resolved.kind === "object" ? resolved.fields.get(key)?.node : undefined) ?? ANY;
}
