/** Spans and points of time as people read them; Argo's forms and our own. */

import { msOfRfc3339 } from "../../core/std/time.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `0s`, `12s`, `5m`, `3h`, `45d`: the largest unit only, as Argo's lists print it (Argo 4.1 behaviour 8.5). */
export function shortDuration(ms: number): string {
  const span = Math.max(0, ms);
  if (span < MINUTE) return `${Math.floor(span / SECOND)}s`;
  if (span < HOUR) return `${Math.floor(span / MINUTE)}m`;
  if (span < DAY) return `${Math.floor(span / HOUR)}h`;
  return `${Math.floor(span / DAY)}d`;
}

/** `5 seconds`, `1 minute 3 seconds`, `2 hours 5 minutes`, `1 day 3 hours` (Argo 4.1 behaviour 8.6). */
export function longDuration(ms: number): string {
  const span = Math.max(0, ms);
  if (span < MINUTE) return count(span, SECOND, "second");
  if (span < HOUR) return `${count(span, MINUTE, "minute")} ${count(span % MINUTE, SECOND, "second")}`;
  if (span < DAY) return `${count(span, HOUR, "hour")} ${count(span % HOUR, MINUTE, "minute")}`;
  const [unit, name] = longUnit(span);
  return `${count(span, unit, name)} ${Math.floor((span % unit) / HOUR)} hours`;
}

function longUnit(span: number): readonly [number, string] {
  if (span < 7 * DAY) return [DAY, "day"];
  if (span < 30 * DAY) return [7 * DAY, "week"];
  return [30 * DAY, "month"];
}

function count(span: number, unit: number, name: string): string {
  const number = Math.floor(span / unit);
  return `${number} ${name}${number === 1 ? "" : "s"}`;
}

/** `0s`, `12s`, `1m03s`, `2h05m`, `3d04h`: two units, for the live tree. */
export function twoUnits(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${pad(seconds % 60)}s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h${pad(Math.floor((seconds % 3600) / 60))}m`;
  return `${Math.floor(seconds / 86_400)}d${pad(Math.floor((seconds % 86_400) / 3600))}h`;
}

/** `2 hours ago`, `now`. */
export function ago(ms: number): string {
  const span = Math.max(0, ms);
  if (span < SECOND) return "now";
  if (span < MINUTE) return `${count(span, SECOND, "second")} ago`;
  if (span < HOUR) return `${count(span, MINUTE, "minute")} ago`;
  if (span < DAY) return `${count(span, HOUR, "hour")} ago`;
  const [unit, name] = longUnit(span);
  return `${count(span, unit, name)} ago`;
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Go's `Mon Jan 02 15:04:05 -0700`, at an offset from UTC. */
export function goTimestamp(at: number, offsetMinutes: number): string {
  const local = new Date(at + offsetMinutes * MINUTE);
  const day = DAYS[local.getUTCDay()] ?? "";
  const month = MONTHS[local.getUTCMonth()] ?? "";
  return `${day} ${month} ${pad(local.getUTCDate())} ${clockOf(local)} ${offsetText(offsetMinutes)}`;
}

/** Go's default print of a time: `2026-11-30 06:06:01 +0000 UTC`. */
export function goDefaultTime(at: number): string {
  const date = new Date(at);
  const day = `${date.getUTCFullYear()}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`;
  return `${day} ${clockOf(date)} +0000 UTC`;
}

function clockOf(date: Date): string {
  return `${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())}`;
}

function offsetText(minutes: number): string {
  const sign = minutes < 0 ? "-" : "+";
  const absolute = Math.abs(minutes);
  return `${sign}${pad(Math.floor(absolute / 60))}${pad(absolute % 60)}`;
}

function pad(number: number): string {
  return String(number).padStart(2, "0");
}

/** Milliseconds since the epoch of an RFC 3339 text; undefined when absent or unreadable. */
export function timeOf(text: string | undefined | null): number | undefined {
  return text ? msOfRfc3339(text) : undefined;
}

const SINCE = /^(\d+)([smhd])$/;

/** `30s`, `5m`, `2h`, `7d` in milliseconds, as `--since` and `--older` take them; undefined when it is none. */
export function parseSince(text: string): number | undefined {
  const match = SINCE.exec(text);
  if (match === null) return undefined;
  const units: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };
  return Number(match[1]) * (units[match[2] ?? ""] ?? 0);
}
