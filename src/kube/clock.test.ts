import { expect, test } from "vitest";
import { momentAfter } from "./clock.js";

test("the moment after the smallest time is later than now", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const clock = { now: () => now };
  expect(now + 0.000_09).toBe(now);
  expect(momentAfter(clock, 0.000_09)).toBeGreaterThan(now);
  expect([0, 250].map((ms) => momentAfter(clock, ms) - now)).toEqual([0, 250]);
});
