import fc from "fast-check";
import { expect, test } from "vitest";
import { compareRevisions, isOlder } from "./revision.js";

test("property: ordered as big integers", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n }), fc.bigInt({ min: 0n }), fc.nat(3), (a, b, zeros) => {
      const order = compareRevisions("0".repeat(zeros) + String(a), String(b));
      expect(Math.sign(order ?? Number.NaN)).toBe(a < b ? -1 : a > b ? 1 : 0);
    }),
  );
});

test.each(["", "abc", "-1", "1.5", "0x10"])("%j is no number", (text) => {
  expect(compareRevisions(text, "1")).toBeUndefined();
  expect(isOlder(text, "1")).toBe(false);
});

test("beyond the safe integers", () => {
  expect(isOlder("9007199254740992", "9007199254740993")).toBe(true);
  expect(isOlder("9", "10")).toBe(true);
});
