/** Whether the time zone of a CronWorkflow exists (Argo 4.1 behaviour 10.2). Which there are is not the core's to know. */

import { nearestName } from "../model/codec/suggest.js";
import type { Spot } from "./report.js";

/** By their IANA names. */
export interface TimeZones {
  has(name: string): boolean;
  /** For what may have been meant; need not be all that there are. */
  readonly names: Iterable<string>;
}

/** Go's own, which are in no list. */
const GO_NAMES: readonly string[] = ["", "UTC", "Local"];

export interface ZoneCheck {
  readonly zones: TimeZones;
  readonly spot: Spot;
}

export function checkTimeZone(name: string, path: string, check: ZoneCheck): void {
  tellUnknown(name, path, check, `invalid timezone "${name}"`);
}

/** A schedule may name its own: `TZ=Europe/Berlin 0 3 * * *`. */
export function checkScheduleZone(schedule: string, path: string, check: ZoneCheck): void {
  const name = /^(?:CRON_)?TZ=(\S*)\s/.exec(schedule)?.[1] ?? "";
  tellUnknown(name, path, check, `cron schedule ${schedule} is malformed: provided bad location ${name}`);
}

function tellUnknown(name: string, path: string, { zones, spot }: ZoneCheck, argo: string): void {
  if (GO_NAMES.includes(name) || zones.has(name)) return;
  spot.tell({
    code: "bad-value",
    path,
    message: `"${name}" is no time zone`,
    hint: () => hintFor(name, zones.names),
    argo: `${argo}: unknown time zone ${name}`,
  });
}

/** People write `Berlin`, or an abbreviation. */
function hintFor(name: string, names: Iterable<string>): string {
  const all = [...names];
  const city = `/${name.toLowerCase().replaceAll(" ", "_")}`;
  const near = all.find((one) => one.toLowerCase().endsWith(city)) ?? nearestName(name, all);
  return near === undefined ? "write the name of a place, such as Europe/Berlin, or UTC" : `did you mean "${near}"?`;
}
