/** Builtins on lists and maps, and JSON. */

import { parseGoJson } from "../../std/go-json.js";
import { distinct } from "../values/distinct.js";
import { asText, fetchValue, isKey, toInt, utf8Length } from "../values/operations.js";
import { printJson, printValue, sortedEntries } from "../values/print.js";
import {
  type ExprKey,
  type ExprValue,
  goTypeOf,
  isDuration,
  isFunction,
  isList,
  isMap,
  isTime,
  ValueFault,
  valueOfJson,
} from "../values/value.js";
import { comparable, directionOf } from "./predicates.js";
import { type ArgumentCheck, type BuiltinRow, goNameOf, overload, takes } from "./row.js";

function ofList(name: string, operation: (list: readonly ExprValue[]) => ExprValue): readonly [string, BuiltinRow] {
  const complaint = (type: string): string => `cannot ${name} ${type}`;
  return [
    name,
    {
      accepts: takes(1, ["array"], { result: "array", complaint }),
      call: ([list = null], call) => {
        if (!isList(list)) throw new ValueFault(complaint(kindOf(list)));
        call.spend(list.length);
        return operation(list);
      },
    },
  ];
}

function ofMap(
  name: string,
  complaint: (type: string) => string,
  operation: (entries: readonly (readonly [ExprKey, ExprValue])[]) => ExprValue,
): readonly [string, BuiltinRow] {
  return [
    name,
    {
      accepts: takes(1, ["map"], { result: "array", complaint }),
      // Go's maps have no order; ours come sorted, so that the same expression gives the same text.
      call: ([map = null]) => {
        if (!isMap(map)) throw new ValueFault(complaint(kindOf(map)));
        return operation(sortedEntries(map));
      },
    },
  ];
}

function elementAt(name: string, index: bigint): readonly [string, BuiltinRow] {
  const complaint = (type: string): string => `cannot get ${name} element from ${type}`;
  return [
    name,
    { accepts: takes(1, ["array"], { result: "unknown", complaint }), call: ([list = null]) => getOrNil(list, index) },
  ];
}

/** Nil where an index or a member would be an error. */
function getOrNil(base: ExprValue, key: ExprValue): ExprValue {
  try {
    return fetchValue(base, key);
  } catch (cause) {
    if (cause instanceof ValueFault) return null;
    throw cause;
  }
}

export const collectionRows: readonly (readonly [string, BuiltinRow])[] = [
  [
    "len",
    {
      accepts: takes(1, ["array", "map", "string"], { result: "int", complaint: lenComplaint }),
      call: ([value = null]) => len(value),
    },
  ],
  ["type", { accepts: [overload("string", "unknown")], call: ([value = null]) => typeName(value) }],
  elementAt("first", 0n),
  elementAt("last", -1n),
  ["get", { accepts: checkGet, call: ([base = null, key = null]) => getOrNil(base, key) }],
  ["take", { accepts: checkTake, call: ([list = null, count = null]) => take(list, count) }],
  ofMap(
    "keys",
    (type) => `cannot get keys from ${type}`,
    (entries) => entries.map(([key]) => key),
  ),
  ofMap(
    "values",
    (type) => `cannot get values from ${type}`,
    (entries) => entries.map(([, value]) => value),
  ),
  ofMap(
    "toPairs",
    (type) => `cannot transform ${type} to pairs`,
    (entries) => entries.map(([key, value]) => [key, value]),
  ),
  [
    "fromPairs",
    {
      accepts: takes(1, ["array"], { result: "map", complaint: pairsComplaint }),
      call: ([list = null]) => fromPairs(list),
    },
  ],
  ofList("reverse", (list) => list.toReversed()),
  ofList("uniq", uniq),
  ofList("flatten", (list) => flatten(list, 0)),
  ["concat", { accepts: checkConcat, call: (args, call) => concat(args, call.spend) }],
  [
    "sort",
    {
      accepts: [overload("array", "array", "string"), overload("array", "array")],
      call: ([list = null, order]) => sort(list, order),
    },
  ],
  [
    "toJSON",
    {
      accepts: [overload("string", "unknown")],
      call: ([value = null]) => printJson(value, { indent: "  ", html: "escaped" }),
    },
  ],
  ["fromJSON", { accepts: [overload("unknown", "string")], call: ([text]) => fromJson(asText(text)) }],
];

/** JSON as a value; the fault is Go's text. */
export function fromJson(text: string): ExprValue {
  const json = parseGoJson(text);
  if (!json.ok) throw new ValueFault(json.error);
  return valueOfJson(json.value);
}

/** Go's reflect.Kind. */
export function kindOf(value: ExprValue): string {
  if (value === null) return "invalid";
  if (isList(value)) return "slice";
  if (isMap(value)) return "map";
  if (isTime(value)) return "struct";
  if (isDuration(value)) return "int64";
  return isFunction(value) ? "func" : goTypeOf(value);
}

function typeName(value: ExprValue): string {
  if (value === null) return "nil";
  if (isList(value)) return "array";
  if (typeof value === "number") return "float";
  if (isTime(value) || isDuration(value)) return goTypeOf(value);
  return kindOf(value);
}

function lenComplaint(type: string): string {
  return `invalid argument for len (type ${type})`;
}

/** Of text, its bytes, as in Go. */
function len(value: ExprValue): ExprValue {
  if (typeof value === "string") return BigInt(utf8Length(value));
  if (isList(value)) return BigInt(value.length);
  if (isMap(value)) return BigInt(value.size);
  throw new ValueFault(lenComplaint(goTypeOf(value)));
}

function countProblem(expected: string, types: readonly unknown[]): { readonly problem: string } {
  return { problem: `invalid number of arguments (expected ${expected}, got ${types.length})` };
}

function checkGet(types: Parameters<ArgumentCheck>[0]): ReturnType<ArgumentCheck> {
  const [base = "unknown"] = types;
  if (types.length !== 2) return countProblem("2", types);
  if (["unknown", "array", "map"].includes(base)) return { result: "unknown" };
  return { problem: `type ${goNameOf(base)} does not support indexing` };
}

function checkTake(types: Parameters<ArgumentCheck>[0]): ReturnType<ArgumentCheck> {
  const [list = "unknown", count = "unknown"] = types;
  if (types.length !== 2) return countProblem("2", types);
  if (list !== "unknown" && list !== "array") return { problem: `cannot take from ${goNameOf(list)}` };
  if (count !== "unknown" && count !== "int") return { problem: `cannot take ${goNameOf(count)} elements` };
  return { result: "array" };
}

function checkConcat(types: Parameters<ArgumentCheck>[0]): ReturnType<ArgumentCheck> {
  if (types.length === 0) return { problem: "invalid number of arguments (expected at least 1, got 0)" };
  const wrong = types.find((type) => type !== "unknown" && type !== "array");
  return wrong === undefined ? { result: "array" } : { problem: `cannot concat ${goNameOf(wrong)}` };
}

function take(list: ExprValue, count: ExprValue): ExprValue {
  if (!isList(list)) throw new ValueFault(`cannot take from ${kindOf(list)}`);
  if (typeof count !== "bigint") throw new ValueFault(`cannot take ${kindOf(count)} elements`);
  if (count < 0n) throw new ValueFault("reflect.Value.Slice: slice index out of bounds");
  return list.slice(0, Number(toInt(count)));
}

function pairsComplaint(type: string): string {
  return `cannot transform ${type} from pairs`;
}

function fromPairs(list: ExprValue): ExprValue {
  if (!isList(list)) throw new ValueFault(pairsComplaint(kindOf(list)));
  const map = new Map<ExprKey, ExprValue>();
  for (const pair of list) {
    if (!isList(pair)) throw new ValueFault(`invalid pair ${printValue(pair)}`);
    const [key = null, value = null] = pair;
    if (pair.length !== 2 || !isKey(key)) throw new ValueFault(`invalid pair length ${printValue(pair)}`);
    map.set(key, value);
  }
  return map;
}

/** An integer and a float of the same value are equal. */
function uniq(list: readonly ExprValue[]): ExprValue {
  return distinct(list, (scalar) => (typeof scalar === "bigint" ? Number(scalar) : scalar));
}

const MAX_NESTING = 200;

function flatten(list: readonly ExprValue[], depth: number): readonly ExprValue[] {
  if (depth > MAX_NESTING) throw new ValueFault("list is nested too deeply");
  return list.flatMap((element) => (isList(element) ? flatten(element, depth + 1) : [element]));
}

function concat(args: readonly ExprValue[], spend: (amount: number) => void): ExprValue {
  return args.flatMap((argument) => {
    if (!isList(argument)) throw new ValueFault(`cannot concat ${kindOf(argument)}`);
    spend(argument.length);
    return argument;
  });
}

function sort(list: ExprValue, order: ExprValue | undefined): ExprValue {
  const direction = directionOf(order === undefined ? undefined : asText(order));
  if (!isList(list)) throw new ValueFault(`cannot sort ${goTypeOf(list)}`);
  return [...list].sort((left, right) => direction * comparable(left, right));
}
