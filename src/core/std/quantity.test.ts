import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  addQuantity,
  compareQuantity,
  formatQuantity,
  milliValue,
  parseQuantity,
  type Quantity,
  quantityValue,
} from "./quantity.js";

function quantity(text: string): Quantity {
  const parsed = parseQuantity(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.error}`);
  return parsed.value;
}

test.each([
  ["0", "0", 0, 0],
  ["1", "1", 1, 1000],
  ["100m", "100m", 1, 100],
  ["0.1", "100m", 1, 100],
  ["1.5", "1500m", 2, 1500],
  ["1000m", "1", 1, 1000],
  ["1k", "1k", 1000, 1_000_000],
  ["1500", "1500", 1500, 1_500_000],
  ["64Mi", "64Mi", 67_108_864, 67_108_864_000],
  ["1.5Gi", "1536Mi", 1_610_612_736, 1_610_612_736_000],
  ["0.5Mi", "512Ki", 524_288, 524_288_000],
  ["1024Ki", "1Mi", 1_048_576, 1_048_576_000],
  ["512Ki", "512Ki", 524_288, 524_288_000],
  ["2e3", "2e3", 2000, 2_000_000],
  ["1E2", "100", 100, 100_000],
  ["12e-1", "1200e-3", 2, 1200],
  ["1E", "1E", 1e18, 1e21],
  ["1e999", "9223372036854775807", 2 ** 63, 2 ** 63 * 1000],
  ["-16Ei", "-9223372036854775807", -(2 ** 63), -(2 ** 63) * 1000],
  ["100u", "100u", 1, 1],
  ["1n", "1n", 1, 1],
  ["-1.5", "-1500m", -2, -1500],
  ["+3", "3", 3, 3000],
  [".5", "500m", 1, 500],
  ["5.", "5", 5, 5000],
  ["0.0000000001", "1n", 1, 1],
] as const)("%s is %s", (text, canonical, value, milli) => {
  const parsed = quantity(text);
  expect([formatQuantity(parsed), quantityValue(parsed), milliValue(parsed)]).toEqual([canonical, value, milli]);
});

test.each(["", "x", "1x", "1 k", "1ki", "1.2.3", "k", "--1", "1e", "0x1"])("%j is none", (text) => {
  expect(parseQuantity(text)).toEqual({
    ok: false,
    error: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  });
});

test("order and sum", () => {
  expect(compareQuantity(quantity("1"), quantity("1000m"))).toBe(0);
  expect(compareQuantity(quantity("1Ki"), quantity("1k"))).toBe(1);
  expect(compareQuantity(quantity("100m"), quantity("1"))).toBe(-1);
  expect(formatQuantity(addQuantity(quantity("100m"), quantity("0.9")))).toBe("1");
});

test("the canonical text means the same", () => {
  const suffix = fc.constantFrom("", "m", "k", "M", "Ki", "Mi", "Gi", "e3", "u");
  fc.assert(
    fc.property(fc.integer({ min: -99_999, max: 99_999 }), suffix, (number, unit) => {
      const first = quantity(`${number}${unit}`);
      const text = formatQuantity(first);
      expect(quantity(text).nano).toBe(first.nano);
      expect(formatQuantity(quantity(text))).toBe(text);
    }),
  );
});
