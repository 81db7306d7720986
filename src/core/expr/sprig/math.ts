/** sprig's arithmetic: whole numbers cast leniently, and exact decimals. */

import { compareValues, wrapInt } from "../values/operations.js";
import type { ExprValue } from "../values/value.js";
import { castFloat, castInt, divideByZero } from "./cast.js";
import { decimalArithmetic } from "./decimal.js";
import { define, defineVariadic, int, type SprigRow } from "./define.js";

function fold(name: string, operation: (left: bigint, right: bigint) => bigint): SprigRow {
  return defineVariadic(name, [["any"], "any"], ([first], others) =>
    wrapInt(others.map(castInt).reduce(operation, castInt(first))),
  );
}

function pair(name: string, operation: (left: bigint, right: bigint) => bigint): SprigRow {
  return define(name, ["any", "any"], ([left, right]) => wrapInt(operation(castInt(left), castInt(right))));
}

function foldFloat(name: string, operation: (left: number, right: number) => number): SprigRow {
  return defineVariadic(name, [["any"], "any"], ([first], others) =>
    others.map(castFloat).reduce(operation, castFloat(first)),
  );
}

export const mathRows: readonly SprigRow[] = [
  define("add1", ["any"], ([value]) => wrapInt(castInt(value) + 1n)),
  defineVariadic("add", [[], "any"], (_none, values) =>
    wrapInt(values.map(castInt).reduce((sum, value) => sum + value, 0n)),
  ),
  pair("sub", (left, right) => left - right),
  pair("div", (left, right) => (right === 0n ? divideByZero() : left / right)),
  pair("mod", (left, right) => (right === 0n ? divideByZero() : left % right)),
  fold("mul", (left, right) => wrapInt(left * right)),
  fold("max", (left, right) => (compareValues(">", right, left) ? right : left)),
  fold("min", (left, right) => (compareValues("<", right, left) ? right : left)),
  define("add1f", ["any"], ([value]) => decimalArithmetic("+", castFloat(value), 1)),
  defineVariadic("addf", [[], "any"], (_none, values) => decimals("+", values)),
  defineVariadic("subf", [["any"], "any"], ([first], others) => decimals("-", [first, ...others])),
  defineVariadic("divf", [["any"], "any"], ([first], others) => decimals("/", [first, ...others])),
  defineVariadic("mulf", [["any"], "any"], ([first], others) => decimals("*", [first, ...others])),
  foldFloat("maxf", Math.max),
  foldFloat("minf", Math.min),
  define("ceil", ["any"], ([value]) => Math.ceil(castFloat(value))),
  define("floor", ["any"], ([value]) => Math.floor(castFloat(value))),
  defineVariadic("round", [["any", "int"], "float64"], ([value, places], [from = 0.5]) =>
    roundFrom(castFloat(value), places, from),
  ),
  define("int", ["any"], ([value]) => castInt(value)),
  define("int64", ["any"], ([value]) => castInt(value)),
  define("float64", ["any"], ([value]) => castFloat(value)),
  define("atoi", ["string"], ([text]) => (/^[+-]?\d{1,18}$/.test(text) ? BigInt(text.replace("+", "")) : 0n)),
  define("toDecimal", ["any"], ([value]) => octal(String(value))),
  define("until", ["int"], ([count], call) => steps({ start: 0, stop: count, step: count < 0 ? -1 : 1 }, call.spend)),
  define("untilStep", ["int", "int", "int"], ([start, stop, step], call) => steps({ start, stop, step }, call.spend)),
  defineVariadic("seq", [[], "int"], (_none, values, call) => sequence(values, call.spend)),
];

type DecimalOperator = "+" | "-" | "*" | "/";

function decimals(operator: DecimalOperator, values: readonly ExprValue[]): number {
  const [first = 0, ...others] = values.map(castFloat);
  return others.reduce((left, right) => decimalArithmetic(operator, left, right), first);
}

/** Up when what is cut off reaches `from`, else down. */
function roundFrom(value: number, places: number, from: number): number {
  const power = 10 ** places;
  const digits = power * value;
  const cut = digits - Math.trunc(digits);
  return (cut >= from ? Math.ceil(digits) : Math.floor(digits)) / power;
}

function octal(text: string): bigint {
  if (!/^-?[0-7]{1,21}$/.test(text)) return 0n;
  const digits = BigInt(`0o${text.replace("-", "")}`);
  return text.startsWith("-") ? -digits : digits;
}

interface Steps {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
}

/** From start up to, not including, stop; nothing when the step leads away from it. */
function steps({ start, stop, step }: Steps, spend: (amount: number) => void): readonly bigint[] {
  const count = step === 0 ? 0 : Math.max(0, Math.ceil((stop - start) / step));
  spend(count);
  return Array.from({ length: count }, (_unused, index) => int(start + index * step));
}

/** As the shell's seq: the last is included, and the way down is found by itself. */
function sequence(values: readonly number[], spend: (amount: number) => void): string {
  const [first = 0, second, third] = values;
  if (values.length === 0 || values.length > 3) return "";
  const start = second === undefined ? 1 : first;
  const stop = third ?? second ?? first;
  const up = stop < start ? -1 : 1;
  const step = third === undefined ? up : (second ?? up);
  if (third !== undefined && Math.sign(step) !== up) return "";
  return steps({ start, stop: stop + up, step }, spend).join(" ");
}
