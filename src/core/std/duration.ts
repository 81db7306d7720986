/** Go's durations, as `timeout: 1h30m` and the like are written, and Argo's two variants of them. */

import { err, ok, type Result } from "./result.js";

/** Nanoseconds; Go's time.Duration. */
export type Nanoseconds = bigint;

export const MICROSECOND = 1_000n;
export const MILLISECOND = 1_000_000n;
export const SECOND = 1_000_000_000n;
export const MINUTE = 60n * SECOND;
export const HOUR = 60n * MINUTE;

const MAX_DURATION = (1n << 63n) - 1n;

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", MICROSECOND],
  ["µs", MICROSECOND],
  ["μs", MICROSECOND],
  ["ms", MILLISECOND],
  ["s", SECOND],
  ["m", MINUTE],
  ["h", HOUR],
]);

/** As Go's time.ParseDuration, with its error texts. */
export function parseDuration(text: string): Result<Nanoseconds> {
  const negative = text.startsWith("-");
  const unsigned = /^[-+]/.test(text) ? text.slice(1) : text;
  if (unsigned === "0") return ok(0n);
  const total = unsigned === "" ? undefined : sumOfParts(unsigned, text);
  if (total?.ok === false) return total;
  if (total === undefined || total.value > MAX_DURATION + (negative ? 1n : 0n)) {
    return err(`time: invalid duration ${quoted(text)}`);
  }
  return ok(negative ? -total.value : total.value);
}

/** `1h30m` part by part; `text` is the whole, for errors. */
function sumOfParts(unsigned: string, text: string): Result<Nanoseconds> {
  let total = 0n;
  for (let rest = unsigned; rest !== ""; ) {
    const [all = "", whole = "", fraction = "", unitName = ""] = /^(\d*)\.?(\d*)([^.\d]*)/.exec(rest) ?? [];
    if (whole + fraction === "") return err(`time: invalid duration ${quoted(text)}`);
    if (unitName === "") return err(`time: missing unit in duration ${quoted(text)}`);
    const unit = UNITS.get(unitName);
    if (unit === undefined) return err(`time: unknown unit ${quoted(unitName)} in duration ${quoted(text)}`);
    total += BigInt(whole || "0") * unit + (BigInt(fraction || "0") * unit) / 10n ** BigInt(fraction.length);
    rest = rest.slice(all.length);
  }
  return ok(total);
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** As Go's Duration.String: `1h30m0s`, `1.5s`, `2ms`, `0s`. */
export function formatDuration(duration: Nanoseconds): string {
  if (duration < 0n) return `-${formatDuration(-duration)}`;
  if (duration === 0n) return "0s";
  if (duration < MICROSECOND) return `${duration}ns`;
  if (duration < MILLISECOND) return `${decimal(duration, MICROSECOND)}µs`;
  if (duration < SECOND) return `${decimal(duration, MILLISECOND)}ms`;
  const hours = duration / HOUR;
  const minutes = (duration / MINUTE) % 60n;
  const seconds = `${decimal(duration % MINUTE, SECOND)}s`;
  if (hours > 0n) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0n ? `${minutes}m${seconds}` : seconds;
}

function decimal(value: bigint, unit: bigint): string {
  const digits = String(unit).length - 1;
  const fraction = String(value % unit)
    .padStart(digits, "0")
    .replace(/0+$/, "");
  return fraction === "" ? String(value / unit) : `${value / unit}.${fraction}`;
}

/** Milliseconds, rounded towards zero. */
export function msOf(duration: Nanoseconds): number {
  return Number(duration / MILLISECOND);
}

export function durationOfMs(milliseconds: number): Nanoseconds {
  return BigInt(Math.trunc(milliseconds)) * MILLISECOND;
}

/** A whole number means seconds, anything else is a Go duration: suspend, podGC (Argo 4.1 behaviour 2.7). */
export function parseDurationOrSeconds(text: string): Result<Nanoseconds> {
  if (/^[-+]?\d{1,10}$/.test(text)) return ok(BigInt(text.replace("+", "")) * SECOND);
  const duration = parseDuration(text);
  return duration.ok ? duration : err(`unable to parse ${text} as a duration: ${duration.error}`);
}

/** `2 minutes 5 seconds`: the form in "Backoff for …" (Argo 4.1 behaviour 3.10). Milliseconds in. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 60) return count(seconds, "second");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${count(minutes, "minute")} ${count(seconds % 60, "second")}`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${count(hours, "hour")} ${count(minutes % 60, "minute")}`;
  return `${longUnit(Math.floor(hours / 24))} ${count(hours % 24, "hour")}`;
}

function longUnit(days: number): string {
  if (days < 7) return count(days, "day");
  if (days < 30) return count(Math.floor(days / 7), "week");
  return days < 360 ? count(Math.floor(days / 30), "month") : count(Math.floor(days / 360), "year");
}

function count(value: number, unit: string): string {
  return `${value} ${unit}${value === 1 ? "" : "s"}`;
}
