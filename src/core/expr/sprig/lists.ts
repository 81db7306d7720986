/** sprig's functions on lists. */

import { compareUtf8 } from "../../std/order.js";
import { distinct } from "../values/distinct.js";
import { equalValues } from "../values/operations.js";
import { type ExprValue, goTypeOf, isList, isMap, ValueFault } from "../values/value.js";
import { castString, castTexts, isEmpty } from "./cast.js";
import { aliases, define, defineVariadic, type SprigRow } from "./define.js";

/** A function of one list, also under its name with `must`. */
function ofList(name: string, verb: string, operation: (list: readonly ExprValue[]) => ExprValue): readonly SprigRow[] {
  const row = define(name, ["any"], ([list]) => operation(listOf(list, verb)));
  return [row, ...aliases(row, must(name))];
}

function must(name: string): string {
  return `must${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function listOf(value: ExprValue, verb: string): readonly ExprValue[] {
  if (isList(value)) return value;
  throw new ValueFault(`Cannot ${verb} on type ${value === null ? "invalid" : kindName(value)}`);
}

function kindName(value: ExprValue): string {
  return isMap(value) ? "map" : goTypeOf(value);
}

const append = define("append", ["any", "any"], ([list, value]) => [...listOf(list, "push"), value]);
const prepend = define("prepend", ["any", "any"], ([list, value]) => [value, ...listOf(list, "prepend")]);
const without = defineVariadic("without", [["any"], "any"], ([list], omitted, call) => {
  const elements = listOf(list, "find without");
  call.spend(Math.floor((elements.length * omitted.length) / 16));
  return elements.filter((element) => !omitted.some((other) => equalValues(element, other)));
});
const has = define("has", ["any", "any"], ([needle, list]) =>
  list === null ? false : listOf(list, "find has").some((element) => equalValues(element, needle)),
);
const slice = defineVariadic("slice", [["any"], "any"], ([list], [start, end]) =>
  listOf(list, "slice").slice(indexOf(start), end === undefined ? undefined : indexOf(end)),
);
const chunk = define("chunk", ["int", "any"], ([size, list]) => chunks(listOf(list, "chunk"), size));

export const listRows: readonly SprigRow[] = [
  defineVariadic("list", [[], "any"], (_none, values) => values),
  defineVariadic("tuple", [[], "any"], (_none, values) => values),
  append,
  ...aliases(append, "push", "mustAppend", "mustPush"),
  prepend,
  ...aliases(prepend, "mustPrepend"),
  ...ofList("first", "find first", (list) => list[0] ?? null),
  ...ofList("last", "find last", (list) => list.at(-1) ?? null),
  ...ofList("rest", "find rest", (list) => list.slice(1)),
  ...ofList("initial", "find initial", (list) => list.slice(0, -1)),
  ...ofList("reverse", "find reverse", (list) => list.toReversed()),
  ...ofList("uniq", "find uniq", (list) => distinct(list, (scalar) => scalar)),
  ...ofList("compact", "compact", (list) => list.filter((element) => !isEmpty(element))),
  without,
  ...aliases(without, "mustWithout"),
  has,
  ...aliases(has, "mustHas"),
  slice,
  ...aliases(slice, "mustSlice"),
  chunk,
  ...aliases(chunk, "mustChunk"),
  defineVariadic("concat", [[], "any"], (_none, lists) => lists.flatMap((list) => listOf(list, "concat"))),
  define("sortAlpha", ["any"], ([list]) =>
    isList(list) ? [...castTexts(list)].sort(compareUtf8) : [castString(list)],
  ),
];

function indexOf(value: ExprValue | undefined): number {
  return typeof value === "bigint" || typeof value === "number" ? Math.trunc(Number(value)) : 0;
}

function chunks(list: readonly ExprValue[], size: number): readonly ExprValue[] {
  if (size <= 0) throw new ValueFault("runtime error: integer divide by zero");
  const parts: ExprValue[] = [];
  for (let index = 0; index < list.length; index += size) parts.push(list.slice(index, index + size));
  return parts;
}
