/** Cuts an expression into tokens. */

import { err, ok, type Result } from "../../std/result.js";
import { type Fault, FaultSignal } from "./error.js";
import type { Token, TokenKind } from "./token.js";
import { unescapeString } from "./unescape.js";

const WORD_OPERATORS: ReadonlySet<string> = new Set([
  "not",
  "in",
  "or",
  "and",
  "matches",
  "contains",
  "startsWith",
  "endsWith",
  "let",
  "if",
  "else",
]);

const SPACE = /[ \t\n\v\f\r\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/y;
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const WORD = /[\p{L}\p{Nd}_$]+/uy;
const NUMBER = /(?:0[xX][\da-fA-F_]*|0[oO][0-7_]*|0[bB][01_]*|[\d_]*)(?:\.(?!\.)[\d_]*)?(?:[eE][+-]?[\d_]*)?/y;
const OPERATOR = /\?\.|\?\?|\|\||::|\.\.|[&!=*<>][&=*]|[?|:.,;%+\-^/#&!=*<>]/y;
const BRACKET = /[()[\]{}]/y;
const POINTER_NAME = /[\p{L}\p{Nd}_$]+/uy;

interface State {
  readonly source: string;
  readonly tokens: Token[];
  at: number;
}

/** The tokens, with EOF last. */
export function lexExpression(source: string): Result<readonly Token[], Fault> {
  const state: State = { source, tokens: [], at: 0 };
  try {
    while (skipBlank(state)) readToken(state);
  } catch (signal) {
    if (signal instanceof FaultSignal) return err(signal.fault);
    throw signal;
  }
  state.tokens.push({ kind: "EOF", value: "", offset: Math.max(0, source.length - 1) });
  return ok(state.tokens);
}

/** False at the end. */
function skipBlank(state: State): boolean {
  while (take(SPACE, state) !== undefined || take(COMMENT, state) !== undefined) {
    // Both are skipped, in any order.
  }
  if (state.source.startsWith("/*", state.at)) fail(state.source.length, "unclosed comment");
  return state.at < state.source.length;
}

function take(pattern: RegExp, state: State): string | undefined {
  pattern.lastIndex = state.at;
  const found = pattern.exec(state.source)?.[0];
  if (found === undefined || found === "") return undefined;
  state.at += found.length;
  return found;
}

function readToken(state: State): void {
  const { source, at } = state;
  const character = source.charAt(at);
  if (character === "'" || character === '"') readString(state, character);
  else if (character === "`") readRawString(state);
  else if (/^(\d|\.\d)/.test(source.slice(at, at + 2))) readNumber(state);
  else if (character === "#") readPointer(state);
  else readSymbolOrWord(state);
}

function readSymbolOrWord(state: State): void {
  const { source, at } = state;
  if (emit(state, "Bracket", take(BRACKET, state), at)) return;
  if (emit(state, "Operator", take(OPERATOR, state), at)) return;
  const word = take(WORD, state);
  if (word === undefined) fail(at, `unrecognized character: ${unicodeName(source, at)}`);
  else emit(state, WORD_OPERATORS.has(word) ? "Operator" : "Identifier", word, at);
}

function emit(state: State, kind: TokenKind, value: string | undefined, offset: number): boolean {
  if (value === undefined) return false;
  state.tokens.push({ kind, value, offset });
  return true;
}

function readNumber(state: State): void {
  const offset = state.at;
  const text = take(NUMBER, state) ?? "";
  const follower = take(WORD, state);
  if (follower !== undefined) {
    const first = String.fromCodePoint(follower.codePointAt(0) ?? 0);
    fail(offset + text.length, `bad number syntax: "${text}${first}"`);
  }
  emit(state, "Number", text, offset);
}

/** `#`, and a name that follows at once. */
function readPointer(state: State): void {
  const offset = state.at;
  state.at++;
  emit(state, "Operator", "#", offset);
  emit(state, "Identifier", take(POINTER_NAME, state), state.at);
}

function readString(state: State, quote: string): void {
  const { source } = state;
  const offset = state.at;
  let end = offset + 1;
  for (; source.charAt(end) !== quote; end++) {
    if (end >= source.length || source.charAt(end) === "\n") fail(end, "literal not terminated");
    if (source.charAt(end) === "\\") end++;
  }
  const value = unescapeString(source.slice(offset + 1, end));
  if (value === undefined) fail(end, "invalid char escape");
  state.at = end + 1;
  state.tokens.push({ kind: "String", value: value ?? "", offset });
}

function readRawString(state: State): void {
  const offset = state.at;
  const end = state.source.indexOf("`", offset + 1);
  if (end < 0) fail(state.source.length, "literal not terminated");
  state.at = end + 1;
  state.tokens.push({ kind: "String", value: state.source.slice(offset + 1, end), offset });
}

function unicodeName(source: string, at: number): string {
  const code = source.codePointAt(at) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")} '${String.fromCodePoint(code)}'`;
}

function fail(offset: number, reason: string): never {
  throw new FaultSignal({ kind: "syntax", reason, offset });
}
