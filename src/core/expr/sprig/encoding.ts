/** sprig's encodings and checksums. */

import { fromBase32, fromBase64, toBase32, toBase64, toHex, utf8Decode, utf8Encode } from "../../std/bytes.js";
import { adler32, sha1, sha256, sha512 } from "../../std/hash.js";
import type { Result } from "../../std/result.js";
import { define, type SprigRow } from "./define.js";

function sum(name: string, digest: (bytes: Uint8Array) => Uint8Array): SprigRow {
  return define(name, ["string"], ([text]) => toHex(digest(utf8Encode(text))));
}

/** A text that cannot be decoded gives the error as its result, as in sprig. */
function decoded(bytes: Result<Uint8Array>): string {
  return bytes.ok ? utf8Decode(bytes.value) : bytes.error;
}

export const encodingRows: readonly SprigRow[] = [
  define("b64enc", ["string"], ([text]) => toBase64(utf8Encode(text))),
  define("b64dec", ["string"], ([text]) => decoded(fromBase64(text))),
  define("b32enc", ["string"], ([text]) => toBase32(utf8Encode(text))),
  define("b32dec", ["string"], ([text]) => decoded(fromBase32(text))),
  sum("sha1sum", sha1),
  sum("sha256sum", sha256),
  sum("sha512sum", sha512),
  define("adler32sum", ["string"], ([text]) => String(adler32(utf8Encode(text)))),
];
