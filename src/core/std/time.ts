/** Moments and civil dates: RFC 3339, calendar arithmetic, strftime. No clock, no locale, no zone database. */

import { err, ok, type Result } from "./result.js";

/** A moment and the zone it is shown in. */
export interface Time {
  /** Since 1970-01-01T00:00:00Z; may be negative. */
  readonly nanoseconds: bigint;
  /** Seconds east of UTC. */
  readonly offset: number;
  /** Abbreviation such as `UTC`; empty when only the offset is known. */
  readonly zone: string;
}

/** A date and time of day as a calendar and a clock show them. */
export interface CivilTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanosecond: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** 1 is January 1. */
  readonly yearDay: number;
}

export const NANOSECONDS_PER_SECOND = 1_000_000_000n;
const NANOSECONDS_PER_MILLISECOND = 1_000_000n;
const SECONDS_PER_DAY = 86_400n;

export const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

export const weekdayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

/** The moment of `milliseconds` since the epoch, in UTC. */
export function timeOfMs(milliseconds: number): Time {
  return utc(BigInt(Math.trunc(milliseconds)) * NANOSECONDS_PER_MILLISECOND);
}

export function utc(nanoseconds: bigint): Time {
  return { nanoseconds, offset: 0, zone: "UTC" };
}

export function unixSeconds(time: Time): bigint {
  return floorDivide(time.nanoseconds, NANOSECONDS_PER_SECOND);
}

/** The quotient rounded towards minus infinity. */
export function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}

/** What a calendar in the time's own zone shows. */
export function civilOf(time: Time): CivilTime {
  const local = time.nanoseconds + BigInt(time.offset) * NANOSECONDS_PER_SECOND;
  const seconds = floorDivide(local, NANOSECONDS_PER_SECOND);
  const days = floorDivide(seconds, SECONDS_PER_DAY);
  const ofDay = Number(seconds - days * SECONDS_PER_DAY);
  const date = dateOfDays(Number(days));
  return {
    hour: Math.floor(ofDay / 3600),
    minute: Math.floor((ofDay % 3600) / 60),
    second: ofDay % 60,
    nanosecond: Number(local - seconds * NANOSECONDS_PER_SECOND),
    weekday: (((Number(days) + 4) % 7) + 7) % 7,
    yearDay: Number(days) - daysOfDate(date.year, 1, 1) + 1,
    ...date,
  };
}

/** Days since the epoch of a date of the proleptic Gregorian calendar; months and days may overflow. */
export function daysOfDate(year: number, month: number, day: number): number {
  const carried = year + Math.floor((month - 1) / 12);
  const inYear = ((((month - 1) % 12) + 12) % 12) + 1;
  const shifted = inYear <= 2 ? carried - 1 : carried;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (inYear + (inYear > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function dateOfDays(days: number): { readonly year: number; readonly month: number; readonly day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthIndex = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthIndex + 2) / 5) + 1,
  };
}

export function daysInMonth(year: number, month: number): number {
  return daysOfDate(year, month + 1, 1) - daysOfDate(year, month, 1);
}

/** Nanoseconds since the epoch of a civil time in a zone. */
export function nanosecondsOf(civil: DateAndTime, offset: number): bigint {
  const days = BigInt(daysOfDate(civil.year, civil.month, civil.day));
  const seconds = days * SECONDS_PER_DAY + BigInt(civil.hour * 3600 + civil.minute * 60 + civil.second - offset);
  return seconds * NANOSECONDS_PER_SECOND + BigInt(civil.nanosecond);
}

/** With leading zeros. */
export function padded(value: number, width: number): string {
  const digits = String(Math.abs(value)).padStart(width, "0");
  return value < 0 ? `-${digits}` : digits;
}

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** RFC 3339 with or without fractions of a second; the error names the text. */
export function parseRfc3339(text: string): Result<Time> {
  const parts = partsOf(text);
  if (parts === undefined) return err(`"${text}" is not a time in RFC 3339`);
  const { civil, zone } = parts;
  const offset = zone === "Z" ? 0 : offsetOf(zone);
  return ok({ nanoseconds: nanosecondsOf(civil, offset), offset, zone: zone === "Z" ? "UTC" : "" });
}

type DateAndTime = Omit<CivilTime, "weekday" | "yearDay">;

function partsOf(text: string): { readonly civil: DateAndTime; readonly zone: string } | undefined {
  if (!RFC3339.test(text)) return undefined;
  const zoneAt = text.endsWith("Z") ? text.length - 1 : text.length - 6;
  const civil = {
    year: 100 * twoDigits(text, 0) + twoDigits(text, 2),
    month: twoDigits(text, 5),
    day: twoDigits(text, 8),
    hour: twoDigits(text, 11),
    minute: twoDigits(text, 14),
    second: twoDigits(text, 17),
    nanosecond: zoneAt === FRACTION_AT ? 0 : nanosecondsIn(text.slice(FRACTION_AT + 1, zoneAt)),
  };
  return isCivil(civil) ? { civil, zone: text.slice(zoneAt) } : undefined;
}

/** Of the point or comma before the fraction of a second, where there is one. */
const FRACTION_AT = 19;

function nanosecondsIn(digits: string): number {
  return Number(digits.slice(0, 9).padEnd(9, "0"));
}

const ZERO = 48;

function twoDigits(text: string, at: number): number {
  return 10 * (text.charCodeAt(at) - ZERO) + text.charCodeAt(at + 1) - ZERO;
}

/** Whether every part lies in its range (no leap seconds, as in Go). */
export function isCivil(civil: DateAndTime): boolean {
  return (
    civil.month >= 1 &&
    civil.month <= 12 &&
    civil.day >= 1 &&
    (civil.day <= 28 || civil.day <= daysInMonth(civil.year, civil.month)) &&
    civil.hour < 24 &&
    civil.minute < 60 &&
    civil.second < 60
  );
}

function offsetOf(zone: string): number {
  const seconds = Number(zone.slice(1, 3)) * 3600 + Number(zone.slice(4, 6)) * 60;
  return zone.startsWith("-") ? -seconds : seconds;
}

/** `2006-01-02T15:04:05Z`: to the second, as Kubernetes writes times. */
export function formatRfc3339(time: Time): string {
  const civil = civilOf(time);
  const date = `${padded(civil.year, 4)}-${padded(civil.month, 2)}-${padded(civil.day, 2)}`;
  return `${date}T${clock(civil)}${formatOffset(time.offset)}`;
}

/** As `formatRfc3339` with as many digits of the second as there are. */
export function formatRfc3339Nano(time: Time): string {
  const whole = formatRfc3339({ ...time, nanoseconds: unixSeconds(time) * NANOSECONDS_PER_SECOND });
  const { nanosecond } = civilOf(time);
  if (nanosecond === 0) return whole;
  const fraction = padded(nanosecond, 9).replace(/0+$/, "");
  return `${whole.slice(0, 19)}.${fraction}${whole.slice(19)}`;
}

/** Most moments are of the second that was printed before. */
let printed = { seconds: Number.NaN, text: "" };

/** RFC 3339 in UTC to the second, from milliseconds since the epoch: what statuses hold. */
export function rfc3339OfMs(milliseconds: number): string {
  const seconds = Math.floor(Math.trunc(milliseconds) / 1000);
  if (seconds !== printed.seconds) printed = { seconds, text: rfc3339OfSeconds(seconds) };
  return printed.text;
}

function rfc3339OfSeconds(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const ofDay = seconds - days * 86_400;
  const { year, month, day } = dateOfDays(days);
  const time = { hour: Math.floor(ofDay / 3600), minute: Math.floor((ofDay % 3600) / 60), second: ofDay % 60 };
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}T${clock(time)}Z`;
}

/** Milliseconds since the epoch of an RFC 3339 text, rounded down; undefined when it is none. */
export function msOfRfc3339(text: string): number | undefined {
  const parts = partsOf(text);
  if (parts === undefined) return undefined;
  const { civil, zone } = parts;
  const seconds = civil.hour * 3600 + civil.minute * 60 + civil.second - (zone === "Z" ? 0 : offsetOf(zone));
  const days = daysOfDate(civil.year, civil.month, civil.day);
  return (days * 86_400 + seconds) * 1000 + Math.floor(civil.nanosecond / 1_000_000);
}

export function clock(civil: Pick<CivilTime, "hour" | "minute" | "second">): string {
  return `${padded(civil.hour, 2)}:${padded(civil.minute, 2)}:${padded(civil.second, 2)}`;
}

/** `Z`, or `+02:00`. */
export function formatOffset(offset: number): string {
  if (offset === 0) return "Z";
  const minutes = Math.floor(Math.abs(offset) / 60);
  return `${offset < 0 ? "-" : "+"}${padded(Math.floor(minutes / 60), 2)}:${padded(minutes % 60, 2)}`;
}

/** The letters after `workflow.creationTimestamp.` and what they print (Argo 4.1 behaviour 4.4). */
const strftimeLetters: Readonly<Record<string, (civil: CivilTime, time: Time) => string>> = {
  B: (civil) => monthNames[civil.month - 1] ?? "",
  b: (civil) => (monthNames[civil.month - 1] ?? "").slice(0, 3),
  m: (civil) => padded(civil.month, 2),
  A: (civil) => weekdayNames[civil.weekday] ?? "",
  a: (civil) => (weekdayNames[civil.weekday] ?? "").slice(0, 3),
  d: (civil) => padded(civil.day, 2),
  H: (civil) => padded(civil.hour, 2),
  I: (civil) => padded(((civil.hour + 11) % 12) + 1, 2),
  M: (civil) => padded(civil.minute, 2),
  S: (civil) => padded(civil.second, 2),
  Y: (civil) => padded(civil.year, 4),
  y: (civil) => padded(((civil.year % 100) + 100) % 100, 2),
  p: (civil) => (civil.hour < 12 ? "AM" : "PM"),
  Z: (_civil, time) => time.zone,
  z: (_civil, time) => (time.offset === 0 ? "+0000" : formatOffset(time.offset).replace(":", "")),
  L: (civil) => `.${padded(Math.floor(civil.nanosecond / 1_000_000), 3)}`,
};

/** One strftime letter of `time`; undefined for a letter Argo does not know. */
export function strftime(time: Time, letter: string): string | undefined {
  return strftimeLetters[letter]?.(civilOf(time), time);
}

/** All letters of `strftime`, in Argo's order. */
export const strftimeNames: readonly string[] = Object.keys(strftimeLetters);
