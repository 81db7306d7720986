/** Cuts a `when` into tokens. Bare words are variables here; they become strings later. */

import { err, ok, type Result } from "../../std/result.js";
import { parseWhenTime } from "./time.js";
import {
  comparators,
  logicals,
  modifiers,
  prefixes,
  ternaries,
  tokenRules,
  type WhenKind,
  type WhenToken,
} from "./tokens.js";

const SPACE = /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/u;
const LETTER = /^\p{L}$/u;
const DIGIT = /^\p{Nd}$/u;

/** The text as code points, with a place to read from. */
interface Stream {
  readonly characters: readonly string[];
  at: number;
}

/** The tokens, or what is wrong with the first that is none. */
export function lexWhen(text: string): Result<readonly WhenToken[]> {
  const stream: Stream = { characters: [...text], at: 0 };
  const tokens: WhenToken[] = [];
  let previous: WhenKind = "UNKNOWN";
  for (;;) {
    skipSpace(stream);
    if (stream.at >= stream.characters.length) return ok(tokens);
    const token = readToken(stream, previous);
    if (!token.ok) return token;
    tokens.push(token.value);
    previous = token.value.kind;
  }
}

function skipSpace(stream: Stream): void {
  while (SPACE.test(stream.characters[stream.at] ?? "")) stream.at++;
}

function readToken(stream: Stream, previous: WhenKind): Result<WhenToken> {
  const character = stream.characters[stream.at] ?? "";
  if (isNumeric(character)) return readNumber(stream);
  if (LETTER.test(character)) return readWord(stream);
  if (character === "'" || character === '"') return readQuoted(stream);
  switch (character) {
    case ",":
      return single(stream, "SEPARATOR", ",");
    case "(":
      return single(stream, "CLAUSE", 40);
    case ")":
      return single(stream, "CLAUSE_CLOSE", 41);
    case "[":
      return readBracketed(stream);
    default:
      return readSymbol(stream, previous);
  }
}

function single(stream: Stream, kind: WhenKind, value: string | number): Result<WhenToken> {
  stream.at++;
  return ok({ kind, value });
}

function readNumber(stream: Stream): Result<WhenToken> {
  const { characters, at } = stream;
  if (characters[at] === "0" && characters[at + 1] === "x" && at + 2 < characters.length) {
    stream.at += 2;
    const digits = readWhile(stream, (character) => /^[0-9a-fA-F]$/.test(character));
    if (digits === "" || BigInt(`0x${digits}`) >= 1n << 64n) {
      return err(`Unable to parse hex value '${digits}' to uint64\n`);
    }
    return ok({ kind: "NUMERIC", value: Number(BigInt(`0x${digits}`)) });
  }
  const text = readWhile(stream, isNumeric);
  if (!/^(\d+\.?\d*|\.\d+)$/.test(text)) return err(`Unable to parse numeric value '${text}' to float64\n`);
  return ok({ kind: "NUMERIC", value: Number(text) });
}

function readWord(stream: Stream): Result<WhenToken> {
  const word = readWhile(stream, isVariableName);
  if (word.indexOf(".") > 0) {
    if (word.endsWith(".")) return err(`Hanging accessor on token '${word}'`);
    return ok({ kind: "ACCESSOR", value: word });
  }
  if (word === "true" || word === "false") return ok({ kind: "BOOLEAN", value: word === "true" });
  if (word === "in" || word === "IN") return ok({ kind: "COMPARATOR", value: "in" });
  return ok({ kind: "VARIABLE", value: word });
}

/** Either quote ends either string: `"it's"` is three tokens, as in Argo. */
function readQuoted(stream: Stream): Result<WhenToken> {
  stream.at++;
  const text = readUntil(stream, (character) => character === "'" || character === '"');
  if (text === undefined) return err("Unclosed string literal");
  const seconds = parseWhenTime(text);
  return ok(seconds === undefined ? { kind: "STRING", value: text } : { kind: "TIME", value: seconds });
}

function readBracketed(stream: Stream): Result<WhenToken> {
  stream.at++;
  const name = readUntil(stream, (character) => character === "]");
  return name === undefined ? err("Unclosed parameter bracket") : ok({ kind: "VARIABLE", value: name });
}

function readSymbol(stream: Stream, previous: WhenKind): Result<WhenToken> {
  const symbol = readWhile(stream, isSymbol);
  if (tokenRules[previous].next.has("PREFIX") && prefixes.has(symbol)) return ok({ kind: "PREFIX", value: symbol });
  if (modifiers.has(symbol)) return ok({ kind: "MODIFIER", value: symbol });
  if (logicals.has(symbol)) return ok({ kind: "LOGICALOP", value: symbol });
  if (comparators.has(symbol)) return ok({ kind: "COMPARATOR", value: symbol });
  if (ternaries.has(symbol)) return ok({ kind: "TERNARY", value: symbol });
  return err(`Invalid token: '${symbol}'`);
}

/** Reads up to white space or a character that does not belong; a backslash takes the next as it is. */
function readWhile(stream: Stream, belongs: (character: string) => boolean): string {
  let text = "";
  for (; stream.at < stream.characters.length; stream.at++) {
    const character = stream.characters[stream.at] ?? "";
    if (character === "\\") {
      stream.at++;
      text += stream.characters[stream.at] ?? "";
      continue;
    }
    if (SPACE.test(character) && text !== "") break;
    if (!belongs(character)) break;
    text += character;
  }
  return text;
}

/** The text before the end mark, which is consumed; undefined when it never comes. */
function readUntil(stream: Stream, isEnd: (character: string) => boolean): string | undefined {
  let text = "";
  while (stream.at < stream.characters.length) {
    let character = stream.characters[stream.at++] ?? "";
    if (character === "\\") {
      character = stream.characters[stream.at++] ?? "";
    } else if (isEnd(character)) {
      return text;
    }
    text += character;
  }
  return undefined;
}

function isNumeric(character: string): boolean {
  return character === "." || DIGIT.test(character);
}

function isVariableName(character: string): boolean {
  return character === "_" || character === "." || LETTER.test(character) || DIGIT.test(character);
}

function isSymbol(character: string): boolean {
  return !(LETTER.test(character) || DIGIT.test(character) || "()[]'\"".includes(character));
}
