/** What the parts of the parser share: the tokens, a place in them, and the limits. */

import type { ExprNode } from "./ast.js";
import { FaultSignal } from "./error.js";
import { isBracket, isOperator, printToken, type Token, type TokenKind } from "./token.js";

export interface ParserState {
  readonly tokens: readonly Token[];
  at: number;
  /** How many predicates are around; `#` is allowed inside one only. */
  predicates: number;
  /** How deep the recursion is, and how many nodes there are, against the limits. */
  depth: number;
  nodes: number;
  /** Any expression of at least this precedence; 0 for all. Here, so that the parts need not import one another. */
  readonly expression: (precedence: number) => ExprNode;
  /** Expressions separated by `;`. */
  readonly sequence: () => ExprNode;
}

export function current(state: ParserState): Token {
  return state.tokens[state.at] ?? { kind: "EOF", value: "", offset: 0 };
}

export function advance(state: ParserState): Token {
  const token = current(state);
  if (token.kind === "EOF") fail(token, "unexpected end of expression");
  state.at++;
  return token;
}

export function atOperator(state: ParserState, value: string): boolean {
  return isOperator(current(state), value);
}

export function atBracket(state: ParserState, value: string): boolean {
  return isBracket(current(state), value);
}

/** Takes the token if it is there. */
export function accept(state: ParserState, kind: TokenKind, value: string): boolean {
  const token = current(state);
  if (token.kind !== kind || token.value !== value) return false;
  state.at++;
  return true;
}

export function expect(state: ParserState, kind: TokenKind, value?: string): Token {
  const token = current(state);
  if (token.kind !== kind || (value !== undefined && token.value !== value)) unexpected(token);
  state.at++;
  return token;
}

export function unexpected(token: Token): never {
  fail(token, `unexpected token ${printToken(token)}`);
}

export function fail(token: Token, reason: string): never {
  throw new FaultSignal({ kind: "syntax", reason, offset: token.offset });
}
