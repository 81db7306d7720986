import { describe, expect, test } from "vitest";
import {
  labelKeyFault,
  labelRequirementsOf,
  labelsFault,
  labelValueFault,
  matchesLabels,
  parseLabelSelector,
} from "../selectors.js";

const labels = { app: "web", env: "prod", "workflows.argoproj.io/completed": "true", n: "7", empty: "" };

test.each([
  ["", true],
  ["app=web", true],
  ["app==web", true],
  ["app = web , env=prod", true],
  ["app=db", false],
  ["app!=db", true],
  ["app!=web", false],
  ["missing!=x", true],
  ["app in (web, db)", true],
  ["app in (db)", false],
  ["app notin (db)", true],
  ["missing notin (db)", true],
  ["missing in (db)", false],
  ["app", true],
  ["!app", false],
  ["!missing", true],
  ["workflows.argoproj.io/completed=true", true],
  ["workflows.argoproj.io/completed!=true", false],
  ["n>6", true],
  ["n>7", false],
  ["n < 8", true],
  ["app>1", false],
  ["empty=", true],
  ["empty in (,x)", true],
  ["app=web,missing", false],
  ["in=x", false],
  ["toString", false],
])("%j matches: %j", (text, expected) => {
  const parsed = parseLabelSelector(text);
  if (!parsed.ok) throw new Error(parsed.error);
  expect(matchesLabels(parsed.value, labels)).toBe(expected);
});

test.each([
  ["app web", "unable to parse requirement: found 'web', expected: in, notin, =, ==, !=, gt, lt"],
  ["app=web,", "found '', expected: identifier after ','"],
  ["=web", "found '=', expected: !, identifier, or 'end of string'"],
  ["app in web", "unable to parse requirement: found 'web' expected: '('"],
  [
    "app in ()",
    "unable to parse requirement: values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty",
  ],
  ["app in (web", "unable to parse requirement: found '', expected: ',' or ')'"],
  ["a=b=c", "found '=', expected: ',' or 'end of string'"],
  ["!a=b", "found '=', expected: ',' or 'end of string'"],
  [
    "n>x",
    `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
  ],
])("%j is refused", (text, expected) => {
  expect(parseLabelSelector(text)).toEqual({ ok: false, error: expected });
});

test("invalid keys and values are refused with the rule", () => {
  expect(parseLabelSelector("-a=b")).toMatchObject({
    ok: false,
    error: expect.stringContaining('key: Invalid value: "-a"'),
  });
  expect(parseLabelSelector(`a=${"x".repeat(64)}`)).toMatchObject({
    ok: false,
    error: expect.stringContaining("values[0][a]: Invalid value"),
  });
});

test("matchLabels and matchExpressions", () => {
  const parsed = labelRequirementsOf({
    matchLabels: { app: "web" },
    matchExpressions: [
      { key: "env", operator: "In", values: ["prod", "test"] },
      { key: "gone", operator: "DoesNotExist" },
    ],
  });
  if (!parsed.ok) throw new Error(parsed.error);
  expect(matchesLabels(parsed.value, labels)).toBe(true);
  expect(matchesLabels(parsed.value, { app: "web", env: "dev" })).toBe(false);
  expect(matchesLabels(parsed.value, undefined)).toBe(false);
  expect(labelRequirementsOf({ matchExpressions: [{ key: "a", operator: "Exists", values: ["x"] }] }).ok).toBe(false);
});

describe("syntax", () => {
  test.each([
    ["", true],
    ["a", true],
    ["a-b_c.d", true],
    ["-a", false],
    ["a/b", false],
    ["x".repeat(63), true],
    ["x".repeat(64), false],
    ["ä", false],
  ])("value %j: %j", (value, isValid) => {
    expect(labelValueFault(value) === undefined).toBe(isValid);
  });

  test.each([
    ["a", true],
    ["workflows.argoproj.io/workflow", true],
    ["A.b_c-d", true],
    ["", false],
    ["/a", false],
    ["a/", false],
    ["a/b/c", false],
    ["UPPER/x", false],
    ["x".repeat(64), false],
  ])("key %j: %j", (key, isValid) => {
    expect(labelKeyFault(key) === undefined).toBe(isValid);
  });

  test("labels of an object", () => {
    expect(labelsFault({ a: "b" })).toBeUndefined();
    expect(labelsFault({ a: "b c" })).toContain('metadata.labels: Invalid value: "b c": a valid label must be');
    expect(labelsFault({ a: 1 })).toContain("must be a string");
  });
});
