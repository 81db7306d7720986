/** Values of the expression language, with Go's distinction of integers and floats. */

import type { Nanoseconds } from "../../std/duration.js";
import type { Json } from "../../std/json.js";
import type { Prng } from "../../std/prng.js";
import { formatRfc3339Nano, type Time } from "../../std/time.js";

/** A bigint is a Go int, a number is a float64, null is nil. */
export type ExprValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | readonly ExprValue[]
  | ExprMap
  | ExprTime
  | ExprDuration
  | ExprFunction;

/** A Map and no object: names from users, such as `__proto__`, mean nothing special there. */
export type ExprMap = ReadonlyMap<ExprKey, ExprValue>;

/** Text, but for the groups of `groupBy`, whose keys may be any scalar. */
export type ExprKey = string | bigint | number | boolean | null;

export interface ExprTime {
  readonly kind: "time";
  readonly time: Time;
}

export interface ExprDuration {
  readonly kind: "duration";
  readonly duration: Nanoseconds;
}

/** A function from the environment, such as `sprig.upper`. */
export interface ExprFunction {
  readonly kind: "function";
  readonly name: string;
  /** For messages about its use before anything runs; undefined when it is found out only at the call. */
  readonly signature?: FunctionSignature;
  /** Throws a `ValueFault` for arguments that do not fit. */
  readonly call: (args: readonly ExprValue[], call: CallContext) => ExprValue;
}

export interface FunctionSignature {
  readonly parameters: readonly StaticType[];
  /** The last parameter may be given any number of times. */
  readonly variadic?: boolean;
  readonly result: StaticType;
}

/** What is known of a value before anything runs. */
export type StaticType =
  | "unknown"
  | "nil"
  | "bool"
  | "int"
  | "float"
  | "string"
  | "array"
  | "map"
  | "time"
  | "duration"
  | "function";

/** What a function may use besides its arguments. */
export interface CallContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The random numbers of this evaluation: the same from the same seed. */
  readonly random: () => Prng;
  /** Counts work and memory against the limits; throws a `ValueFault` beyond them. */
  readonly spend: (amount: number) => void;
}

/** A value that does not fit an operation; the evaluator adds the position. */
export class ValueFault extends Error {
  override readonly name = "ValueFault";
}

export function isList(value: ExprValue | undefined): value is readonly ExprValue[] {
  return Array.isArray(value);
}

export function isMap(value: ExprValue | undefined): value is ExprMap {
  return value instanceof Map;
}

export function isTime(value: ExprValue | undefined): value is ExprTime {
  return isTagged(value) && value.kind === "time";
}

export function isDuration(value: ExprValue | undefined): value is ExprDuration {
  return isTagged(value) && value.kind === "duration";
}

export function isFunction(value: ExprValue | undefined): value is ExprFunction {
  return isTagged(value) && value.kind === "function";
}

function isTagged(value: ExprValue | undefined): value is ExprTime | ExprDuration | ExprFunction {
  return typeof value === "object" && value !== null && !isList(value) && !isMap(value);
}

/** The type as Go's `%T` prints it. */
export function goTypeOf(value: ExprValue): string {
  switch (typeof value) {
    case "bigint":
      return "int";
    case "number":
      return "float64";
    case "boolean":
      return "bool";
    case "string":
      return "string";
    default:
      return goTypeOfObject(value);
  }
}

function goTypeOfObject(value: ExprValue): string {
  if (value === null) return "<nil>";
  if (isList(value)) return "[]interface {}";
  if (isMap(value)) return "map[string]interface {}";
  if (isTime(value)) return "time.Time";
  return isDuration(value) ? "time.Duration" : "func(...interface {}) interface {}";
}

/** A JSON value as an expression sees it: all its numbers are floats, as in Go. */
export function valueOfJson(json: Json): ExprValue {
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return json.map(valueOfJson);
  return new Map(Object.entries(json).map(([key, value]: [string, Json]) => [key, valueOfJson(value)]));
}

/** The way back, for results that become part of a resource; times and durations as their texts, functions as null. */
export function jsonOfValue(value: ExprValue): Json {
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map(jsonOfValue);
  if (isMap(value)) {
    return Object.fromEntries([...value].map(([key, element]) => [String(key), jsonOfValue(element)]));
  }
  if (isDuration(value)) return Number(value.duration);
  return isTime(value) ? formatRfc3339Nano(value.time) : null;
}
