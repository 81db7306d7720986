/** Builtins on numbers, and the conversions to them. */

import { isNumeric, notOfType, orderOf, toFloat, toInt, wrapInt } from "../values/operations.js";
import { printValue } from "../values/print.js";
import { type ExprValue, goTypeOf, isDuration, isList, type StaticType, ValueFault } from "../values/value.js";
import { type ArgumentCheck, type BuiltinRow, goNameOf, overload, takes } from "./row.js";

function rounding(name: string, operation: (value: number) => number): readonly [string, BuiltinRow] {
  return [
    name,
    {
      accepts: takes(1, ["int", "float"], {
        result: "float",
        complaint: (type) => `invalid argument for ${name} (type ${type})`,
      }),
      call: ([value = null]) => {
        if (!isNumeric(value)) throw new ValueFault(`invalid argument for ${name} (type ${goTypeOf(value)})`);
        return operation(Number(value));
      },
    },
  ];
}

/** Half away from zero. */
export function roundHalfAway(value: number): number {
  return Math.sign(value) * Math.floor(Math.abs(value) + 0.5);
}

function aggregate(name: string, operation: (args: readonly ExprValue[]) => ExprValue): readonly [string, BuiltinRow] {
  return [name, { accepts: aggregateCheck(name), call: operation }];
}

const AGGREGATED: ReadonlySet<StaticType> = new Set(["unknown", "array", "int", "float"]);

function aggregateCheck(name: string): ArgumentCheck {
  return (types) => {
    if (types.length === 0) return { problem: `not enough arguments to call ${name}` };
    for (const type of types) {
      if (!AGGREGATED.has(type)) {
        return { problem: `invalid argument for ${name} (type ${goNameOf(type)})` };
      }
    }
    return { result: "unknown" };
  };
}

/** `int("12")`, `int(2.9)`: what is between is cut off. */
export function intOf(value: ExprValue): ExprValue {
  if (typeof value === "string") {
    const number = /^[+-]?\d{1,19}$/.test(value) ? BigInt(value.replace("+", "")) : undefined;
    if (number === undefined || number !== wrapInt(number)) throw new ValueFault(`invalid operation: int(${value})`);
    return number;
  }
  return isDuration(value) ? value.duration : toInt(value);
}

const FLOAT = /^[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|inf(?:inity)?|nan)$/i;

/** A float64 from text as strconv.ParseFloat reads it; undefined when it is none. */
export function parseFloatGo(text: string): number | undefined {
  if (!FLOAT.test(text)) return undefined;
  const lower = text.toLowerCase().replace("+", "");
  if (lower.includes("nan")) return Number.NaN;
  if (lower.includes("inf")) return lower.startsWith("-") ? -Infinity : Infinity;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

export function floatOf(value: ExprValue): ExprValue {
  if (typeof value !== "string") return toFloat(value);
  const number = parseFloatGo(value);
  if (number === undefined) throw new ValueFault(`invalid operation: float(${value})`);
  return number;
}

const SCALARS = ["int", "float", "string"] as const;

function conversion(name: "int" | "float", operation: (value: ExprValue) => ExprValue): readonly [string, BuiltinRow] {
  const complaint = (type: string): string => `invalid argument for ${name} (type ${type})`;
  return [
    name,
    { accepts: takes(1, SCALARS, { result: name, complaint }), call: ([value = null]) => operation(value) },
  ];
}

export const numberRows: readonly (readonly [string, BuiltinRow])[] = [
  conversion("int", intOf),
  conversion("float", floatOf),
  ["string", { accepts: [overload("string", "unknown")], call: ([value = null]) => printValue(value) }],
  [
    "abs",
    {
      accepts: takes(1, ["int", "float"], { result: "unknown", complaint: absComplaint }),
      call: ([value = null]) => abs(value),
    },
  ],
  rounding("ceil", Math.ceil),
  rounding("floor", Math.floor),
  rounding("round", roundHalfAway),
  aggregate("max", (args) => extreme("max", args)),
  aggregate("min", (args) => extreme("min", args)),
  aggregate("mean", (args) => mean(flatNumbers("mean", args))),
  aggregate("median", (args) => median(flatNumbers("median", args))),
  bits("bitand", (x, y) => x & y),
  bits("bitor", (x, y) => x | y),
  bits("bitxor", (x, y) => x ^ y),
  bits("bitnand", (x, y) => x & ~y),
  bits(
    "bitshl",
    shifted((x, by) => x << by, 0n),
  ),
  bits(
    "bitshr",
    shifted((x, by) => x >> by, undefined),
  ),
  bits(
    "bitushr",
    shifted((x, by) => BigInt.asUintN(64, x) >> by, 0n),
  ),
  ["bitnot", { accepts: [overload("int", "int")], call: ([value = null]) => ~wholeNumber(value) }],
];

function absComplaint(type: string): string {
  return `invalid argument for abs (type ${type})`;
}

function abs(value: ExprValue): ExprValue {
  if (typeof value === "bigint") return wrapInt(value < 0n ? -value : value);
  if (typeof value === "number") return Math.abs(value);
  throw new ValueFault(absComplaint(goTypeOf(value)));
}

/** The greatest or least of the arguments and of the elements of lists among them. */
function extreme(name: "max" | "min", args: readonly ExprValue[]): ExprValue {
  let best: ExprValue = null;
  for (const argument of args) {
    const value = isList(argument) ? extreme(name, argument) : argument;
    if (!isNumeric(value)) {
      if (isList(argument) && argument.length === 0) continue;
      throw new ValueFault(`invalid argument for ${name} (type ${goTypeOf(value)})`);
    }
    const order = best === null ? undefined : orderOf(value, best);
    if (order === undefined || (name === "max" ? order > 0 : order < 0)) best = value;
  }
  return best;
}

function flatNumbers(name: string, args: readonly ExprValue[]): readonly number[] {
  return args.flatMap((argument) => {
    if (isList(argument)) return flatNumbers(name, argument);
    if (isNumeric(argument)) return [Number(argument)];
    throw new ValueFault(`invalid argument for ${name} (type ${goTypeOf(argument)})`);
  });
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

function bits(name: string, operation: (x: bigint, y: bigint) => bigint): readonly [string, BuiltinRow] {
  return [
    name,
    {
      accepts: [overload("int", "int", "int")],
      call: ([x = null, y = null]) => wrapInt(operation(wholeNumber(x), wholeNumber(y))),
    },
  ];
}

/** Shifts beyond 63 places give `beyond`, or the sign where that is undefined. */
function shifted(
  operation: (x: bigint, by: bigint) => bigint,
  beyond: bigint | undefined,
): (x: bigint, y: bigint) => bigint {
  return (x, by) => {
    if (by < 0n) throw new ValueFault(`invalid operation: negative shift count ${by} (type int)`);
    if (by > 63n) return beyond ?? (x < 0n ? -1n : 0n);
    return operation(x, by);
  };
}

function wholeNumber(value: ExprValue): bigint {
  return typeof value === "bigint" ? value : notOfType(value, "int");
}
