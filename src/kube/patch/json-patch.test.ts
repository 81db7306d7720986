import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../core/std/json.js";
import { deepFreeze } from "../freeze.js";
import { applyJsonPatch, operationsMax } from "./json-patch.js";
import { escapeToken } from "./pointer.js";

/** The examples of RFC 6902, appendix A, and the corners that libraries get wrong. */
const applies: readonly (readonly [string, Json, readonly Json[], Json])[] = [
  ["A.1 add a member", { foo: "bar" }, [{ op: "add", path: "/baz", value: "qux" }], { baz: "qux", foo: "bar" }],
  [
    "A.2 add an item",
    { foo: ["bar", "baz"] },
    [{ op: "add", path: "/foo/1", value: "qux" }],
    { foo: ["bar", "qux", "baz"] },
  ],
  ["A.3 remove a member", { baz: "qux", foo: "bar" }, [{ op: "remove", path: "/baz" }], { foo: "bar" }],
  ["A.4 remove an item", { foo: ["bar", "qux", "baz"] }, [{ op: "remove", path: "/foo/1" }], { foo: ["bar", "baz"] }],
  [
    "A.5 replace",
    { baz: "qux", foo: "bar" },
    [{ op: "replace", path: "/baz", value: "boo" }],
    { baz: "boo", foo: "bar" },
  ],
  [
    "A.6 move a value",
    { foo: { bar: "baz", waldo: "fred" }, qux: { corge: "grault" } },
    [{ op: "move", from: "/foo/waldo", path: "/qux/thud" }],
    { foo: { bar: "baz" }, qux: { corge: "grault", thud: "fred" } },
  ],
  [
    "A.7 move an item",
    { foo: ["all", "grass", "cows", "eat"] },
    [{ op: "move", from: "/foo/1", path: "/foo/3" }],
    { foo: ["all", "cows", "eat", "grass"] },
  ],
  [
    "A.8 test",
    { baz: "qux", foo: ["a", 2, "c"] },
    [
      { op: "test", path: "/baz", value: "qux" },
      { op: "test", path: "/foo/1", value: 2 },
    ],
    { baz: "qux", foo: ["a", 2, "c"] },
  ],
  [
    "A.10 add a nested object",
    { foo: "bar" },
    [{ op: "add", path: "/child", value: { grandchild: {} } }],
    { foo: "bar", child: { grandchild: {} } },
  ],
  [
    "A.11 members we do not know",
    { foo: "bar" },
    [{ op: "add", path: "/baz", value: "qux", xyz: 123 }],
    { foo: "bar", baz: "qux" },
  ],
  ["A.14 ~ escapes", { "/": 9, "~1": 10 }, [{ op: "test", path: "/~01", value: 10 }], { "/": 9, "~1": 10 }],
  [
    "A.16 add a list",
    { foo: ["bar"] },
    [{ op: "add", path: "/foo/-", value: ["abc", "def"] }],
    { foo: ["bar", ["abc", "def"]] },
  ],
  ["replace the document", { a: 1 }, [{ op: "replace", path: "", value: { b: 2 } }], { b: 2 }],
  ["add over a member", { a: 1 }, [{ op: "add", path: "/a", value: 2 }], { a: 2 }],
  ["copy", { a: { b: 1 } }, [{ op: "copy", from: "/a", path: "/c" }], { a: { b: 1 }, c: { b: 1 } }],
  [
    "test: order of members does not matter",
    { a: { b: 1, c: 2 } },
    [{ op: "test", path: "/a", value: { c: 2, b: 1 } }],
    { a: { b: 1, c: 2 } },
  ],
  ["test: null where nothing is", { a: 1 }, [{ op: "test", path: "/b", value: null }], { a: 1 }],
  ["the empty key", { "": 1 }, [{ op: "replace", path: "/", value: 2 }], { "": 2 }],
  ["null is a value", { a: 1 }, [{ op: "replace", path: "/a", value: null }], { a: null }],
];

test.each(applies)("%s", (_name, document, patch, expected) => {
  const before = JSON.stringify(document);
  const result = applyJsonPatch(deepFreeze(document), patch);
  expect(result).toEqual({ ok: true, value: expected });
  expect(JSON.stringify(document)).toBe(before);
});

const refuses: readonly (readonly [string, Json, Json, string, string])[] = [
  ["test fails", { a: 1 }, { op: "test", path: "/a", value: 2 }, "test-failed", "testing value /a failed: test failed"],
  [
    "test: a number is not its text",
    { a: 1 },
    { op: "test", path: "/a", value: "1" },
    "test-failed",
    "testing value /a failed: test failed",
  ],
  [
    "test below nothing",
    {},
    { op: "test", path: "/a/b", value: 1 },
    "not-applicable",
    "test operation does not apply: is missing path: /a/b: missing value",
  ],
  [
    "add below nothing",
    {},
    { op: "add", path: "/a/b", value: 1 },
    "not-applicable",
    'add operation does not apply: doc is missing path: "/a/b": missing value',
  ],
  [
    "add past the end",
    { l: [] },
    { op: "add", path: "/l/1", value: 1 },
    "not-applicable",
    "error in add for path: '/l/1': Unable to access invalid index: 1: invalid index referenced",
  ],
  [
    "leading zero",
    { l: [1, 2] },
    { op: "add", path: "/l/01", value: 1 },
    "not-applicable",
    "error in add for path: '/l/01': value was not a proper array index: '01'",
  ],
  [
    "negative index",
    { l: [1, 2] },
    { op: "add", path: "/l/-1", value: 1 },
    "not-applicable",
    "error in add for path: '/l/-1': value was not a proper array index: '-1'",
  ],
  [
    "remove nothing",
    {},
    { op: "remove", path: "/a" },
    "not-applicable",
    "error in remove for path: '/a': Unable to remove nonexistent key: a: missing value",
  ],
  [
    "remove what is inherited",
    {},
    { op: "remove", path: "/toString" },
    "not-applicable",
    "error in remove for path: '/toString': Unable to remove nonexistent key: toString: missing value",
  ],
  [
    "replace nothing",
    { a: {} },
    { op: "replace", path: "/a/b", value: 1 },
    "not-applicable",
    "replace operation does not apply: doc is missing key: /a/b: missing value",
  ],
  [
    "replace below nothing",
    {},
    { op: "replace", path: "/a/b", value: 1 },
    "not-applicable",
    "replace operation does not apply: doc is missing path: /a/b: missing value",
  ],
  [
    "move nothing",
    {},
    { op: "move", from: "/a", path: "/b" },
    "not-applicable",
    "move operation does not apply: doc is missing from path: /a: missing value",
  ],
  [
    "move into itself",
    { a: { b: 1 } },
    { op: "move", from: "/a", path: "/a/b" },
    "not-applicable",
    "error in move for path: '/a/b': a value cannot be moved into itself",
  ],
  [
    "copy nothing",
    {},
    { op: "copy", from: "/a", path: "/b" },
    "not-applicable",
    "copy operation does not apply: doc is missing from path: /a: missing value",
  ],
  ["unknown operation", {}, { op: "frob", path: "/a" }, "malformed", "Unexpected kind: frob"],
  ["no path", {}, { op: "remove" }, "malformed", "remove operation failed to decode path: missing value"],
  ["no value", {}, { op: "add", path: "/a" }, "malformed", "add operation has no value"],
  ["not an object", {}, 1, "malformed", "a JSON patch operation must be an object"],
  [
    "pointer without slash",
    {},
    { op: "remove", path: "a" },
    "malformed",
    "remove operation failed to decode path: missing value",
  ],
];

test.each(refuses)("%s", (_name, document, operation, reason, message) => {
  expect(applyJsonPatch(deepFreeze(document), [operation])).toEqual({ ok: false, error: { reason, message } });
});

test("the key __proto__ is data", () => {
  const result = applyJsonPatch({}, [{ op: "add", path: "/__proto__", value: { polluted: true } }]);
  expect(JSON.stringify(result)).toBe('{"ok":true,"value":{"__proto__":{"polluted":true}}}');
  expect(Reflect.get({}, "polluted")).toBeUndefined();
});

describe("limits", () => {
  test("number of operations", () => {
    const patch = Array.from({ length: operationsMax + 1 }, () => ({ op: "test", path: "", value: null }));
    expect(applyJsonPatch({}, patch)).toMatchObject({
      error: { reason: "too-large", message: "The allowed maximum operations in a JSON patch is 10000, got 10001" },
    });
  });

  test("copies that double", () => {
    const patch = Array.from({ length: 40 }, (_, index) => ({ op: "copy", from: "/a", path: `/a/c${index}` }));
    expect(applyJsonPatch({ a: { b: "x" } }, patch)).toMatchObject({ error: { reason: "too-large" } });
  });
});

test("what is not on the path is shared, and a patch that changes nothing answers the document", () => {
  const document = deepFreeze({ a: { x: 1 }, b: { y: [1, 2] } });
  const result = applyJsonPatch(document, [{ op: "add", path: "/a/x", value: 2 }]);
  if (!result.ok) throw new Error(result.error.message);
  expect(Reflect.get(Object(result.value), "b")).toBe(document.b);
  const same = applyJsonPatch(document, [
    { op: "add", path: "/c", value: 1 },
    { op: "remove", path: "/c" },
  ]);
  expect(same.ok && same.value).toBe(document);
});

test("property: add then remove restores, for any key", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.integer()), fc.string(), fc.jsonValue(), (object, key, value) => {
      fc.pre(!Object.hasOwn(object, key));
      const path = `/${escapeToken(key)}`;
      const added = applyJsonPatch(object, [
        { op: "add", path, value: value as Json },
        { op: "test", path, value: value as Json },
        { op: "remove", path },
      ]);
      expect(added).toEqual({ ok: true, value: object });
    }),
  );
});

test("property: any operations on any document are answered, never thrown", () => {
  const path = fc.constantFrom("", "/", "/a", "/a/0", "/a/-", "/a/b", "/~0", "/~2", "x");
  const operation = fc.record(
    {
      op: fc.constantFrom("add", "remove", "replace", "move", "copy", "test", "x"),
      path,
      from: path,
      value: fc.jsonValue(),
    },
    { requiredKeys: ["op"] },
  );
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(operation, { maxLength: 6 }), (document, patch) => {
      const result = applyJsonPatch(document as Json, patch as unknown as readonly Json[]);
      expect(typeof result.ok).toBe("boolean");
    }),
  );
});
