import { expect, test } from "vitest";
import { generalNumber, plainNumber } from "./go-text.js";

/** As Go's strconv.FormatFloat(x, 'f', -1, 64) and (x, 'g', -1, 64) print. */
test.each<[number, string, string]>([
  [0, "0", "0"],
  [-0, "-0", "-0"],
  [1.5, "1.5", "1.5"],
  [100, "100", "100"],
  [1e21, "1000000000000000000000", "1e+21"],
  [1.5e300, `15${"0".repeat(299)}`, "1.5e+300"],
  [1e-7, "0.0000001", "1e-07"],
  [1.25e-10, "0.000000000125", "1.25e-10"],
  [0.0001, "0.0001", "0.0001"],
  [0.00001, "0.00001", "1e-05"],
  [-1234567.125, "-1234567.125", "-1.234567125e+06"],
  [123456.5, "123456.5", "123456.5"],
])("%d", (value, plain, general) => {
  expect(plainNumber(value)).toBe(plain);
  expect(generalNumber(value)).toBe(general);
});
