import fc from "fast-check";
import { expect, test } from "vitest";
import { goText } from "./go-text.js";

const U = "\ufffd";

test.each<readonly [what: string, bytes: readonly number[], text: string]>([
  ["nothing", [], ""],
  ["a byte order mark stays", [0xef, 0xbb, 0xbf, 0x61], "\ufeffa"],
  ["NUL", [0x61, 0, 0x62], "a\0b"],
  ["a stray byte", [0x61, 0xff, 0x62], `a${U}b`],
  ["a cut sequence: one for each byte", [0xe2, 0x82, 0x61], `${U}${U}a`],
  ["a cut at the end", [0x61, 0xf0, 0x9f, 0x98], `a${U}${U}${U}`],
  ["a cut at the beginning", [0x82, 0xac, 0x61], `${U}${U}a`],
  ["an overlong form", [0xc0, 0xaf, 0xe0, 0x80, 0xaf], U.repeat(5)],
  ["a surrogate", [0xed, 0xa0, 0x80], U.repeat(3)],
  ["beyond U+10FFFF", [0xf4, 0x90, 0x80, 0x80], U.repeat(4)],
  ["valid beside invalid", [0xff, 0xc3, 0xbc, 0xf0, 0x9f, 0x98, 0x80, 0xe0, 0xa0, 0x80], `${U}ü😀\u0800`],
])("%s", (_what, bytes, text) => {
  expect(goText(Uint8Array.from(bytes))).toBe(text);
});

test("text comes back as it is, also beside a byte that is none", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(goText(Buffer.from(text))).toBe(text);
      expect(goText(Buffer.concat([Buffer.from([0xff]), Buffer.from(text)]))).toBe(`${U}${text}`);
    }),
  );
});
