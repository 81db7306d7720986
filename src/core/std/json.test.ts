import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, jsonEquals, setOwn } from "./json.js";

test.each<[unknown, string]>([
  [{ b: 1, a: [true, null, "x"] }, '{"a":[true,null,"x"],"b":1}'],
  [{ a: undefined, b: { d: 1, c: 2 } }, '{"b":{"c":2,"d":1}}'],
  [undefined, "null"],
  [JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
])("the canonical text of %j", (value, expected) => {
  expect(canonicalJson(value)).toBe(expected);
});

test.each<[unknown, unknown, boolean]>([
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ a: 1 }, { a: 1, b: null }, false],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [null, {}, false],
  [1, "1", false],
  [JSON.parse('{"__proto__":{}}'), {}, false],
])("%j equals %j: %s", (a, b, expected) => {
  expect(jsonEquals(a, b)).toBe(expected);
  expect(jsonEquals(b, a)).toBe(expected);
});

test("values are equal exactly when their canonical texts are", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(jsonEquals(a, b)).toBe(canonicalJson(a) === canonicalJson(b));
      expect(jsonEquals(a, JSON.parse(canonicalJson(a)))).toBe(jsonEquals(a, JSON.parse(JSON.stringify(a))));
    }),
  );
});

test("setOwn never touches the prototype", () => {
  const target: Record<string, unknown> = {};
  setOwn(target, "__proto__", { polluted: true });
  expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
  expect(Object.hasOwn(target, "__proto__")).toBe(true);
});
