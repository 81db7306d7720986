import { expect, test } from "vitest";
import { timeZones } from "./time-zones.js";

test.each([
  ["Europe/Berlin", true],
  ["Asia/Kolkata", true],
  ["CET", true],
  ["Etc/GMT+5", true],
  ["europe/berlin", false],
  ["Bad/Zone", false],
  ["", false],
])("time zone %j: %j", (name, isKnown) => {
  expect(timeZones.has(name)).toBe(isKnown);
});

test("those that may have been meant are known", () => {
  expect([...timeZones.names].length).toBeGreaterThan(300);
  expect([...timeZones.names].filter((name) => !timeZones.has(name))).toEqual([]);
});
