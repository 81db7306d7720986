/** Lenient conversions: what is no number is 0, anything is a text. */

import { parseFloatGo } from "../builtins/numbers.js";
import { toInt, wrapInt } from "../values/operations.js";
import { printValue } from "../values/print.js";
import { type ExprValue, isDuration, isList, isMap, ValueFault } from "../values/value.js";

const INTEGER = /^([+-]?)(0[xX][\da-fA-F]+|0[bB][01]+|0[oO]?[0-7]*|[1-9]\d*)$/;

/** An int64: text with Go's prefixes (0x, 0b, 0), booleans as 0 and 1, the rest cut off; 0 for what is none. */
export function castInt(value: ExprValue): bigint {
  if (typeof value === "string") return castText(value);
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (isDuration(value)) return value.duration;
  return typeof value === "bigint" || typeof value === "number" ? toInt(value) : 0n;
}

function castText(text: string): bigint {
  const match = INTEGER.exec(text.replace(/\.0+$/, ""));
  const digits = match?.[2];
  if (match === null || digits === undefined) return 0n;
  const isOctal = /^0[0-7]+$/.test(digits);
  const number = BigInt(isOctal ? `0o${digits.slice(1)}` : digits);
  const signed = match[1] === "-" ? -number : number;
  return signed === wrapInt(signed) ? signed : 0n;
}

export function castFloat(value: ExprValue): number {
  if (typeof value === "string") return parseFloatGo(value) ?? 0;
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "bigint" || typeof value === "number" ? Number(value) : 0;
}

/** Text as it is, everything else as `%v` prints it. */
export function castString(value: ExprValue): string {
  return typeof value === "string" ? value : printValue(value);
}

/** A list's elements as texts, nil left out; a single value is a list of one, nil of none. */
export function castTexts(value: ExprValue): readonly string[] {
  if (isList(value)) return value.filter((element) => element !== null).map(castString);
  return value === null ? [] : [castString(value)];
}

/** Nil, zero, false, and what has no elements. */
export function isEmpty(value: ExprValue | undefined): boolean {
  if (value === undefined || value === null || value === "" || value === false) return true;
  if (typeof value === "bigint" || typeof value === "number") return Number(value) === 0;
  if (isList(value)) return value.length === 0;
  if (isMap(value)) return value.size === 0;
  return isDuration(value) && value.duration === 0n;
}

export function divideByZero(): never {
  throw new ValueFault("runtime error: integer divide by zero");
}
