/** What moments and durations can be asked: the methods of Go's time.Time and time.Duration in use. */

import { formatDuration, HOUR, MINUTE, SECOND } from "../../std/duration.js";
import { civilOf, floorDivide, unixSeconds } from "../../std/time.js";
import { formatLayout } from "../../std/time-layout.js";
import {
  type ExprDuration,
  type ExprFunction,
  type ExprTime,
  type ExprValue,
  isDuration,
  isTime,
  ValueFault,
} from "./value.js";

type TimeMethod = (time: ExprTime, args: readonly ExprValue[]) => ExprValue;
type DurationMethod = (duration: ExprDuration) => ExprValue;

const timeMethods: ReadonlyMap<string, TimeMethod> = new Map<string, TimeMethod>([
  ["Year", ({ time }) => BigInt(civilOf(time).year)],
  ["Month", ({ time }) => BigInt(civilOf(time).month)],
  ["Day", ({ time }) => BigInt(civilOf(time).day)],
  ["YearDay", ({ time }) => BigInt(civilOf(time).yearDay)],
  ["Weekday", ({ time }) => BigInt(civilOf(time).weekday)],
  ["Hour", ({ time }) => BigInt(civilOf(time).hour)],
  ["Minute", ({ time }) => BigInt(civilOf(time).minute)],
  ["Second", ({ time }) => BigInt(civilOf(time).second)],
  ["Nanosecond", ({ time }) => BigInt(civilOf(time).nanosecond)],
  ["Unix", ({ time }) => unixSeconds(time)],
  ["UnixMilli", ({ time }) => floorDivide(time.nanoseconds, 1_000_000n)],
  ["UnixNano", ({ time }) => time.nanoseconds],
  ["UTC", ({ time }) => ({ kind: "time", time: { ...time, offset: 0, zone: "UTC" } })],
  ["Format", ({ time }, [layout]) => formatLayout(textArgument(layout), time)],
  ["String", ({ time }) => formatLayout("2006-01-02 15:04:05.999999999 -0700 MST", time)],
  ["Add", ({ time }, [by]) => moved(time, durationArgument(by))],
  ["Sub", ({ time }, [other]) => ({ kind: "duration", duration: time.nanoseconds - momentArgument(other) })],
  ["Before", ({ time }, [other]) => time.nanoseconds < momentArgument(other)],
  ["After", ({ time }, [other]) => time.nanoseconds > momentArgument(other)],
  ["Equal", ({ time }, [other]) => time.nanoseconds === momentArgument(other)],
]);

const durationMethods: ReadonlyMap<string, DurationMethod> = new Map<string, DurationMethod>([
  ["Hours", ({ duration }) => Number(duration) / Number(HOUR)],
  ["Minutes", ({ duration }) => Number(duration) / Number(MINUTE)],
  ["Seconds", ({ duration }) => Number(duration) / Number(SECOND)],
  ["Milliseconds", ({ duration }) => duration / 1_000_000n],
  ["Microseconds", ({ duration }) => duration / 1_000n],
  ["Nanoseconds", ({ duration }) => duration],
  ["String", ({ duration }) => formatDuration(duration)],
]);

/** The method of that name, bound to its value; undefined when there is none. */
export function methodOf(value: ExprValue, name: ExprValue): ExprFunction | undefined {
  if (typeof name !== "string") return undefined;
  if (isTime(value)) {
    const method = timeMethods.get(name);
    return method && { kind: "function", name, call: (args) => method(value, args) };
  }
  const method = isDuration(value) ? durationMethods.get(name) : undefined;
  return isDuration(value) && method ? { kind: "function", name, call: () => method(value) } : undefined;
}

function moved(time: ExprTime["time"], by: bigint): ExprValue {
  return { kind: "time", time: { ...time, nanoseconds: time.nanoseconds + by } };
}

function textArgument(value: ExprValue | undefined): string {
  if (typeof value === "string") return value;
  throw new ValueFault("reflect: Call with too few input arguments");
}

function durationArgument(value: ExprValue | undefined): bigint {
  if (isDuration(value)) return value.duration;
  throw new ValueFault("reflect: Call using a value that is no time.Duration");
}

function momentArgument(value: ExprValue | undefined): bigint {
  if (isTime(value)) return value.time.nanoseconds;
  throw new ValueFault("reflect: Call using a value that is no time.Time");
}
