/** Bytes and texts: UTF-8, base64, base32, hexadecimal. */

import { utf8Bytes } from "./fnv.js";
import { err, ok, type Result } from "./result.js";

export function utf8Encode(text: string): Uint8Array {
  return Uint8Array.from(utf8Bytes(text));
}

/** What is no UTF-8 becomes U+FFFD. */
export function utf8Decode(bytes: Uint8Array): string {
  const text = new LongText();
  for (let at = 0; at < bytes.length; ) {
    const [code, size] = decodeAt(bytes, at);
    text.add(String.fromCodePoint(code));
    at += size;
  }
  return text.whole();
}

const PIECE_LENGTH = 4096;

/** A text of very many small parts: put together one by one, each would be an object of its own until the end. */
class LongText {
  readonly #pieces: string[] = [];
  #parts: string[] = [];

  add(part: string): void {
    this.#parts.push(part);
    if (this.#parts.length < PIECE_LENGTH) return;
    this.#pieces.push(this.#parts.join(""));
    this.#parts = [];
  }

  whole(): string {
    return this.#pieces.join("") + this.#parts.join("");
  }
}

/** The smallest code point that needs so many bytes. */
const SHORTEST: readonly number[] = [0, 0, 0x80, 0x800, 0x10000];
const REPLACEMENT = [0xfffd, 1] as const;

function decodeAt(bytes: Uint8Array, at: number): readonly [number, number] {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return [first, 1];
  const size = sequenceLength(first);
  const rest = bytes.subarray(at + 1, at + size);
  if (size === 0 || rest.length < size - 1 || rest.some((byte) => (byte & 0xc0) !== 0x80)) return REPLACEMENT;
  const code = rest.reduce((sum, byte) => (sum << 6) | (byte & 0x3f), first & (0xff >> (size + 1)));
  return isCharacter(code) && code >= (SHORTEST[size] ?? 0) ? [code, size] : REPLACEMENT;
}

function isCharacter(code: number): boolean {
  return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

function sequenceLength(first: number): number {
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export function toBase64(bytes: Uint8Array): string {
  return encodeBits(bytes, { alphabet: BASE64, bits: 6, group: 4 });
}

export function toBase32(bytes: Uint8Array): string {
  return encodeBits(bytes, { alphabet: BASE32, bits: 5, group: 8 });
}

interface BaseForm {
  readonly alphabet: string;
  readonly bits: number;
  /** Digits in a padded group. */
  readonly group: number;
}

function encodeBits(bytes: Uint8Array, { alphabet, bits, group }: BaseForm): string {
  const digits = new LongText();
  let buffer = 0;
  let held = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    held += 8;
    while (held >= bits) {
      held -= bits;
      digits.add(alphabet.charAt((buffer >> held) & (2 ** bits - 1)));
    }
    buffer &= 2 ** held - 1;
  }
  if (held > 0) digits.add(alphabet.charAt((buffer << (bits - held)) & (2 ** bits - 1)));
  const text = digits.whole();
  return text.padEnd(Math.ceil(text.length / group) * group, "=");
}

/** Padded base64; line ends are left out. The error is Go's. */
export function fromBase64(text: string): Result<Uint8Array> {
  return decodeBits(text, { alphabet: BASE64, bits: 6, group: 4 }, "base64");
}

export function fromBase32(text: string): Result<Uint8Array> {
  return decodeBits(text, { alphabet: BASE32, bits: 5, group: 8 }, "base32");
}

function decodeBits(text: string, { alphabet, bits, group }: BaseForm, name: string): Result<Uint8Array> {
  const clean = text.replace(/[\r\n]/g, "");
  const padding = clean.indexOf("=");
  const digits = padding < 0 || !isPadding(clean, padding) ? clean : clean.slice(0, padding);
  const bytes: number[] = [];
  let buffer = 0;
  let held = 0;
  for (let index = 0; index < digits.length; index++) {
    const value = alphabet.indexOf(digits.charAt(index));
    if (value < 0) return err(`illegal ${name} data at input byte ${index}`);
    buffer = (buffer << bits) | value;
    held += bits;
    if (held >= 8) {
      held -= 8;
      bytes.push((buffer >> held) & 0xff);
      buffer &= 2 ** held - 1;
    }
  }
  if (clean.length % group !== 0 || clean.length - digits.length >= group) {
    return err(`illegal ${name} data at input byte ${Math.max(0, digits.length - (digits.length % group))}`);
  }
  return ok(Uint8Array.from(bytes));
}

function isPadding(text: string, from: number): boolean {
  for (let at = from; at < text.length; at++) if (text.charAt(at) !== "=") return false;
  return true;
}

export function toHex(bytes: Iterable<number>): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}
