/** Expressions over a scope: the one place where templates meet the expression engine. */

import { type ExprContext, type ExprValue, envSeenBy, evaluate, evaluateBoolean, type Scope } from "../expr/index.js";
import { err, type Result } from "../std/result.js";

/** The value; the error is its message. */
export function evaluateIn(expression: string, scope: Scope, context: ExprContext): Result<ExprValue> {
  const value = evaluate(expression, envSeenBy(expression, scope), context);
  return value.ok ? value : err(value.error.message);
}

/** For conditions of hooks, exit handlers and retries. */
export function evaluateConditionIn(expression: string, scope: Scope, context: ExprContext): Result<boolean> {
  return evaluateBoolean(expression, envSeenBy(expression, scope), context);
}
