import { expect, test } from "vitest";
import { backoffMs } from "./backoff.js";
import { SeededChance } from "./testing/seeded-chance.js";

test.each([
  [1, 100],
  [2, 200],
  [3, 400],
  [5, 1000],
  [1e9, 1000],
])("after failure %d at most %d ms", (failures, fullMs) => {
  const chance = new SeededChance(1);
  const waits = Array.from({ length: 200 }, () => backoffMs({ baseMs: 100, capMs: 1000 }, failures, chance));
  expect(Math.max(...waits)).toBeLessThanOrEqual(fullMs);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(fullMs / 2);
  expect(new Set(waits).size).toBeGreaterThan(190);
  expect(backoffMs({ baseMs: 100, capMs: 1000, jitter: 0 }, failures, chance)).toBe(fullMs);
});
