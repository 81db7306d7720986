/** `{{=expression}}`: evaluated when what it names is there, else left for a later pass (Argo 4.1 behaviour 4.2). */

import { quoteGo } from "../../std/go-format.js";
import { err, ok, type Result } from "../../std/result.js";
import { type ExprEnv, envFor } from "../env.js";
import { compileExpression, runExpression } from "../evaluate.js";
import { argoFunctions } from "../functions.js";
import { accessesIn, identifiersIn } from "../identifiers.js";
import type { ExprContext, Scope } from "../scope.js";
import { printJson } from "../values/print.js";
import { type ExprValue, isMap, ValueFault } from "../values/value.js";
import { asJsonText } from "./json-text.js";
import { mustResolve, type SubstituteError, type SubstituteMode } from "./modes.js";

/** The text that replaces the tag; the tag itself where it stays for a later pass. */
export type ExpressionResolver = (expression: string) => Result<string, SubstituteError>;

/** Known only later than most: an expression that names one of these waits for it. */
const LATER: ReadonlySet<string> = new Set([
  "item",
  "retries",
  "lastRetry.exitCode",
  "lastRetry.status",
  "lastRetry.duration",
  "lastRetry.message",
  "workflow.status",
  "workflow.failures",
]);

/** Values that validation puts in for those that are known only at run time. */
const PLACEHOLDER = "__argo__internal__placeholder";

export interface ExpressionOptions {
  readonly mode: SubstituteMode;
  readonly context: ExprContext;
}

export function createExpressionResolver(scope: Scope, options: ExpressionOptions): ExpressionResolver {
  return (expression) => resolveExpression(expression, scope, options);
}

/**
 * A syntax error is an error in every mode. A type or run error, or nil, is one only where everything must resolve, and
 * in strict mode when all that the expression names is there; else the tag stays.
 */
function resolveExpression(
  expression: string,
  scope: Scope,
  options: ExpressionOptions,
): Result<string, SubstituteError> {
  const verbatim = ok(`{{=${expression}}}`);
  const compiled = compileExpression(expression);
  if (!compiled.ok) {
    return hasPlaceholder(scope)
      ? verbatim
      : failed(expression, `failed to evaluate expression: ${compiled.error.message}`);
  }
  const identifiers = identifiersIn(compiled.value.root);
  const env = envFor(scope, accessesIn(compiled.value.root));
  const missing = identifiers.filter(({ path }) => !isPresent(path, env));
  const required = missing.filter(({ guarded }) => !guarded).map(({ path }) => path);
  const strict = required.find((path) => mustResolve(path, options.mode));
  if (strict !== undefined) {
    return err({
      kind: "missing",
      tag: `=${expression}`,
      message: `failed to evaluate expression: ${strict} is missing`,
    });
  }
  if (missing.some(({ path }) => LATER.has(path))) return verbatim;
  const value = runExpression(compiled.value, env, options.context);
  const text = value.ok
    ? printResult(expression, value.value)
    : err(`failed to evaluate expression: ${value.error.message}`);
  if (text.ok) return text;
  const mayWait = options.mode === "allow-unresolved" || required.length > 0 || hasPlaceholder(scope);
  return mayWait ? verbatim : failed(expression, text.error);
}

function failed(expression: string, message: string): Result<string, SubstituteError> {
  return err({ kind: "failed", tag: `=${expression}`, message });
}

/** An absent optional is present: it is nil. */
function isPresent(path: string, env: ExprEnv): boolean {
  const [root = "", ...members] = path.split(".");
  let value = argoFunctions.get(root) ?? env.get(root);
  for (const [index, member] of members.entries()) {
    if (!isMap(value)) return false;
    // A name may hold dots itself: inputs.parameters['a.b'] is known as inputs.parameters.a.b.
    const whole = members.slice(index).join(".");
    if (value.has(whole)) return true;
    value = value.get(member);
  }
  return value !== undefined;
}

function hasPlaceholder(scope: Scope): boolean {
  for (const value of scope.values()) {
    if (typeof value === "string" && value.startsWith(PLACEHOLDER)) return true;
  }
  return false;
}

/** Text as it is, everything else as JSON. Nil has no text. */
function printResult(expression: string, value: ExprValue): Result<string> {
  if (value === null) return err(`failed to evaluate expression ${quoteGo(asJsonText(expression))}`);
  if (typeof value === "string") return ok(value);
  try {
    return ok(printJson(value));
  } catch (cause) {
    if (cause instanceof ValueFault) return err(`failed to marshal evaluated expression: ${cause.message}`);
    throw cause;
  }
}
