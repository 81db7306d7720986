/** Expressions by precedence (a Pratt parser); bounded in length, depth and nodes. */

import { err, ok, type Result } from "../../std/result.js";
import type { ExprNode } from "./ast.js";
import { type Fault, FaultSignal } from "./error.js";
import { lexExpression } from "./lexer.js";
import { binaryOperators, chainable, negatable, type OperatorRow } from "./operators.js";
import { parseCall } from "./parser-call.js";
import { parsePrimary } from "./parser-primary.js";
import { accept, advance, atOperator, current, expect, fail, type ParserState, unexpected } from "./parser-state.js";
import type { Token } from "./token.js";

const MAX_LENGTH = 200_000;
const MAX_NODES = 10_000;
const MAX_DEPTH = 200;

/** The tree of an expression. */
export function parseExpression(source: string): Result<ExprNode, Fault> {
  if (source.length > MAX_LENGTH) {
    return err({ kind: "syntax", reason: `expression is longer than ${MAX_LENGTH} characters`, offset: 0 });
  }
  const tokens = lexExpression(source);
  if (!tokens.ok) return tokens;
  const state = createState(tokens.value);
  try {
    const node = parseSequence(state);
    if (current(state).kind !== "EOF") unexpected(current(state));
    return ok(node);
  } catch (signal) {
    if (signal instanceof FaultSignal) return err(signal.fault);
    throw signal;
  }
}

function createState(tokens: readonly Token[]): ParserState {
  const state: ParserState = {
    tokens,
    at: 0,
    predicates: 0,
    depth: 0,
    nodes: 0,
    expression: (precedence) => parseBounded(state, precedence),
    sequence: () => parseSequence(state),
  };
  return state;
}

function parseBounded(state: ParserState, precedence: number): ExprNode {
  if (++state.nodes > MAX_NODES) fail(current(state), "compilation failed: expression exceeds maximum allowed nodes");
  if (++state.depth > MAX_DEPTH) fail(current(state), "expression is nested too deeply");
  const node = parseAt(state, precedence);
  state.depth--;
  return node;
}

function parseSequence(state: ParserState): ExprNode {
  const first = state.expression(0);
  const nodes = [first];
  while (accept(state, "Operator", ";") && current(state).kind !== "EOF") nodes.push(state.expression(0));
  return nodes.length === 1 ? first : { kind: "sequence", nodes, offset: first.offset };
}

function parseAt(state: ParserState, precedence: number): ExprNode {
  if (precedence === 0 && atOperator(state, "let")) return parseLet(state);
  if (precedence === 0 && atOperator(state, "if")) return parseIf(state);
  const node = parseBinary(state, precedence);
  return precedence === 0 ? parseConditional(state, node) : node;
}

function parseBinary(state: ParserState, precedence: number): ExprNode {
  let left = parsePrimary(state);
  let previous = "";
  for (;;) {
    if (++state.nodes > MAX_NODES) fail(current(state), "compilation failed: expression exceeds maximum allowed nodes");
    const operator = takeOperator(state, precedence);
    if (operator === undefined) return left;
    if (previous === "??" && operator.token.value !== "??" && operator.token.value !== "|") {
      const reason = `Operator (${operator.token.value}) and coalesce expressions (??) cannot be mixed. Wrap either by parentheses.`;
      fail(operator.token, reason);
    }
    left = parseRight(state, left, operator);
    previous = operator.token.value;
  }
}

interface TakenOperator {
  readonly token: Token;
  readonly row: OperatorRow;
  /** It stood behind `not`. */
  readonly negated: boolean;
}

/** The operator here, taken off, if it binds tightly enough. */
function takeOperator(state: ParserState, precedence: number): TakenOperator | undefined {
  const start = state.at;
  const negated = accept(state, "Operator", "not");
  const token = current(state);
  if (negated && !negatable.has(token.value)) unexpected(token);
  const row = token.kind === "Operator" ? binaryOperators.get(token.value) : undefined;
  if (row === undefined || row.precedence < precedence) {
    state.at = start;
    return undefined;
  }
  state.at++;
  return { token, row, negated };
}

function parseRight(state: ParserState, left: ExprNode, operator: TakenOperator): ExprNode {
  const { token, row, negated } = operator;
  if (token.value === "|") return parseCall(state, expect(state, "Identifier"), [left]);
  if (chainable.has(token.value)) return parseComparison(state, left, operator);
  const right = state.expression(row.rightAssociative ? row.precedence : row.precedence + 1);
  const node: ExprNode = { kind: "binary", operator: token.value, left, right, offset: token.offset };
  return negated ? { kind: "unary", operator: "not", operand: node, offset: token.offset } : node;
}

/** `1 < x < 5` is `1 < x && x < 5`. */
function parseComparison(state: ParserState, first: ExprNode, operator: TakenOperator): ExprNode {
  let { token } = operator;
  let left = first;
  let whole: ExprNode | undefined;
  for (;;) {
    const right = state.expression(operator.row.precedence + 1);
    const node: ExprNode = { kind: "binary", operator: token.value, left, right, offset: token.offset };
    whole =
      whole === undefined ? node : { kind: "binary", operator: "&&", left: whole, right: node, offset: token.offset };
    left = right;
    token = current(state);
    if (token.kind !== "Operator" || !chainable.has(token.value)) return whole;
    state.at++;
  }
}

function parseLet(state: ParserState): ExprNode {
  advance(state);
  const name = expect(state, "Identifier");
  expect(state, "Operator", "=");
  const value = state.expression(0);
  expect(state, "Operator", ";");
  return { kind: "let", name: name.value, value, body: state.sequence(), offset: name.offset };
}

/** `if condition { a } else { b }`, the long form of the ternary. */
function parseIf(state: ParserState): ExprNode {
  const { offset } = advance(state);
  const condition = state.expression(0);
  const whenTrue = parseBlock(state);
  expect(state, "Operator", "else");
  const whenFalse = atOperator(state, "if") ? parseIf(state) : parseBlock(state);
  return { kind: "conditional", condition, whenTrue, whenFalse, offset };
}

function parseBlock(state: ParserState): ExprNode {
  expect(state, "Bracket", "{");
  const node = state.sequence();
  expect(state, "Bracket", "}");
  return node;
}

/** Ternaries; their errors point to the beginning of the source, as in expr-lang. */
function parseConditional(state: ParserState, start: ExprNode): ExprNode {
  let node = start;
  while (accept(state, "Operator", "?")) {
    if (accept(state, "Operator", ":")) {
      // `a ?: b` gives a itself when true: a condition is a bool, so that is true.
      const whenTrue: ExprNode = { kind: "boolean", value: true, offset: node.offset };
      node = { kind: "conditional", condition: node, whenTrue, whenFalse: state.expression(0), offset: 0 };
      continue;
    }
    const whenTrue = state.expression(0);
    expect(state, "Operator", ":");
    node = { kind: "conditional", condition: node, whenTrue, whenFalse: state.expression(0), offset: 0 };
  }
  return node;
}
