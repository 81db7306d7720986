/** sprig's functions on maps. Nothing is changed in place: `set` and its like answer a new map. */

import { sortedEntries } from "../values/print.js";
import { type ExprKey, type ExprMap, type ExprValue, isMap, ValueFault } from "../values/value.js";
import { castString } from "./cast.js";
import { aliases, define, defineVariadic, type SprigRow } from "./define.js";

const merge = defineVariadic("merge", [["map"], "map"], ([first], others) =>
  others.reduce<ExprMap>((merged, other) => combine(merged, other, "first"), first),
);
const mergeOverwrite = defineVariadic("mergeOverwrite", [["map"], "map"], ([first], others) =>
  others.reduce<ExprMap>((merged, other) => combine(merged, other, "last"), first),
);

export const dictRows: readonly SprigRow[] = [
  defineVariadic("dict", [[], "any"], (_none, values) => dictOf(values)),
  define("get", ["map", "string"], ([map, key]) => map.get(key) ?? (map.has(key) ? null : "")),
  define("set", ["map", "string", "any"], ([map, key, value]) => new Map([...map, [key, value]])),
  define("unset", ["map", "string"], ([map, key]) => new Map([...map].filter(([name]) => name !== key))),
  define("hasKey", ["map", "string"], ([map, key]) => map.has(key)),
  defineVariadic("pluck", [["string"], "map"], ([key], maps) =>
    maps.filter((map) => map.has(key)).map((map) => map.get(key) ?? null),
  ),
  defineVariadic("keys", [[], "map"], (_none, maps) => maps.flatMap((map) => sortedEntries(map).map(([key]) => key))),
  define("values", ["map"], ([map]) => sortedEntries(map).map(([, value]) => value)),
  defineVariadic("pick", [["map"], "string"], ([map], keys) => new Map([...map].filter(([key]) => isOneOf(key, keys)))),
  defineVariadic(
    "omit",
    [["map"], "string"],
    ([map], keys) => new Map([...map].filter(([key]) => !isOneOf(key, keys))),
  ),
  merge,
  ...aliases(merge, "mustMerge"),
  mergeOverwrite,
  ...aliases(mergeOverwrite, "mustMergeOverwrite"),
  defineVariadic("dig", [[], "any"], (_none, values) => dig(values)),
];

function isOneOf(key: ExprKey, keys: readonly string[]): boolean {
  return typeof key === "string" && keys.includes(key);
}

function dictOf(values: readonly ExprValue[]): ExprMap {
  const map = new Map<ExprKey, ExprValue>();
  for (let index = 0; index < values.length; index += 2) {
    map.set(castString(values[index] ?? null), index + 1 < values.length ? (values[index + 1] ?? null) : "");
  }
  return map;
}

const MAX_NESTING = 100;

/** Maps inside are combined too; of anything else the first or the last one stays. */
function combine(left: ExprMap, right: ExprMap, wins: "first" | "last", depth = 0): ExprMap {
  if (depth > MAX_NESTING) throw new ValueFault("map is nested too deeply");
  const merged = new Map(left);
  for (const [key, value] of right) {
    const present = merged.get(key);
    if (isMap(present) && isMap(value)) merged.set(key, combine(present, value, wins, depth + 1));
    else if (!merged.has(key) || wins === "last") merged.set(key, value);
  }
  return merged;
}

/** `dig(name, …, fallback, map)`. */
function dig(values: readonly ExprValue[]): ExprValue {
  if (values.length < 3) throw new ValueFault("dig needs at least three arguments");
  const map = values.at(-1) ?? null;
  const fallback = values.at(-2) ?? null;
  let value: ExprValue = map;
  for (const name of values.slice(0, -2)) {
    if (!isMap(value) || typeof name !== "string") {
      throw new ValueFault("interface conversion: interface {} is not map[string]interface {}");
    }
    if (!value.has(name)) return fallback;
    value = value.get(name) ?? null;
  }
  return value;
}
