/** What may follow an operand: `.name`, `?.name`, `[index]`, `[from:to]`, and calls of members. */

import type { ExprNode } from "./ast.js";
import { parseArguments } from "./parser-call.js";
import { accept, advance, atBracket, atOperator, current, expect, fail, type ParserState } from "./parser-state.js";
import type { Token } from "./token.js";

const NAME = /^[\p{L}_$][\p{L}\p{Nd}_$]*$/u;

export function parsePostfix(state: ParserState, start: ExprNode): ExprNode {
  let node = start;
  for (;;) {
    if (atOperator(state, ".") || atOperator(state, "?.")) node = parseMember(state, node);
    else if (atBracket(state, "[")) node = parseBrackets(state, node, "plain");
    else return node;
  }
}

function parseMember(state: ParserState, base: ExprNode): ExprNode {
  const optional = advance(state).value === "?.";
  if (optional && atBracket(state, "[")) return parseBrackets(state, base, "optional");
  const token = advance(state);
  if (!isName(token)) fail(current(state), "expected name");
  const property: ExprNode = { kind: "string", value: token.value, offset: token.offset };
  const member: ExprNode = {
    kind: "member",
    base: unchained(base),
    property,
    optional,
    method: atBracket(state, "("),
    offset: token.offset,
  };
  const node: ExprNode = member.method
    ? { kind: "call", callee: member, args: parseArguments(state, []), offset: token.offset }
    : member;
  return base.kind === "chain" || optional ? { kind: "chain", inner: node, offset: node.offset } : node;
}

/** Words such as `not` and `matches` are names behind a dot. */
function isName(token: Token): boolean {
  return token.kind === "Identifier" || (token.kind === "Operator" && NAME.test(token.value));
}

/** A chain goes on: what it holds is extended, and wrapped again. */
function unchained(node: ExprNode): ExprNode {
  return node.kind === "chain" ? node.inner : node;
}

function parseBrackets(state: ParserState, base: ExprNode, access: "plain" | "optional"): ExprNode {
  const { offset } = advance(state);
  if (accept(state, "Operator", ":")) return parseSliceEnd(state, { base, from: undefined, offset });
  const from = state.expression(0);
  if (accept(state, "Operator", ":")) return parseSliceEnd(state, { base, from, offset });
  expect(state, "Bracket", "]");
  // Unlike `.name`, an index behind a chain is not part of it, as in expr-lang.
  const optional = access === "optional";
  const inner = optional ? unchained(base) : base;
  const member: ExprNode = { kind: "member", base: inner, property: from, optional, method: false, offset };
  return optional ? { kind: "chain", inner: member, offset } : member;
}

interface SliceStart {
  readonly base: ExprNode;
  readonly from: ExprNode | undefined;
  readonly offset: number;
}

function parseSliceEnd(state: ParserState, start: SliceStart): ExprNode {
  const to = atBracket(state, "]") ? undefined : state.expression(0);
  expect(state, "Bracket", "]");
  return { kind: "slice", ...start, to };
}
