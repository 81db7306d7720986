/** Calls: of builtins, of builtins with a predicate, of functions from the environment. */

import { isBuiltin } from "../builtins/names.js";
import type { ExprNode } from "./ast.js";
import { type ArgumentShape, predicateBuiltins } from "./operators.js";
import { accept, atBracket, current, expect, fail, type ParserState } from "./parser-state.js";
import type { Token } from "./token.js";

/** `given` holds the left side of a pipe, which is the first argument. */
export function parseCall(state: ParserState, name: Token, given: readonly ExprNode[]): ExprNode {
  const { offset } = name;
  const shapes = predicateBuiltins.get(name.value);
  if (shapes !== undefined) {
    return { kind: "builtin", name: name.value, args: parseShaped(state, shapes, given), offset };
  }
  const args = parseArguments(state, given);
  if (isBuiltin(name.value)) return { kind: "builtin", name: name.value, args, offset };
  return { kind: "call", callee: { kind: "identifier", name: name.value, offset }, args, offset };
}

export function parseArguments(state: ParserState, given: readonly ExprNode[]): readonly ExprNode[] {
  const args = [...given];
  expect(state, "Bracket", "(");
  while (!atBracket(state, ")")) {
    if (args.length > given.length) expect(state, "Operator", ",");
    if (atBracket(state, ")")) break;
    args.push(state.expression(0));
  }
  expect(state, "Bracket", ")");
  return args;
}

function parseShaped(
  state: ParserState,
  shapes: readonly ArgumentShape[],
  given: readonly ExprNode[],
): readonly ExprNode[] {
  const args = [...given];
  const wanted = shapes.slice(given.length);
  expect(state, "Bracket", "(");
  for (const [index, shape] of wanted.entries()) {
    if (atBracket(state, ")")) {
      if (shape.endsWith("?")) break;
      fail(current(state), `expected at least ${wanted.length} arguments`);
    }
    if (index > 0) expect(state, "Operator", ",");
    args.push(shape.startsWith("predicate") ? parsePredicate(state) : state.expression(0));
  }
  accept(state, "Operator", ",");
  expect(state, "Bracket", ")");
  return args;
}

/** With or without braces: `{# > 1}` or `# > 1`. */
function parsePredicate(state: ParserState): ExprNode {
  const { offset } = current(state);
  const braced = accept(state, "Bracket", "{");
  state.predicates++;
  const body = braced ? state.sequence() : state.expression(0);
  state.predicates--;
  if (braced) expect(state, "Bracket", "}");
  return { kind: "predicate", body, offset };
}
