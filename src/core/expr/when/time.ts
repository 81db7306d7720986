/** Quoted text in `when` that looks like a date is a moment, compared as seconds. */

import { parseLayout } from "../../std/time-layout.js";

/** With the shortest and longest text each can stand for, so that other texts cost nothing. */
const FORMATS = [
  ["Mon Jan _2 15:04:05 2006", 23, 24],
  ["Mon Jan _2 15:04:05 MST 2006", 27, 28],
  ["Mon Jan 02 15:04:05 -0700 2006", 30, 30],
  ["3:04PM", 6, 7],
  ["2006-01-02T15:04:05Z07:00", 20, 25],
  ["2006-01-02T15:04:05.999999999Z07:00", 20, 35],
  ["2006-01-02", 10, 10],
  ["2006-01-02 15:04", 16, 16],
  ["2006-01-02 15:04:05", 19, 19],
  ["2006-01-02 15:04:05-07:00", 25, 25],
  ["2006-01-02T15Z0700", 14, 18],
  ["2006-01-02T15:04Z0700", 17, 21],
  ["2006-01-02T15:04:05Z0700", 20, 24],
  ["2006-01-02T15:04:05.999999999Z0700", 20, 34],
] as const;

/** Unix seconds, or undefined when it is ordinary text. */
export function parseWhenTime(text: string): number | undefined {
  if (!text.includes(":") && !text.includes("-")) return undefined;
  for (const [layout, shortest, longest] of FORMATS) {
    if (text.length < shortest || text.length > longest) continue;
    const time = parseLayout(layout, text);
    if (time.ok) return Number(time.value.nanoseconds / 1_000_000_000n);
  }
  return undefined;
}
