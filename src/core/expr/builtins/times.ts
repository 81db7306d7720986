/** Builtins on moments and durations; "now" is an argument of the evaluation. */

import { parseDuration } from "../../std/duration.js";
import { timeOfMs } from "../../std/time.js";
import { parseLayout } from "../../std/time-layout.js";
import { asText } from "../values/operations.js";
import { type ExprValue, ValueFault } from "../values/value.js";
import { type BuiltinRow, overload } from "./row.js";

const DATE_LAYOUTS = [
  "2006-01-02",
  "15:04:05",
  "2006-01-02 15:04:05",
  "2006-01-02T15:04:05Z07:00",
  "02 Jan 06 15:04 MST",
  "Monday, 02-Jan-06 15:04:05 MST",
  "Mon, 02 Jan 2006 15:04:05 MST",
] as const;

export const timeRows: readonly (readonly [string, BuiltinRow])[] = [
  [
    "now",
    {
      accepts: (types) =>
        types.length === 0
          ? { result: "time" }
          : { problem: `invalid number of arguments (expected 0, got ${types.length})` },
      call: (_args, call) => ({ kind: "time", time: timeOfMs(call.now) }),
    },
  ],
  ["duration", { accepts: [overload("duration", "string")], call: ([text]) => durationOf(asText(text)) }],
  [
    "date",
    {
      accepts: (types) => {
        if (types.length < 1) {
          return { problem: `invalid number of arguments (expected at least 1, got ${types.length})` };
        }
        if (types.length > 3) {
          return { problem: `invalid number of arguments (expected at most 3, got ${types.length})` };
        }
        return { result: "time" };
      },
      call: ([text, layout, zone]) => dateOf(asText(text), layout, zone),
    },
  ],
  ["timezone", { accepts: [overload("unknown", "string")], call: ([name]) => requireUtc(asText(name)) }],
];

function durationOf(text: string): ExprValue {
  const duration = parseDuration(text);
  if (!duration.ok) throw new ValueFault(duration.error);
  return { kind: "duration", duration: duration.value };
}

function dateOf(text: string, layout: ExprValue | undefined, zone: ExprValue | undefined): ExprValue {
  if (zone !== undefined) requireUtc(asText(zone));
  if (layout !== undefined) {
    const time = parseLayout(asText(layout), text);
    if (!time.ok) throw new ValueFault(time.error);
    return { kind: "time", time: time.value };
  }
  for (const known of DATE_LAYOUTS) {
    const time = parseLayout(known, text);
    if (time.ok) return { kind: "time", time: time.value };
  }
  throw new ValueFault(`invalid date ${text}`);
}

/** There is no zone database here: an answer that depends on it would differ between machines. */
function requireUtc(name: string): ExprValue {
  if (name === "UTC" || name === "") return name;
  throw new ValueFault(`unknown time zone ${name}: only UTC is known here`);
}
