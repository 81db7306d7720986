import { expect, test } from "vitest";
import { readDocuments } from "./read.js";

function readScalar(scalar: string): unknown {
  const { documents, problems } = readDocuments(`value: ${scalar}\n`, "scalar.yaml");
  expect(problems).toEqual([]);
  const value = documents[0]?.value;
  return typeof value === "object" && value !== null && "value" in value ? value.value : undefined;
}

/** What goyaml.v2 makes of a plain scalar, by its resolve table. */
test.each<[string, unknown]>([
  ["on", true],
  ["y", true],
  ["Yes", true],
  ["TRUE", true],
  ["off", false],
  ["n", false],
  ["NO", false],
  ["yEs", "yEs"],
  ["~", null],
  ["", null],
  ["Null", null],
  ["0777", 511],
  ["0o17", 15],
  ["0b11", 3],
  ["-0b11", -3],
  ["0x1F", 31],
  ["1_000", 1000],
  ["+12", 12],
  ["08", 8],
  ["0", 0],
  ["1.0", 1],
  ["1e3", 1000],
  [".5", 0.5],
  ["-.5", -0.5],
  ["1.", 1],
  ["12:30:45", "12:30:45"],
  ["2001-12-14", "2001-12-14"],
  ["2001-12-14T21:59:43.10-05:00", "2001-12-14T21:59:43.10-05:00"],
  ["9007199254740993", "9007199254740993"],
  ["9007199254740992", 9007199254740992],
  ["18446744073709551615", "18446744073709551615"],
  ["-9223372036854775808", "-9223372036854775808"],
  ["18446744073709551616", 18446744073709552000],
  ["1e999", "1e999"],
  [".inf", ".inf"],
  ["1.2.3", "1.2.3"],
  ["0x", "0x"],
  ["0o", "0o"],
  ["-0o", "-0o"],
  ["'yes'", "yes"],
  ['"1"', "1"],
  ["!!str 1", "1"],
  ["!!int '7'", 7],
  ["!!binary aGk=", "aGk="],
  ["!!timestamp 2001-12-14", "2001-12-14"],
])("%s is %j", (scalar, expected) => {
  expect(readScalar(scalar)).toEqual(expected);
});
