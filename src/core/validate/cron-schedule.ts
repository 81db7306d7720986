/** Whether a schedule of a CronWorkflow can be read: five fields of cron, `@daily` and the like, `@every 1h30m`. */

import { parseDuration } from "../std/duration.js";

interface Field {
  readonly word: string;
  readonly min: number;
  readonly max: number;
  /** In the order of their numbers, from `min`. */
  readonly names: readonly string[];
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const FIELDS: readonly Field[] = [
  { word: "minute", min: 0, max: 59, names: [] },
  { word: "hour", min: 0, max: 23, names: [] },
  { word: "day of the month", min: 1, max: 31, names: [] },
  { word: "month", min: 1, max: 12, names: MONTHS },
  { word: "day of the week", min: 0, max: 6, names: DAYS },
];

const DESCRIPTORS: readonly string[] = [
  "@yearly",
  "@annually",
  "@monthly",
  "@weekly",
  "@daily",
  "@midnight",
  "@hourly",
];
const EVERY = "@every ";

export interface ScheduleFault {
  /** For people. */
  readonly message: string;
  readonly hint: string;
  /** The parser's words that Argo passes on. */
  readonly argo: string;
}

/** Undefined for a schedule that Argo's cron takes. */
export function scheduleFault(schedule: string): ScheduleFault | undefined {
  if (schedule === "") return fault("the schedule is empty", "empty spec string");
  const zone = /^(?:CRON_)?TZ=\S*\s+/.exec(schedule);
  const text = zone === null ? schedule : schedule.slice(zone[0].length).trim();
  if (text.startsWith("@")) return descriptorFault(text);
  const words = text.split(/\s+/).filter((word) => word !== "");
  if (words.length !== FIELDS.length) {
    const argo = `expected exactly 5 fields, found ${words.length}: [${words.join(" ")}]`;
    const extra = words.length === 6 ? "; seconds are not among them" : "";
    return fault(
      `a schedule has 5 fields (minute, hour, day, month, day of the week), not ${words.length}${extra}`,
      argo,
    );
  }
  return firstOf(FIELDS, (field, index) => fieldFault(field, words[index] ?? ""));
}

function descriptorFault(text: string): ScheduleFault | undefined {
  if (DESCRIPTORS.includes(text)) return undefined;
  if (!text.startsWith(EVERY)) {
    const known = [...DESCRIPTORS, "@every 1h30m"].join(", ");
    return fault(`"${text}" is none of ${known}`, `unrecognized descriptor: ${text}`);
  }
  const duration = parseDuration(text.slice(EVERY.length));
  if (duration.ok) return undefined;
  return fault(
    `"${text}": expected a duration such as @every 1h30m`,
    `failed to parse duration ${text}: ${duration.error}`,
  );
}

function fieldFault(field: Field, text: string): ScheduleFault | undefined {
  const parts = text.split(",").filter((part) => part !== "");
  return firstOf(parts, (part) => {
    const argo = rangeFault(field, part);
    return argo === undefined ? undefined : fault(`${field.word} "${part}": ${allowed(field)}`, argo);
  });
}

function allowed({ min, max, names }: Field): string {
  const words = names.length === 0 ? "" : ` or ${names[0]} to ${names.at(-1)}`;
  const sunday = names === DAYS ? " (0 is Sunday)" : "";
  return `expected ${min} to ${max}${words}${sunday}, *, a range such as ${min}-${max} or a step such as */2`;
}

/** `*`, `5`, `1-5`, `mon-fri`, each with `/2` or without. */
function rangeFault(field: Field, part: string): string | undefined {
  const [range = "", step, ...slashes] = part.split("/");
  const ends = endsOf(field, range, part);
  if (typeof ends === "string") return ends;
  if (slashes.length > 0) return `too many slashes: ${part}`;
  const every = step === undefined ? 1 : plainNumber(step);
  if (typeof every === "string") return every;
  // One number with a step begins there and goes on to the last.
  const end = step !== undefined && !range.includes("-") ? field.max : ends.end;
  return boundsFault(field, part, { start: ends.start, end, every });
}

/** A text is what is wrong. */
function endsOf(field: Field, range: string, part: string): Pick<Bounds, "start" | "end"> | string {
  const [low = "", high = low, ...hyphens] = range.split("-");
  if (low === "*" || low === "?") return { start: field.min, end: field.max };
  const start = numberOf(field, low);
  if (typeof start === "string") return start;
  if (hyphens.length > 0) return `too many hyphens: ${part}`;
  const end = numberOf(field, high);
  return typeof end === "string" ? end : { start, end };
}

interface Bounds {
  readonly start: number;
  readonly end: number;
  readonly every: number;
}

function boundsFault({ min, max }: Field, part: string, { start, end, every }: Bounds): string | undefined {
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${part}`;
  if (end > max) return `end of range (${end}) above maximum (${max}): ${part}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${part}`;
  return every === 0 ? `step of range should be a positive number: ${part}` : undefined;
}

/** A text is what is wrong with it. */
function numberOf({ min, names }: Field, text: string): number | string {
  const index = names.indexOf(text.toLowerCase());
  return index === -1 ? plainNumber(text) : min + index;
}

/** A text is what is wrong with it. */
function plainNumber(text: string): number | string {
  if (!/^[+-]?\d+$/.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
  }
  const number = Number(text);
  return number < 0 ? `negative number (${number}) not allowed: ${text}` : number;
}

function fault(message: string, argo: string): ScheduleFault {
  return { message, hint: 'for example "0 3 * * *": every day at 3', argo };
}

function firstOf<T, R>(items: readonly T[], find: (item: T, index: number) => R | undefined): R | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}
