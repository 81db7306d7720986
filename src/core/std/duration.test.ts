import { expect, test } from "vitest";
import { durationOfMs, formatDuration, msOf, parseDuration, parseDurationOrSeconds } from "./duration.js";

test.each([
  ["0", 0n],
  ["5s", 5_000_000_000n],
  ["1h15m30.5s", 4_530_500_000_000n],
  ["1.5h", 5_400_000_000_000n],
  ["-1m", -60_000_000_000n],
  ["+10ms", 10_000_000n],
  [".5s", 500_000_000n],
  ["1µs", 1_000n],
  ["", undefined],
  ["5", undefined],
  ["s", undefined],
  [".s", undefined],
  ["1d", undefined],
  ["1s ", undefined],
])("parses %j", (text, expected) => {
  const parsed = parseDuration(text);
  expect(parsed.ok ? parsed.value : undefined).toBe(expected);
});

test.each([
  [0n, "0s"],
  [1n, "1ns"],
  [1_500n, "1.5µs"],
  [100_000_000n, "100ms"],
  [1_500_000_000n, "1.5s"],
  [60_000_000_000n, "1m0s"],
  [5_400_000_000_000n, "1h30m0s"],
  [-5_000_000_000n, "-5s"],
])("prints %s", (nanoseconds, expected) => {
  expect(formatDuration(nanoseconds)).toBe(expected);
  expect(parseDuration(expected)).toEqual({ ok: true, value: nanoseconds });
});

test("milliseconds, and whole seconds without a unit", () => {
  expect(msOf(durationOfMs(30_000))).toBe(30_000);
  expect(parseDurationOrSeconds("7")).toEqual({ ok: true, value: 7_000_000_000n });
});
