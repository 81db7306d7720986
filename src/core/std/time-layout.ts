/** Go's reference-time layouts ("Mon Jan 2 15:04:05 2006"): a layout cut into fields, printed and read. */

import { err, ok, type Result } from "./result.js";
import {
  type CivilTime,
  civilOf,
  isCivil,
  monthNames,
  nanosecondsOf,
  padded,
  type Time,
  weekdayNames,
} from "./time.js";

/** What is known so far while a text is read. */
interface Draft {
  year: number;
  month: number;
  day: number;
  yearDay: number;
  hour: number;
  minute: number;
  second: number;
  nanosecond: number;
  afternoon: boolean | undefined;
  offset: number | undefined;
  zone: string;
}

interface Field {
  readonly text: string;
  print(civil: CivilTime, time: Time): string;
  /** Takes its part off the front; returns the rest, or undefined when it does not fit. */
  read(text: string, draft: Draft): string | undefined;
}

const NAME_FIELDS: readonly Field[] = [
  names("January", monthNames, (civil) => civil.month - 1, setMonth),
  names("Jan", monthNames.map(short), (civil) => civil.month - 1, setMonth),
  names("Monday", weekdayNames, (civil) => civil.weekday, ignore),
  names("Mon", weekdayNames.map(short), (civil) => civil.weekday, ignore),
];

/** Longest first where one begins like another. */
const FIELDS: readonly Field[] = [
  ...NAME_FIELDS,
  { text: "MST", print: printZone, read: readZone },
  digits("2006", { width: 4, pad: "0" }, (civil) => civil.year, "year"),
  digits("002", { width: 3, pad: "0" }, (civil) => civil.yearDay, "yearDay"),
  digits("__2", { width: 3, pad: " " }, (civil) => civil.yearDay, "yearDay"),
  digits("01", { width: 2, pad: "0" }, (civil) => civil.month, "month"),
  digits("02", { width: 2, pad: "0" }, (civil) => civil.day, "day"),
  digits("_2", { width: 2, pad: " " }, (civil) => civil.day, "day"),
  digits("03", { width: 2, pad: "0" }, hour12, "hour"),
  digits("04", { width: 2, pad: "0" }, (civil) => civil.minute, "minute"),
  digits("05", { width: 2, pad: "0" }, (civil) => civil.second, "second"),
  twoDigitYear(),
  digits("15", { width: 2, pad: "0" }, (civil) => civil.hour, "hour"),
  digits("1", { width: 1, pad: "" }, (civil) => civil.month, "month"),
  digits("2", { width: 1, pad: "" }, (civil) => civil.day, "day"),
  digits("3", { width: 1, pad: "" }, hour12, "hour"),
  digits("4", { width: 1, pad: "" }, (civil) => civil.minute, "minute"),
  digits("5", { width: 1, pad: "" }, (civil) => civil.second, "second"),
  halfOfDay("PM", "AM"),
  halfOfDay("pm", "am"),
  zone("Z07:00:00", /^(Z|[+-]\d\d:\d\d:\d\d)/),
  zone("Z07:00", /^(Z|[+-]\d\d:\d\d)/),
  zone("Z070000", /^(Z|[+-]\d{6})/),
  zone("Z0700", /^(Z|[+-]\d{4})/),
  zone("Z07", /^(Z|[+-]\d\d)/),
  zone("-07:00:00", /^[+-]\d\d:\d\d:\d\d/),
  zone("-07:00", /^[+-]\d\d:\d\d/),
  zone("-070000", /^[+-]\d{6}/),
  zone("-0700", /^[+-]\d{4}/),
  zone("-07", /^[+-]\d\d/),
];

const FRACTION = /^([.,])(0+|9+)(?!\d)/;

type Part = Field | string;

/** Prints a time as the layout says; what is no field stands for itself. */
export function formatLayout(layout: string, time: Time): string {
  const civil = civilOf(time);
  return partsOf(layout)
    .map((part) => (typeof part === "string" ? part : part.print(civil, time)))
    .join("");
}

/** Reads a time; without a zone it is UTC. The error is Go's. */
export function parseLayout(layout: string, text: string): Result<Time> {
  const failed = (where: string, part: string): Result<Time> =>
    err(`parsing time "${text}" as "${layout}": cannot parse "${where}" as "${part}"`);
  const draft = emptyDraft();
  let rest = text;
  for (const part of partsOf(layout)) {
    const left = typeof part === "string" ? readLiteral(rest, part) : part.read(rest, draft);
    if (left === undefined) return failed(rest, typeof part === "string" ? part : part.text);
    rest = left;
    if (typeof part !== "string" && part.text.endsWith("5")) rest = readFreeFraction(rest, draft, layout);
  }
  if (rest !== "") return err(`parsing time "${text}": extra text: "${rest}"`);
  return finish(draft, text);
}

function emptyDraft(): Draft {
  return {
    year: 0,
    month: 0,
    day: 0,
    yearDay: 0,
    hour: 0,
    minute: 0,
    second: 0,
    nanosecond: 0,
    afternoon: undefined,
    offset: undefined,
    zone: "",
  };
}

function partsOf(layout: string): readonly Part[] {
  const parts: Part[] = [];
  let literal = "";
  for (let at = 0; at < layout.length; ) {
    const rest = layout.slice(at);
    const field = fractionField(rest) ?? FIELDS.find((candidate) => begins(rest, candidate.text));
    if (field === undefined) {
      literal += layout.charAt(at++);
      continue;
    }
    if (literal !== "") parts.push(literal);
    literal = "";
    parts.push(field);
    at += field.text.length;
  }
  return literal === "" ? parts : [...parts, literal];
}

/** `Jan` is no field in `Janet`: a name is not followed by a small letter. */
function begins(rest: string, text: string): boolean {
  if (!rest.startsWith(text)) return false;
  if (text === "Jan" || text === "Mon") return !/^[a-z]/.test(rest.slice(3));
  return !(text === "_2" && rest.startsWith("_2006"));
}

function fractionField(rest: string): Field | undefined {
  const match = FRACTION.exec(rest);
  if (match === null) return undefined;
  const [text, mark = ".", run = ""] = match;
  const optional = run.startsWith("9");
  return {
    text,
    print: (civil) => {
      const all = padded(civil.nanosecond, 9).slice(0, run.length);
      const kept = optional ? all.replace(/0+$/, "") : all;
      return kept === "" ? "" : mark + kept;
    },
    read: (from, draft) => {
      const found = /^[.,](\d+)/.exec(from);
      if (found === null) return optional ? from : undefined;
      const seen = found[1] ?? "";
      if (!optional && seen.length !== run.length) return undefined;
      draft.nanosecond = Number(seen.slice(0, 9).padEnd(9, "0"));
      return from.slice(found[0].length);
    },
  };
}

/** Go takes a fraction after the seconds even where the layout has none. */
function readFreeFraction(rest: string, draft: Draft, layout: string): string {
  if (/5[.,][09]/.test(layout)) return rest;
  const found = /^[.,](\d+)/.exec(rest);
  if (found === null) return rest;
  draft.nanosecond = Number((found[1] ?? "").slice(0, 9).padEnd(9, "0"));
  return rest.slice(found[0].length);
}

/** A run of spaces in the layout stands for any run of spaces. */
function readLiteral(text: string, literal: string): string | undefined {
  let at = 0;
  for (const character of literal) {
    if (character === " ") {
      if (at < text.length && text.charAt(at) !== " ") return undefined;
      while (text.charAt(at) === " ") at++;
      continue;
    }
    if (!text.startsWith(character, at)) return undefined;
    at += character.length;
  }
  return text.slice(at);
}

function finish(draft: Draft, text: string): Result<Time> {
  const civil = civilOfDraft(draft);
  if (draft.yearDay === 0 && !isCivil(civil)) return err(`parsing time "${text}": ${outOfRange(civil)} out of range`);
  const offset = draft.offset ?? 0;
  const zoneName = draft.zone || (offset === 0 ? "UTC" : "");
  return ok({ nanoseconds: nanosecondsOf(civil, offset), offset, zone: zoneName });
}

/** A day of the year counts from January 1; the calendar carries it into its month. */
function civilOfDraft(draft: Draft): Draft {
  const hour = hourOf(draft);
  if (draft.yearDay > 0) return { ...draft, hour, month: 1, day: draft.yearDay };
  return { ...draft, hour, month: draft.month || 1, day: draft.day || 1 };
}

function hourOf({ hour, afternoon }: Draft): number {
  if (afternoon === true && hour < 12) return hour + 12;
  return afternoon === false && hour === 12 ? 0 : hour;
}

function outOfRange(civil: Draft): string {
  if (civil.month < 1 || civil.month > 12) return "month";
  if (civil.hour >= 24) return "hour";
  if (civil.minute >= 60) return "minute";
  return civil.second >= 60 ? "second" : "day";
}

function short(name: string): string {
  return name.slice(0, 3);
}

function ignore(): void {}

function setMonth(draft: Draft, index: number): void {
  draft.month = index + 1;
}

function hour12(civil: CivilTime): number {
  return ((civil.hour + 11) % 12) + 1;
}

function names(
  text: string,
  list: readonly string[],
  indexOf: (civil: CivilTime) => number,
  store: (draft: Draft, index: number) => void,
): Field {
  return {
    text,
    print: (civil) => list[indexOf(civil)] ?? "",
    read: (from, draft) => {
      const index = list.findIndex((name) => from.slice(0, name.length).toLowerCase() === name.toLowerCase());
      if (index < 0) return undefined;
      store(draft, index);
      return from.slice((list[index] ?? "").length);
    },
  };
}

type NumberSlot = "year" | "month" | "day" | "yearDay" | "hour" | "minute" | "second";

/** A width of 1 prints without padding and reads one or two digits. */
function digits(
  text: string,
  shape: { readonly width: number; readonly pad: string },
  numberOf: (civil: CivilTime) => number,
  slot: NumberSlot,
): Field {
  const pattern = patternOf(shape);
  return {
    text,
    print: (civil) => {
      const value = numberOf(civil);
      return shape.pad === "0" ? padded(value, shape.width) : String(value).padStart(shape.width, shape.pad || " ");
    },
    read: (from, draft) => {
      const found = pattern.exec(from);
      if (found === null) return undefined;
      draft[slot] = Number(found[0]);
      // On a clock of twelve hours, 13 is out of range: made so, for `finish` to say.
      if (/^0?3$/.test(text) && draft.hour > 12) draft.hour = 24;
      return from.slice(found[0].length);
    },
  };
}

function patternOf(shape: { readonly width: number; readonly pad: string }): RegExp {
  if (shape.pad === " ") return new RegExp(`^ {0,${shape.width - 1}}\\d{1,${shape.width}}`);
  return shape.width === 1 ? /^\d{1,2}/ : new RegExp(`^\\d{${shape.width}}`);
}

function twoDigitYear(): Field {
  return {
    text: "06",
    print: (civil) => padded(((civil.year % 100) + 100) % 100, 2),
    read: (from, draft) => {
      if (!/^\d\d/.test(from)) return undefined;
      const year = Number(from.slice(0, 2));
      draft.year = year >= 69 ? 1900 + year : 2000 + year;
      return from.slice(2);
    },
  };
}

function halfOfDay(after: string, before: string): Field {
  return {
    text: after,
    print: (civil) => (civil.hour >= 12 ? after : before),
    read: (from, draft) => {
      const mark = from.slice(0, 2);
      if (mark !== after && mark !== before) return undefined;
      draft.afternoon = mark === after;
      return from.slice(2);
    },
  };
}

function zone(text: string, pattern: RegExp): Field {
  return {
    text,
    print: (_civil, time) => printOffset(text, time.offset),
    read: (from, draft) => {
      const found = pattern.exec(from)?.[0];
      if (found === undefined) return undefined;
      const [hours = "0", minutes = "0", seconds = "0"] = found.replace(/[^\d]/g, "").match(/\d\d/g) ?? [];
      const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
      draft.offset = found.startsWith("-") ? -size : size;
      return from.slice(found.length);
    },
  };
}

function printOffset(text: string, offset: number): string {
  if (text.startsWith("Z") && offset === 0) return "Z";
  const size = Math.abs(offset);
  const parts = [Math.floor(size / 3600), Math.floor((size % 3600) / 60), size % 60].map((part) => padded(part, 2));
  const colon = text.includes(":") ? ":" : "";
  const count = (text.replace(/[^\d]/g, "").length / 2) | 0;
  return (offset < 0 ? "-" : "+") + parts.slice(0, count).join(colon);
}

function printZone(_civil: CivilTime, time: Time): string {
  if (time.zone !== "") return time.zone;
  return printOffset(time.offset % 3600 === 0 ? "-07" : "-0700", time.offset);
}

function readZone(from: string, draft: Draft): string | undefined {
  const found = /^([A-Z]{3,5}|[+-]\d{1,2}(?!\d))/.exec(from)?.[0];
  if (found === undefined) return undefined;
  draft.zone = found;
  return from.slice(found.length);
}
