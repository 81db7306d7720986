import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fromBase32, fromBase64, toBase32, toBase64, toHex, utf8Decode, utf8Encode } from "./bytes.js";
import { adler32, sha1, sha256, sha512 } from "./hash.js";

test.each([
  ["sha1", sha1],
  ["sha256", sha256],
  ["sha512", sha512],
] as const)("%s is the platform's", (name, digest) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(toHex(digest(bytes))).toBe(createHash(name).update(bytes).digest("hex"));
    }),
    { numRuns: 60 },
  );
});

test("adler32 of the usual word", () => {
  expect(adler32(utf8Encode("Wikipedia"))).toBe(0x11e60398);
});

test("bytes and texts are the platform's", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
      expect(fromBase64(toBase64(bytes))).toEqual({ ok: true, value: bytes });
      expect(fromBase32(toBase32(bytes))).toEqual({ ok: true, value: bytes });
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect([...utf8Encode(text)]).toEqual([...new TextEncoder().encode(text)]);
    }),
  );
  const decoder = new TextDecoder();
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(utf8Decode(utf8Encode(text))).toBe(decoder.decode(new TextEncoder().encode(text)));
    }),
  );
  expect(utf8Decode(Uint8Array.of(0x61, 0xff, 0xc3, 0x62))).toBe("a\ufffd\ufffdb");
});
