/** What an operator can stand between: literals, names, brackets, unary operators. */

import type { ExprNode } from "./ast.js";
import { unaryOperators } from "./operators.js";
import { parseCall } from "./parser-call.js";
import { parsePostfix } from "./parser-postfix.js";
import {
  accept,
  advance,
  atBracket,
  atOperator,
  current,
  expect,
  fail,
  type ParserState,
  unexpected,
} from "./parser-state.js";
import { isBracket, isOperator, printToken, type Token } from "./token.js";

export function parsePrimary(state: ParserState): ExprNode {
  const token = current(state);
  const precedence = token.kind === "Operator" ? unaryOperators.get(token.value) : undefined;
  if (precedence !== undefined) {
    advance(state);
    const operand = state.expression(precedence);
    return parsePostfix(state, { kind: "unary", operator: token.value, operand, offset: token.offset });
  }
  if (accept(state, "Bracket", "(")) {
    const inner = state.sequence();
    expect(state, "Bracket", ")");
    return parsePostfix(state, inner);
  }
  if (isOperator(token, "#") || isOperator(token, ".")) return parsePointer(state, token);
  if (accept(state, "Operator", "::")) {
    return parsePostfix(state, parseCall(state, expect(state, "Identifier"), []));
  }
  return parseOperand(state, token);
}

/** `#`, `#name`, or a leading `.field`, which means `#.field`. */
function parsePointer(state: ParserState, token: Token): ExprNode {
  if (state.predicates === 0) fail(token, "cannot use pointer accessor outside predicate");
  let name = "";
  if (accept(state, "Operator", "#")) {
    const next = current(state);
    if (next.kind === "Identifier") name = advance(state).value;
  }
  return parsePostfix(state, { kind: "pointer", name, offset: token.offset });
}

function parseOperand(state: ParserState, token: Token): ExprNode {
  switch (token.kind) {
    case "Identifier":
      return parseName(state);
    case "Number":
      advance(state);
      return parseNumber(token);
    case "String":
      advance(state);
      return parsePostfix(state, { kind: "string", value: token.value, offset: token.offset });
    default:
      if (isBracket(token, "[")) return parsePostfix(state, parseArray(state));
      if (isBracket(token, "{")) return parsePostfix(state, parseMap(state));
      return unexpected(token);
  }
}

function parseName(state: ParserState): ExprNode {
  const token = advance(state);
  const { offset } = token;
  switch (token.value) {
    case "true":
    case "false":
      return { kind: "boolean", value: token.value === "true", offset };
    case "nil":
      return { kind: "nil", offset };
    default:
      return parsePostfix(
        state,
        atBracket(state, "(") ? parseCall(state, token, []) : { kind: "identifier", name: token.value, offset },
      );
  }
}

function parseNumber(token: Token): ExprNode {
  const text = token.value.replaceAll("_", "").toLowerCase();
  const { offset } = token;
  const isRadix = /^0[xob]/.test(text);
  if (!isRadix && /[.e]/.test(text)) {
    const value = Number(text);
    if (Number.isNaN(value))
      fail(token, `invalid float literal: strconv.ParseFloat: parsing "${text}": invalid syntax`);
    if (!Number.isFinite(value)) fail(token, "float literal is too large");
    return { kind: "float", value, offset };
  }
  if (isRadix && text.length === 2)
    fail(token, `invalid ${radixName(text)} literal: strconv.ParseInt: parsing "${text}": invalid syntax`);
  const value = BigInt(text);
  if (value > 0x7fff_ffff_ffff_ffffn) {
    fail(token, `invalid ${radixName(text)} literal: strconv.ParseInt: parsing "${text}": value out of range`);
  }
  return { kind: "integer", value, offset };
}

function radixName(text: string): string {
  const names: Readonly<Record<string, string>> = { "0x": "hex", "0b": "binary", "0o": "octal" };
  return names[text.slice(0, 2)] ?? "integer";
}

function parseArray(state: ParserState): ExprNode {
  const { offset } = advance(state);
  const elements: ExprNode[] = [];
  while (!atBracket(state, "]")) {
    if (elements.length > 0) {
      expect(state, "Operator", ",");
      if (atBracket(state, "]")) break;
    }
    elements.push(state.expression(0));
  }
  expect(state, "Bracket", "]");
  return { kind: "array", elements, offset };
}

function parseMap(state: ParserState): ExprNode {
  const { offset } = advance(state);
  const pairs: { key: ExprNode; value: ExprNode }[] = [];
  while (!atBracket(state, "}")) {
    if (pairs.length > 0) {
      expect(state, "Operator", ",");
      if (atBracket(state, "}")) break;
      if (atOperator(state, ",")) unexpected(current(state));
    }
    const key = parseKey(state);
    expect(state, "Operator", ":");
    pairs.push({ key, value: state.expression(0) });
  }
  expect(state, "Bracket", "}");
  return { kind: "map", pairs, offset };
}

function parseKey(state: ParserState): ExprNode {
  const token = current(state);
  if (token.kind === "Number" || token.kind === "String" || token.kind === "Identifier") {
    advance(state);
    return { kind: "string", value: token.value, offset: token.offset };
  }
  if (isBracket(token, "(")) return state.expression(0);
  const allowed = "a quoted string, a number, a identifier, or an expression enclosed in parentheses";
  return fail(token, `a map key must be ${allowed} (unexpected token ${printToken(token)})`);
}
