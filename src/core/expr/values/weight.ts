/** How much a value holds. Values share what they are made of: a few lists of lists can stand for more than any memory holds. */

import { type ExprValue, isList, isMap, ValueFault } from "./value.js";

interface Weight {
  /** Everything in it, as often as it stands there. */
  readonly total: number;
  readonly depth: number;
}

/** More would take who walks through it (a comparison, JSON) longer than anybody waits. */
const MAX_TOTAL = 2_000_000;
/** Who walks through it needs a stack. */
const MAX_DEPTH = 500;

/** Characters that count as one element: they take less room, and less time. */
const CHARACTERS_HELD = 64;
const CHARACTERS_READ = 1024;
const ELEMENTS_READ = 16;

const known = new WeakMap<object, Weight>();

function weightOf(value: ExprValue): Weight {
  if (typeof value === "string") return { total: 1 + value.length / CHARACTERS_HELD, depth: 0 };
  if (!isList(value) && !isMap(value)) return SCALAR;
  const before = known.get(value);
  if (before !== undefined) return before;
  let total = 1;
  let depth = 0;
  for (const element of value.values()) {
    const one = weightOf(element);
    total += one.total;
    depth = Math.max(depth, one.depth + 1);
  }
  const weight = { total, depth };
  known.set(value, weight);
  return weight;
}

const SCALAR: Weight = { total: 1, depth: 0 };

/** What it costs to make the value; throws a `ValueFault` for one that is too large. A list that was there costs nothing. */
export function costOfMaking(value: ExprValue): number {
  if (typeof value === "string") return Math.floor(value.length / CHARACTERS_HELD);
  if ((!isList(value) && !isMap(value)) || known.has(value)) return 0;
  const { total, depth } = weightOf(value);
  if (total > MAX_TOTAL) throw new ValueFault("memory budget exceeded");
  if (depth > MAX_DEPTH) throw new ValueFault("value is nested too deeply");
  return Math.floor((isList(value) ? value.length : value.size) / ELEMENTS_READ);
}

/** What it costs to walk through the values. */
export function costOfReading(values: readonly ExprValue[]): number {
  let cost = 0;
  for (const value of values) {
    if (typeof value === "string") cost += Math.floor(value.length / CHARACTERS_READ);
    else if (isList(value) || isMap(value)) cost += Math.floor(weightOf(value).total / ELEMENTS_READ);
  }
  return cost;
}

/** A regular expression takes a hundred times as long for a text as a mere look. */
export function costOfMatching(text: string): number {
  return Math.floor(text.length / 8);
}
