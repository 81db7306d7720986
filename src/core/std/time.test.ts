import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  civilOf,
  formatRfc3339,
  formatRfc3339Nano,
  msOfRfc3339,
  parseRfc3339,
  rfc3339OfMs,
  strftime,
  strftimeNames,
  type Time,
  timeOfMs,
} from "./time.js";
import { formatLayout, parseLayout } from "./time-layout.js";

function time(text: string): Time {
  const parsed = parseRfc3339(text);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
}

test.each([
  ["2023-03-05T07:08:09Z", "2023-03-05T07:08:09Z", "2023-03-05T07:08:09Z"],
  ["2023-03-05T07:08:09.012345678Z", "2023-03-05T07:08:09Z", "2023-03-05T07:08:09.012345678Z"],
  ["2024-12-31T23:59:59.5+05:30", "2024-12-31T23:59:59+05:30", "2024-12-31T23:59:59.5+05:30"],
  ["1969-07-20T20:17:40-04:00", "1969-07-20T20:17:40-04:00", "1969-07-20T20:17:40-04:00"],
  ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
] as const)("%s", (text, seconds, nanoseconds) => {
  expect(formatRfc3339(time(text))).toBe(seconds);
  expect(formatRfc3339Nano(time(text))).toBe(nanoseconds);
});

test.each(["2023-02-30T00:00:00Z", "2023-01-01", "2023-01-01T24:00:00Z", "2023-01-01T00:00:60Z", "x", ""])(
  "%j is no time",
  (text) => {
    expect(parseRfc3339(text)).toEqual({ ok: false, error: `"${text}" is not a time in RFC 3339` });
  },
);

test("milliseconds there and back, and the calendar is JavaScript's", () => {
  fc.assert(
    fc.property(fc.integer({ min: -6e13, max: 2.5e14 }), (ms) => {
      const whole = Math.floor(ms / 1000) * 1000;
      expect(msOfRfc3339(rfc3339OfMs(whole))).toBe(whole);
      const date = new Date(whole);
      const civil = civilOf(time(rfc3339OfMs(whole)));
      expect([civil.year, civil.month, civil.day, civil.hour, civil.weekday]).toEqual([
        date.getUTCFullYear(),
        date.getUTCMonth() + 1,
        date.getUTCDate(),
        date.getUTCHours(),
        date.getUTCDay(),
      ]);
    }),
  );
});

test("milliseconds are read and written as moments are", () => {
  const ms = fc.integer({ min: -6e13, max: 2.5e14 });
  const offset = fc.integer({ min: -14 * 60, max: 14 * 60 }).map((minutes) => minutes * 60);
  fc.assert(
    fc.property(ms, offset, (moment, zone) => {
      expect(rfc3339OfMs(moment)).toBe(formatRfc3339(timeOfMs(moment)));
      expect(msOfRfc3339(formatRfc3339Nano({ ...timeOfMs(moment), offset: zone }))).toBe(moment);
    }),
  );
});

test("strftime letters", () => {
  const moment = time("2023-03-05T17:08:09.012Z");
  const printed = strftimeNames.map((letter) => `${letter}=${strftime(moment, letter)}`).join(" ");
  expect(printed).toBe(
    "B=March b=Mar m=03 A=Sunday a=Sun d=05 H=17 I=05 M=08 S=09 Y=2023 y=23 p=PM Z=UTC z=+0000 L=.012",
  );
  expect(strftime(moment, "q")).toBeUndefined();
});

/** What Go 1.26 prints for three moments. */
test.each([
  ["Mon Jan _2 15:04:05 2006", "Sun Mar  5 07:08:09 2023", "Tue Dec 31 23:59:59 2024"],
  ["Mon Jan _2 15:04:05 MST 2006", "Sun Mar  5 07:08:09 UTC 2023", "Tue Dec 31 23:59:59 +0530 2024"],
  ["02 Jan 06 15:04 -0700", "05 Mar 23 07:08 +0000", "31 Dec 24 23:59 +0530"],
  ["Monday, 02-Jan-06 15:04:05 MST", "Sunday, 05-Mar-23 07:08:09 UTC", "Tuesday, 31-Dec-24 23:59:59 +0530"],
  ["2006-01-02T15:04:05Z07:00", "2023-03-05T07:08:09Z", "2024-12-31T23:59:59+05:30"],
  ["2006-01-02T15:04:05.999999999Z07:00", "2023-03-05T07:08:09.012345678Z", "2024-12-31T23:59:59.5+05:30"],
  ["2006-01-02T15:04:05.000Z07:00", "2023-03-05T07:08:09.012Z", "2024-12-31T23:59:59.500+05:30"],
  ["3:04PM", "7:08AM", "11:59PM"],
  ["Jan _2 15:04:05.000000", "Mar  5 07:08:09.012345", "Dec 31 23:59:59.500000"],
  ["Jan 2, 2006 at 3:04pm (MST)", "Mar 5, 2023 at 7:08am (UTC)", "Dec 31, 2024 at 11:59pm (+0530)"],
  ["__2 002 Mon january", " 64 064 Sun january", "366 366 Tue january"],
  ["20060102150405", "20230305070809", "20241231235959"],
  ["2006-1-2 3:4:5 PM", "2023-3-5 7:8:9 AM", "2024-12-31 11:59:59 PM"],
  ["-07:00:00 Z070000 Z07", "+00:00:00 Z Z", "+05:30:00 +053000 +05"],
  ["Janet Monday", "Janet Sunday", "Janet Tuesday"],
  ["2006年01月02日", "2023年03月05日", "2024年12月31日"],
  ["05,000", "09,012", "59,500"],
] as const)("layout %s", (layout, first, second) => {
  expect(formatLayout(layout, time("2023-03-05T07:08:09.012345678Z"))).toBe(first);
  expect(formatLayout(layout, time("2024-12-31T23:59:59.5+05:30"))).toBe(second);
});

test.each([
  ["2006-01-02", "2023-03-05", "2023-03-05T00:00:00Z"],
  ["2006-01-02T15:04:05Z07:00", "2020-02-03T04:05:06.789Z", "2020-02-03T04:05:06.789Z"],
  ["3:04PM", "12:30AM", "0000-01-01T00:30:00Z"],
  ["02 Jan 06 15:04 -0700", "31 Dec 24 23:59 +0530", "2024-12-31T23:59:00+05:30"],
  ["2006-002", "2024-060", "2024-02-29T00:00:00Z"],
  ["2006-01-02", "20-01-01", '! parsing time "20-01-01" as "2006-01-02": cannot parse "20-01-01" as "2006"'],
  ["2006-01-02", "2020-01-01x", '! parsing time "2020-01-01x": extra text: "x"'],
  ["2006-01-02", "2020-13-01", '! parsing time "2020-13-01": month out of range'],
  ["2006-01-02", "2020-02-30", '! parsing time "2020-02-30": day out of range'],
  ["3:04PM", "13:00PM", '! parsing time "13:00PM": hour out of range'],
  ["15:04", "24:00", '! parsing time "24:00": hour out of range'],
] as const)("read by layout %s: %s", (layout, text, expected) => {
  const parsed = parseLayout(layout, text);
  expect(parsed.ok ? formatRfc3339Nano(parsed.value) : `! ${parsed.error}`).toBe(expected);
});
