import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatFloat, quoteGo } from "./go-format.js";
import { parseGoJson, printGoJson } from "./go-json.js";

/** Go 1.26's words. */
test.each([
  ["", "unexpected end of JSON input"],
  ["  ", "unexpected end of JSON input"],
  ["S", "invalid character 'S' looking for beginning of value"],
  ["not json", "invalid character 'o' in literal null (expecting 'u')"],
  ["nul", "invalid character ' ' in literal null (expecting 'l')"],
  ["a-b", "invalid character 'a' looking for beginning of value"],
  ['{"a":1', "unexpected end of JSON input"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ["{a:1}", "invalid character 'a' looking for beginning of object key string"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['{"a":}', "invalid character '}' looking for beginning of value"],
  ["[1,2", "unexpected end of JSON input"],
  ["[1 2]", "invalid character '2' after array element"],
  ["[1,]", "invalid character ']' looking for beginning of value"],
  ["12 0", "invalid character '0' after top-level value"],
  ["01", "invalid character '1' after top-level value"],
  ["1.", "invalid character ' ' after decimal point in numeric literal"],
  ["-x", "invalid character 'x' in numeric literal"],
  ["1e+x", "invalid character 'x' in exponent of numeric literal"],
  ['"abc', "unexpected end of JSON input"],
  ['"a\\qb"', "invalid character 'q' in string escape code"],
  ['"a\\u12G4"', "invalid character 'G' in \\u hexadecimal character escape"],
  ['"a\nb"', "invalid character '\\n' in string literal"],
  ["'a'", "invalid character '\\'' looking for beginning of value"],
  ["é", "invalid character 'Ã' looking for beginning of value"],
  ["\u0001", "invalid character '\\x01' looking for beginning of value"],
] as const)("%j", (text, expected) => {
  expect(parseGoJson(text)).toEqual({ ok: false, error: expected });
});

test("good and bad texts are told apart as JSON.parse does", () => {
  const piece = fc.constantFrom(...'{}[],:"\\ \n0123.eE+-utrnfalsé', "null", "true", '"a"', "1.5", '{"a":');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      let isGood = true;
      try {
        JSON.parse(text);
      } catch {
        isGood = false;
      }
      const parsed = parseGoJson(text);
      expect(parsed.ok).toBe(isGood);
      if (!parsed.ok) expect(parsed.error).not.toBe("invalid JSON");
    }),
    { numRuns: 2000 },
  );
});

test("printing sorts keys, escapes HTML, and reads back the same", () => {
  expect(printGoJson({ b: 1, a: "<&>\u2028", é: null, Z: [1e21, 1e-7] })).toBe(
    '{"Z":[1e+21,1e-7],"a":"\\u003c\\u0026\\u003e\\u2028","b":1,"é":null}',
  );
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      // What JSON can say of both: of -0 Go keeps the sign, JSON.stringify does not.
      const plain = (said: unknown): unknown => JSON.parse(JSON.stringify(said));
      expect(plain(parseGoJson(printGoJson(value as never)))).toEqual({ ok: true, value: plain(value) });
    }),
  );
});

test.each([
  [0, "0"],
  [-0, "-0"],
  [0.1, "0.1"],
  [100_000, "100000"],
  [1e6, "1e+06"],
  [123_456_789, "1.23456789e+08"],
  [0.0001, "0.0001"],
  [0.00001, "1e-05"],
  [1.5e300, "1.5e+300"],
  [Number.POSITIVE_INFINITY, "+Inf"],
  [Number.NaN, "NaN"],
] as const)("%d as %%v prints it", (value, expected) => {
  expect(formatFloat(value)).toBe(expected);
});

test.each([
  ['a"b\\c', '"a\\"b\\\\c"'],
  ["\n\t\r\u0007\b\f\v\u0000\u001b\u007f", '"\\n\\t\\r\\a\\b\\f\\v\\x00\\x1b\\x7f"'],
  ["é日本😀", '"é日本😀"'],
  ["\u00a0\u2028\ufeff\u200b", '"\\u00a0\\u2028\\ufeff\\u200b"'],
  ["\u{e0001}", '"\\U000e0001"'],
  ["a'b<&>", '"a\'b<&>"'],
] as const)("%j as %%q prints it", (text, expected) => {
  expect(quoteGo(text)).toBe(expected);
});
