/** sprig's dates; "now" is an argument of the evaluation, and the only zone is UTC. */

import { formatDuration, HOUR, MINUTE, parseDuration, SECOND } from "../../std/duration.js";
import { floorDivide, type Time, timeOfMs, unixSeconds, utc } from "../../std/time.js";
import { formatLayout, parseLayout } from "../../std/time-layout.js";
import { type CallContext, type ExprValue, goTypeOf, isDuration, isTime, ValueFault } from "../values/value.js";
import { castInt } from "./cast.js";
import { aliases, define, type SprigRow } from "./define.js";

const dateInZone = define("dateInZone", ["string", "any", "string"], ([layout, value, zone], call) => {
  requireKnownZone(zone);
  return formatLayout(layout, momentOf(value, call));
});
const dateModify = define("dateModify", ["string", "any"], ([text, value]) => {
  const by = parseDuration(text);
  return by.ok ? moved(value, by.value) : value;
});
const mustDateModify = define("mustDateModify", ["string", "any"], ([text, value]) => {
  const by = parseDuration(text);
  if (!by.ok) throw new ValueFault(by.error);
  return moved(value, by.value);
});

const HTML_DATE = "2006-01-02";
/** Year 1, which Go gives for a date it cannot read. */
const ZERO_TIME = utc(-62_135_596_800n * SECOND);

export const dateRows: readonly SprigRow[] = [
  define("now", [], (_none, call) => ({ kind: "time", time: timeOfMs(call.now) })),
  define("date", ["string", "any"], ([layout, value], call) => formatLayout(layout, momentOf(value, call))),
  dateInZone,
  ...aliases(dateInZone, "date_in_zone"),
  dateModify,
  ...aliases(dateModify, "date_modify"),
  mustDateModify,
  ...aliases(mustDateModify, "must_date_modify"),
  define("htmlDate", ["any"], ([value], call) => formatLayout(HTML_DATE, momentOf(value, call))),
  define("htmlDateInZone", ["any", "string"], ([value, zone], call) => {
    requireKnownZone(zone);
    return formatLayout(HTML_DATE, momentOf(value, call));
  }),
  define("toDate", ["string", "string"], ([layout, text]) => {
    const time = parseLayout(layout, text);
    return { kind: "time", time: time.ok ? time.value : ZERO_TIME };
  }),
  define("mustToDate", ["string", "string"], ([layout, text]) => {
    const time = parseLayout(layout, text);
    if (!time.ok) throw new ValueFault(time.error);
    return { kind: "time", time: time.value };
  }),
  define("unixEpoch", ["any"], ([value]) => String(unixSeconds(requireTime(value)))),
  define("ago", ["any"], ([value], call) => {
    const elapsed = timeOfMs(call.now).nanoseconds - momentOf(value, call).nanoseconds;
    return formatDuration(floorDivide(elapsed + SECOND / 2n, SECOND) * SECOND);
  }),
  define("duration", ["any"], ([value]) => formatDuration(castInt(value) * SECOND)),
  define("durationRound", ["any"], ([value], call) => roundedDuration(value, call)),
];

/** Seconds since the epoch, or a moment; for anything else sprig takes the present, and so do we. */
function momentOf(value: ExprValue, call: CallContext): Time {
  if (isTime(value)) return value.time;
  return typeof value === "bigint" ? utc(value * SECOND) : timeOfMs(call.now);
}

function requireTime(value: ExprValue): Time {
  if (isTime(value)) return value.time;
  throw new ValueFault(`reflect: Call using ${goTypeOf(value)} as type time.Time`);
}

function moved(value: ExprValue, by: bigint): ExprValue {
  const time = requireTime(value);
  return { kind: "time", time: { ...time, nanoseconds: time.nanoseconds + by } };
}

/** There is no zone database here: an answer that depends on it would differ between machines. */
function requireKnownZone(zone: string): void {
  if (zone === "" || zone === "UTC" || zone === "Local") return;
  throw new ValueFault(`unknown time zone ${zone}: only UTC is known here`);
}

const DAY = 24n * HOUR;

const ROUND_UNITS: readonly (readonly [bigint, string])[] = [
  [365n * DAY, "y"],
  [30n * DAY, "mo"],
  [DAY, "d"],
  [HOUR, "h"],
  [MINUTE, "m"],
  [SECOND, "s"],
];

function roundedDuration(value: ExprValue, call: CallContext): string {
  const duration = durationOf(value, call);
  const size = duration < 0n ? -duration : duration;
  for (const [unit, name] of ROUND_UNITS) {
    if (size > unit || (size === unit && name !== "y" && name !== "mo")) return `${size / unit}${name}`;
  }
  return "0s";
}

function durationOf(value: ExprValue, call: CallContext): bigint {
  if (isDuration(value)) return value.duration;
  if (typeof value === "bigint") return value;
  if (isTime(value)) return timeOfMs(call.now).nanoseconds - value.time.nanoseconds;
  const parsed = typeof value === "string" ? parseDuration(value) : undefined;
  return parsed?.ok === true ? parsed.value : 0n;
}
