/** JSON read so that each value keeps the text it was written with, and faults are told in Go's words (Argo 4.1 behaviour 3.8). */

import { compareUtf8 } from "../std/order.js";
import { err, ok, type Result } from "../std/result.js";

export type RawJson =
  | { readonly kind: "scalar"; readonly text: string; readonly type: "string" | "number" | "bool" | "null" }
  | { readonly kind: "list"; readonly items: readonly RawJson[] }
  | { readonly kind: "map"; readonly entries: readonly (readonly [string, RawJson])[] };

/** Deeper values are refused, or they would use up the stack. */
const DEPTH_MAX = 1_000;

/** The value, or the message Go's encoding/json gives. */
export function parseRawJson(text: string): Result<RawJson> {
  const reader: Reader = { text, at: 0, problem: undefined };
  const value = readValue(reader, 0);
  skipSpace(reader);
  if (reader.problem === undefined && reader.at < text.length) fail(reader, "after top-level value");
  if (reader.problem !== undefined) return err(reader.problem);
  return value === undefined ? err("unexpected end of JSON input") : ok(value);
}

/** Compact, keys in order, `<`, `>` and `&` escaped: what Go's json.Marshal makes of it. */
export function printRawJson(value: RawJson): string {
  switch (value.kind) {
    case "scalar":
      return escapeHtml(value.text);
    case "list":
      return `[${value.items.map(printRawJson).join(",")}]`;
    case "map": {
      const entries = [...value.entries].sort(([a], [b]) => compareUtf8(a, b));
      return `{${entries.map(([key, item]) => `${goJsonString(key)}:${printRawJson(item)}`).join(",")}}`;
    }
  }
}

/** A text as Go's json.Marshal writes it. */
export function goJsonString(text: string): string {
  return escapeHtml(JSON.stringify(text));
}

/** Any JSON value, its fields as they stand, with the characters that Go escapes. */
export function goJsonText(value: unknown): string {
  return escapeHtml(JSON.stringify(value));
}

function escapeHtml(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

interface Reader {
  readonly text: string;
  at: number;
  problem: string | undefined;
}

function readValue(reader: Reader, depth: number): RawJson | undefined {
  skipSpace(reader);
  if (depth > DEPTH_MAX) return stop(reader, "exceeded max depth");
  const next = reader.text[reader.at];
  if (next === undefined) return stop(reader, "unexpected end of JSON input");
  const read = isDigit(next) ? readNumber : READERS.get(next);
  return read === undefined ? fail(reader, "looking for beginning of value") : read(reader, depth);
}

/** By the first character of a value. */
const READERS: ReadonlyMap<string, (reader: Reader, depth: number) => RawJson | undefined> = new Map([
  ["{", readMap],
  ["[", readList],
  ['"', readText],
  ["-", readNumber],
  ["t", (reader: Reader) => readLiteral(reader, "true", "bool")],
  ["f", (reader: Reader) => readLiteral(reader, "false", "bool")],
  ["n", (reader: Reader) => readLiteral(reader, "null", "null")],
]);

function readMap(reader: Reader, depth: number): RawJson | undefined {
  const entries = new Map<string, RawJson>();
  reader.at++;
  skipSpace(reader);
  if (take(reader, "}")) return { kind: "map", entries: [] };
  for (;;) {
    skipSpace(reader);
    if (reader.text[reader.at] !== '"') return fail(reader, "looking for beginning of object key string");
    const key = readText(reader);
    if (key === undefined) return undefined;
    skipSpace(reader);
    if (!take(reader, ":")) return fail(reader, "after object key");
    const value = readValue(reader, depth + 1);
    if (value === undefined) return undefined;
    entries.set(plainText(key), value);
    skipSpace(reader);
    if (take(reader, "}")) return { kind: "map", entries: [...entries] };
    if (!take(reader, ",")) return fail(reader, "after object key:value pair");
  }
}

function readList(reader: Reader, depth: number): RawJson | undefined {
  const items: RawJson[] = [];
  reader.at++;
  skipSpace(reader);
  if (take(reader, "]")) return { kind: "list", items };
  for (;;) {
    const item = readValue(reader, depth + 1);
    if (item === undefined) return undefined;
    items.push(item);
    skipSpace(reader);
    if (take(reader, "]")) return { kind: "list", items };
    if (!take(reader, ",")) return fail(reader, "after array element");
  }
}

function readText(reader: Reader): RawJson | undefined {
  const from = reader.at;
  reader.at++;
  for (;;) {
    const next = reader.text[reader.at];
    if (next === undefined) return stop(reader, "unexpected end of JSON input");
    if (next < " ") return fail(reader, "in string literal");
    if (next === "\\" && !readEscape(reader)) return undefined;
    reader.at++;
    if (next === '"') return { kind: "scalar", type: "string", text: reader.text.slice(from, reader.at) };
  }
}

/** Leaves the reader at the last character of the escape. */
function readEscape(reader: Reader): boolean {
  reader.at++;
  const next = reader.text[reader.at];
  if (next !== "u") {
    if (next !== undefined && '"\\/bfnrt'.includes(next)) return true;
    fail(reader, "in string escape code");
    return false;
  }
  for (let digit = 0; digit < 4; digit++) {
    reader.at++;
    if (!/[0-9a-fA-F]/.test(reader.text[reader.at] ?? "")) {
      fail(reader, "in \\u hexadecimal character escape");
      return false;
    }
  }
  return true;
}

function readNumber(reader: Reader): RawJson | undefined {
  const from = reader.at;
  take(reader, "-");
  if (!take(reader, "0")) {
    if (!skipDigits(reader)) return fail(reader, "in numeric literal");
  }
  if (take(reader, ".") && !skipDigits(reader)) return fail(reader, "after decimal point in numeric literal");
  if (take(reader, "e") || take(reader, "E")) {
    if (!take(reader, "+")) take(reader, "-");
    if (!skipDigits(reader)) return fail(reader, "in exponent of numeric literal");
  }
  return { kind: "scalar", type: "number", text: reader.text.slice(from, reader.at) };
}

function readLiteral(reader: Reader, word: string, type: "bool" | "null"): RawJson | undefined {
  for (const [index, letter] of [...word].entries()) {
    if (take(reader, letter)) continue;
    return fail(reader, index === 0 ? "looking for beginning of value" : `in literal ${word} (expecting '${letter}')`);
  }
  return { kind: "scalar", type, text: word };
}

function plainText(value: RawJson): string {
  const parsed: unknown = value.kind === "scalar" ? JSON.parse(value.text) : "";
  return typeof parsed === "string" ? parsed : "";
}

function skipDigits(reader: Reader): boolean {
  const from = reader.at;
  while (isDigit(reader.text[reader.at] ?? "")) reader.at++;
  return reader.at > from;
}

function skipSpace(reader: Reader): void {
  while (/[ \t\r\n]/.test(reader.text[reader.at] ?? "")) reader.at++;
}

function take(reader: Reader, expected: string): boolean {
  if (reader.text[reader.at] !== expected) return false;
  reader.at++;
  return true;
}

function isDigit(text: string): boolean {
  return text >= "0" && text <= "9" && text.length === 1;
}

function stop(reader: Reader, problem: string): undefined {
  reader.problem ??= problem;
  return undefined;
}

function fail(reader: Reader, where: string): undefined {
  const code = reader.text.codePointAt(reader.at);
  if (code === undefined) return stop(reader, "unexpected end of JSON input");
  return stop(reader, `invalid character ${quoteCharacter(String.fromCodePoint(code))} ${where}`);
}

const QUOTED: Readonly<Record<string, string>> = {
  "'": "'\\''",
  '"': "'\"'",
  "\n": "'\\n'",
  "\t": "'\\t'",
  "\r": "'\\r'",
};

function quoteCharacter(character: string): string {
  const code = character.charCodeAt(0);
  const plain = code < 0x20 ? `'\\x${code.toString(16).padStart(2, "0")}'` : `'${character}'`;
  return QUOTED[character] ?? plain;
}
