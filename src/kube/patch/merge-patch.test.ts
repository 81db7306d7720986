import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../core/std/json.js";
import { deepFreeze } from "../freeze.js";
import { applyMergePatch, computeMergePatch } from "./merge-patch.js";

/** RFC 7386, appendix A. */
test.each<[Json, Json, Json]>([
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])("%j + %j = %j", (target, patch, expected) => {
  expect(applyMergePatch(deepFreeze(target), deepFreeze(patch))).toEqual(expected);
});

test("a patch that changes nothing answers the target, and the untouched is shared", () => {
  const target = deepFreeze({ a: { b: [1, { c: 2 }] }, d: { e: 1 } });
  expect(applyMergePatch(target, { a: { b: [1, { c: 2 }] }, x: null })).toBe(target);
  const changed = applyMergePatch(target, { d: { e: 2 } });
  expect(changed).toEqual({ a: { b: [1, { c: 2 }] }, d: { e: 2 } });
  expect(Reflect.get(Object(changed), "a")).toBe(target.a);
});

test("__proto__ is data", () => {
  const patch: Json = JSON.parse('{"__proto__":{"polluted":true}}');
  expect(JSON.stringify(applyMergePatch({}, patch))).toBe('{"__proto__":{"polluted":true}}');
  expect(Reflect.get({}, "polluted")).toBeUndefined();
});

test.each<[JsonObject, JsonObject, JsonObject]>([
  [{ a: 1 }, { a: 1 }, {}],
  [{ a: 1, b: 2 }, { a: 1 }, { b: null }],
  [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { c: 3 } }],
  [{ a: [1, 2] }, { a: [1, 3] }, { a: [1, 3] }],
  [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, {}],
  [{ a: 1 }, { a: {} }, { a: {} }],
  [{}, { a: {} }, { a: {} }],
  [{ a: { b: 1 } }, { a: {} }, { a: { b: null } }],
])("from %j to %j: %j", (from, to, expected) => {
  expect(computeMergePatch(from, to)).toEqual(expected);
});

/** JSON without null members: what a merge patch can say. */
const value = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.array(fc.integer(), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(fc.constantFrom("a", "b", "c", "__proto__"), tie("value"), { maxKeys: 4 }),
}));

test("property: applying the computed patch gives the second object", () => {
  fc.assert(
    fc.property(value.object, value.object, (from, to) => {
      const patch = computeMergePatch(deepFreeze(from), deepFreeze(to));
      expect(applyMergePatch(from, patch)).toEqual(to);
      expect(computeMergePatch(to, to)).toEqual({});
    }),
  );
});
