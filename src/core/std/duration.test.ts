import { expect, test } from "vitest";
import { formatDuration, humanDuration, msOf, parseDuration, parseDurationOrSeconds } from "./duration.js";

test.each([
  ["1h30m", "1h30m0s"],
  ["1.5s", "1.5s"],
  ["-2m3.25s", "-2m3.25s"],
  ["100ms", "100ms"],
  ["0", "0s"],
  ["1.s", "1s"],
  [".5h", "30m0s"],
  ["300us", "300µs"],
  ["1µs", "1µs"],
  ["2ns", "2ns"],
  ["+5m", "5m0s"],
  ["1.123456789123s", "1.123456789s"],
  ["9223372036854775807ns", "2562047h47m16.854775807s"],
  ["-9223372036854775808ns", "-2562047h47m16.854775808s"],
  ["", '! time: invalid duration ""'],
  ["1", '! time: missing unit in duration "1"'],
  ["x", '! time: invalid duration "x"'],
  ["1x", '! time: unknown unit "x" in duration "1x"'],
  ["1d", '! time: unknown unit "d" in duration "1d"'],
  ["1h-2m", '! time: unknown unit "h-" in duration "1h-2m"'],
  ["1h 2m", '! time: unknown unit "h " in duration "1h 2m"'],
  ["3000000h", '! time: invalid duration "3000000h"'],
  ["9223372036854775808ns", '! time: invalid duration "9223372036854775808ns"'],
  [".s", '! time: invalid duration ".s"'],
  ["-", '! time: invalid duration "-"'],
] as const)("%j as Go reads and prints it", (text, expected) => {
  const duration = parseDuration(text);
  expect(duration.ok ? formatDuration(duration.value) : `! ${duration.error}`).toBe(expected);
});

test.each([
  ["10", 10_000],
  ["-3", -3_000],
  ["1m", 60_000],
  ["1.5s", 1_500],
] as const)("a whole number is seconds: %s", (text, expected) => {
  const duration = parseDurationOrSeconds(text);
  expect(duration.ok && msOf(duration.value)).toBe(expected);
});

test("what is neither is told with Go's reason", () => {
  const expected = 'unable to parse soon as a duration: time: invalid duration "soon"';
  expect(parseDurationOrSeconds("soon")).toEqual({ ok: false, error: expected });
});

test.each([
  [0, "0 seconds"],
  [1_000, "1 second"],
  [59_999, "59 seconds"],
  [60_000, "1 minute 0 seconds"],
  [125_000, "2 minutes 5 seconds"],
  [3_600_000, "1 hour 0 minutes"],
  [7_380_000, "2 hours 3 minutes"],
  [86_400_000, "1 day 0 hours"],
  [10 * 86_400_000 + 3_600_000, "1 week 1 hour"],
  [65 * 86_400_000, "2 months 0 hours"],
] as const)("%d ms for people: %s", (milliseconds, expected) => {
  expect(humanDuration(milliseconds)).toBe(expected);
});
