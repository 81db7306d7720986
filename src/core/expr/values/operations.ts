/** The operators on values, with Go's rules for mixed numbers and expr-lang's messages. */

import { compareUtf8, holdsOfOrder } from "../../std/order.js";
import {
  type ExprKey,
  type ExprTime,
  type ExprValue,
  goTypeOf,
  isDuration,
  isList,
  isMap,
  isTime,
  ValueFault,
} from "./value.js";

type Numeric = bigint | number;

/** Integers wrap at 64 bits, as in Go. */
export function wrapInt(value: bigint): bigint {
  return BigInt.asIntN(64, value);
}

export function isNumeric(value: ExprValue | undefined): value is Numeric {
  return typeof value === "bigint" || typeof value === "number";
}

/** `==`: numbers by value whatever their kind, lists and maps by what they hold; different kinds are unequal. */
export function equalValues(left: ExprValue, right: ExprValue): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: an integer and a float of the same value are equal.
  if (isNumeric(left) && isNumeric(right)) return left == right;
  if (isList(left) && isList(right)) return equalLists(left, right);
  if (isMap(left) && isMap(right)) return equalMaps(left, right);
  const amounts = amountsOf(left, right);
  return amounts === undefined ? left === right : amounts[0] === amounts[1];
}

function equalLists(left: readonly ExprValue[], right: readonly ExprValue[]): boolean {
  return left.length === right.length && left.every((element, index) => equalValues(element, right[index] ?? null));
}

/** The nanoseconds of two moments or of two durations. */
function amountsOf(left: ExprValue, right: ExprValue): readonly [bigint, bigint] | undefined {
  if (isTime(left) && isTime(right)) return [left.time.nanoseconds, right.time.nanoseconds];
  return isDuration(left) && isDuration(right) ? [left.duration, right.duration] : undefined;
}

function equalMaps(left: ReadonlyMap<ExprKey, ExprValue>, right: ReadonlyMap<ExprKey, ExprValue>): boolean {
  if (left.size !== right.size) return false;
  for (const [key, element] of left) {
    const other = right.get(key);
    if (other === undefined || !equalValues(element, other)) return false;
  }
  return true;
}

/** Negative, zero or positive; undefined for values that have no order, and for NaN. */
export function orderOf(left: ExprValue, right: ExprValue): number | undefined {
  if (isNumeric(left) && isNumeric(right)) return orderOfNumbers(left, right);
  if (typeof left === "string" && typeof right === "string") return compareUtf8(left, right);
  const amounts = amountsOf(left, right);
  return amounts && orderOfNumbers(...amounts);
}

function orderOfNumbers(left: Numeric, right: Numeric): number | undefined {
  if (left < right) return -1;
  if (left > right) return 1;
  return Number.isNaN(left) || Number.isNaN(right) ? undefined : 0;
}

/** `<`, `<=`, `>`, `>=`. */
export function compareValues(operator: string, left: ExprValue, right: ExprValue): boolean {
  const order = orderOf(left, right);
  if (order === undefined) {
    if (isNumeric(left) && isNumeric(right)) return false;
    return mismatch(operator, left, right);
  }
  return holdsOfOrder(operator, order);
}

export function mismatch(operator: string, left: ExprValue, right: ExprValue): never {
  throw new ValueFault(`invalid operation: ${goTypeOf(left)} ${operator} ${goTypeOf(right)}`);
}

/** Longer texts are refused: they would fill the memory. */
export const MAX_TEXT_LENGTH = 16 * 1024 * 1024;

export function boundedText(text: string): string {
  boundedLength(text.length);
  return text;
}

/** For a text that is still to be made. */
export function boundedLength(length: number): void {
  if (length > MAX_TEXT_LENGTH) throw new ValueFault("memory budget exceeded");
}

export function joinTexts(texts: readonly string[], glue: string): string {
  boundedLength(texts.reduce((sum, text) => sum + text.length, 0) + texts.length * glue.length);
  return texts.join(glue);
}

export function addValues(left: ExprValue, right: ExprValue): ExprValue {
  if (isNumeric(left) && isNumeric(right))
    return arithmetic(
      left,
      right,
      (a, b) => a + b,
      (a, b) => a + b,
    );
  if (typeof left === "string" && typeof right === "string") return boundedText(left + right);
  if (isDuration(left)) return addTo(right, left.duration) ?? mismatch("+", left, right);
  if (isTime(left) && isDuration(right)) return shiftTime(left, right.duration);
  return mismatch("+", left, right);
}

function addTo(value: ExprValue, duration: bigint): ExprValue | undefined {
  if (isTime(value)) return shiftTime(value, duration);
  return isDuration(value) ? { kind: "duration", duration: value.duration + duration } : undefined;
}

/** On integers while both are, else on floats. */
function arithmetic(
  left: Numeric,
  right: Numeric,
  whole: (a: bigint, b: bigint) => bigint,
  float: (a: number, b: number) => number,
): ExprValue {
  if (typeof left === "bigint" && typeof right === "bigint") return wrapInt(whole(left, right));
  return float(Number(left), Number(right));
}

function shiftTime(value: ExprTime, by: bigint): ExprValue {
  return { kind: "time", time: { ...value.time, nanoseconds: value.time.nanoseconds + by } };
}

export function subtractValues(left: ExprValue, right: ExprValue): ExprValue {
  if (isNumeric(left) && isNumeric(right))
    return arithmetic(
      left,
      right,
      (a, b) => a - b,
      (a, b) => a - b,
    );
  const amounts = amountsOf(left, right);
  if (amounts !== undefined) return { kind: "duration", duration: amounts[0] - amounts[1] };
  return isTime(left) && isDuration(right) ? shiftTime(left, -right.duration) : mismatch("-", left, right);
}

export function multiplyValues(left: ExprValue, right: ExprValue): ExprValue {
  if (isNumeric(left) && isNumeric(right))
    return arithmetic(
      left,
      right,
      (a, b) => a * b,
      (a, b) => a * b,
    );
  if (isDuration(left) && isNumeric(right)) return { kind: "duration", duration: scaled(left.duration, right) };
  if (isNumeric(left) && isDuration(right)) return { kind: "duration", duration: scaled(right.duration, left) };
  return mismatch("*", left, right);
}

function scaled(duration: bigint, factor: Numeric): bigint {
  if (typeof factor === "bigint") return wrapInt(duration * factor);
  return toInt(Number(duration) * factor);
}

/** Always a float: 5/2 is 2.5. */
export function divideValues(left: ExprValue, right: ExprValue): ExprValue {
  if (!isNumeric(left) || !isNumeric(right)) return mismatch("/", left, right);
  return Number(left) / Number(right);
}

export function remainderOf(left: ExprValue, right: ExprValue): ExprValue {
  if (typeof left !== "bigint" || typeof right !== "bigint") return mismatch("%", left, right);
  if (right === 0n) throw new ValueFault("runtime error: integer divide by zero");
  return left % right;
}

export function powerOf(left: ExprValue, right: ExprValue): ExprValue {
  return toFloat(left) ** toFloat(right);
}

export function negated(value: ExprValue): ExprValue {
  if (typeof value === "bigint") return wrapInt(-value);
  if (typeof value === "number") return -value;
  if (isDuration(value)) return { kind: "duration", duration: -value.duration };
  throw new ValueFault(`invalid operation: - ${goTypeOf(value)}`);
}

/** As Go converts a number to int; a value beyond its range is the smallest int, as on amd64. */
export function toInt(value: ExprValue): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value !== "number") throw new ValueFault(`invalid operation: int(${goTypeOf(value)})`);
  const whole = Number.isFinite(value) ? BigInt(Math.trunc(value)) : 1n << 64n;
  return whole === wrapInt(whole) ? whole : -(1n << 63n);
}

export function toFloat(value: ExprValue): number {
  if (isNumeric(value)) return Number(value);
  throw new ValueFault(`invalid operation: float(${goTypeOf(value)})`);
}

/** `in`: an element of a list, a key of a map. Nothing is in nil. */
export function contains(container: ExprValue, needle: ExprValue): boolean {
  if (container === null) return false;
  if (isList(container)) return container.some((element) => equalValues(element, needle));
  if (!isMap(container)) throw new ValueFault(`operator "in" not defined on ${goTypeOf(container)}`);
  return isKey(needle) && container.has(needle);
}

export function isKey(value: ExprValue): value is ExprKey {
  return value === null || typeof value !== "object";
}

/** `base[key]` and `base.name`. A key that a map does not have is nil. */
export function fetchValue(base: ExprValue, key: ExprValue): ExprValue {
  if (isMap(base)) return fetchKey(base, key);
  if (isList(base)) return base[indexIn(key, base.length)] ?? null;
  if (typeof base === "string") {
    const bytes = utf8Length(base) === base.length ? base : undefined;
    if (bytes !== undefined) return BigInt(bytes.charCodeAt(indexIn(key, bytes.length)));
  }
  throw new ValueFault(`cannot fetch ${printKey(key)} from ${goTypeOf(base)}`);
}

function fetchKey(base: ReadonlyMap<ExprKey, ExprValue>, key: ExprValue): ExprValue {
  if (typeof key === "string" || key === null) return base.get(key ?? "") ?? null;
  if (isKey(key) && base.has(key)) return base.get(key) ?? null;
  throw new ValueFault(`reflect.Value.MapIndex: value of type ${goTypeOf(key)} is not assignable to type string`);
}

function indexIn(key: ExprValue, length: number): number {
  const wanted = Number(toInt(key));
  const index = wanted < 0 ? length + wanted : wanted;
  if (index < 0 || index >= length) {
    throw new ValueFault(`index out of range: ${index} (array length is ${length})`);
  }
  return index;
}

function printKey(key: ExprValue): string {
  return key === null ? "<nil>" : String(key);
}

/** Text by bytes, as Go cuts it; a list by elements. */
export function sliceValue(base: ExprValue, from: ExprValue | undefined, to: ExprValue | undefined): ExprValue {
  if (typeof base === "string" && utf8Length(base) === base.length) {
    const [start, end] = bounds(base.length, from, to);
    return base.slice(start, end);
  }
  if (typeof base === "string") {
    const characters = [...base];
    const [start, end] = bounds(characters.length, from, to);
    return characters.slice(start, end).join("");
  }
  if (!isList(base)) throw new ValueFault(`cannot slice ${goTypeOf(base)}`);
  const [start, end] = bounds(base.length, from, to);
  return base.slice(start, end);
}

function bounds(length: number, from: ExprValue | undefined, to: ExprValue | undefined): readonly [number, number] {
  const place = (value: ExprValue | undefined, otherwise: number): number => {
    const wanted = value === undefined ? otherwise : Number(toInt(value));
    return Math.min(Math.max(wanted < 0 ? length + wanted : wanted, 0), length);
  };
  const end = place(to, length);
  return [Math.min(place(from, 0), end), end];
}

/** How many bytes the text takes. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80) length += unit >= 0x800 && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return length;
}

/** Go's text for a failed `value.(type)`. */
export function notOfType(value: ExprValue, wanted: string): never {
  const given = value === null ? "nil" : goTypeOf(value);
  throw new ValueFault(`interface conversion: interface {} is ${given}, not ${wanted}`);
}

export function asBool(value: ExprValue): boolean {
  return typeof value === "boolean" ? value : notOfType(value, "bool");
}

export function asText(value: ExprValue | undefined): string {
  return typeof value === "string" ? value : notOfType(value ?? null, "string");
}
