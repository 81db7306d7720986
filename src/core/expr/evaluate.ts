/** Compiles and runs expressions (Argo 4.1 behaviour 4.3). */

import { err, ok, type Result } from "../std/result.js";
import type { ExprEnv } from "./env.js";
import { argoFunctions } from "./functions.js";
import { childrenOf, type ExprNode, spineOf } from "./lang/ast.js";
import { checkTree } from "./lang/checker.js";
import { bindFault, type ExprError, type Fault } from "./lang/error.js";
import { evaluateTree, type Lookup } from "./lang/evaluator.js";
import { parseExpression } from "./lang/parser.js";
import type { ExprContext } from "./scope.js";
import { printValue } from "./values/print.js";
import { type ExprValue, goTypeOf } from "./values/value.js";

/** A deeper tree is refused: walking it would use up the stack. */
const MAX_TREE_DEPTH = 400;

/** A parsed expression, ready to be run with any environment. */
export interface CompiledExpression {
  readonly source: string;
  readonly root: ExprNode;
}

/** Trees of the sources seen last: the same expression is run for every node of a loop. It changes no answer. */
const compiledLately = new Map<string, Result<CompiledExpression, ExprError>>();
const MAX_REMEMBERED = 500;

export function compileExpression(source: string): Result<CompiledExpression, ExprError> {
  const known = compiledLately.get(source);
  if (known !== undefined) return known;
  const compiled = compileNew(source);
  if (compiledLately.size >= MAX_REMEMBERED) compiledLately.clear();
  if (source.length < 10_000) compiledLately.set(source, compiled);
  return compiled;
}

function compileNew(source: string): Result<CompiledExpression, ExprError> {
  const root = parseExpression(source);
  if (!root.ok) return err(bindFault(root.error, source));
  const deep = findTooDeep(root.value);
  return deep === undefined ? ok({ source, root: root.value }) : err(bindFault(deep, source));
}

/** Without recursion, since that is what it guards. */
function findTooDeep(root: ExprNode): Fault | undefined {
  let level: readonly ExprNode[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    const [first] = level;
    if (depth > MAX_TREE_DEPTH && first !== undefined) {
      return { kind: "syntax", reason: "expression is nested too deeply", offset: first.offset };
    }
    level = level.flatMap(childrenBelow);
  }
  return undefined;
}

function childrenBelow(node: ExprNode): readonly ExprNode[] {
  if (node.kind !== "binary") return childrenOf(node);
  const { first, binaries } = spineOf(node);
  return [first, ...binaries.map(({ right }) => right)];
}

/** The value of an expression; functions of Argo and sprig are always there. */
export function evaluate(source: string, env: ExprEnv, context: ExprContext): Result<ExprValue, ExprError> {
  const compiled = compileExpression(source);
  return compiled.ok ? runExpression(compiled.value, env, context) : compiled;
}

export function runExpression(
  { root, source }: CompiledExpression,
  env: ExprEnv,
  context: ExprContext,
): Result<ExprValue, ExprError> {
  const lookup: Lookup = (name) => argoFunctions.get(name) ?? env.get(name);
  const problem = checkTree(root, lookup);
  if (problem !== undefined) return err(bindFault(problem, source));
  const value = evaluateTree(root, lookup, context);
  return value.ok ? value : err(bindFault(value.error, source));
}

/** For conditions: hooks, depends, retry. The error is the whole message, word for word Argo's. */
export function evaluateBoolean(source: string, env: ExprEnv, context: ExprContext): Result<boolean> {
  const value = evaluate(source, env, context);
  if (!value.ok) {
    const { kind, message } = value.error;
    return err(kind === "run" ? `unable to evaluate expression '${source}': ${message}` : message);
  }
  if (typeof value.value === "boolean") return ok(value.value);
  return err(`unable to cast expression result '${printAsText(value.value)}' to bool`);
}

/** As Go's `%s` prints a value that may be no text. */
function printAsText(value: ExprValue): string {
  if (typeof value === "string") return value;
  if (value === null) return "%!s(<nil>)";
  return typeof value === "object" ? printValue(value) : `%!s(${goTypeOf(value)}=${printValue(value)})`;
}
