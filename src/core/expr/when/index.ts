/** `when`: Argo's condition language, govaluate with bare words as strings (Argo 4.1 behaviour 3.9, 10.11). */

import { err, ok, type Result } from "../../std/result.js";
import { compileRegex } from "../regex.js";
import { evaluateWhenNode, printWhenValue } from "./evaluate.js";
import { lexWhen } from "./lexer.js";
import { parseWhen } from "./parser.js";
import { tokenRules, type WhenKind, type WhenToken, type WhenTokenValue } from "./tokens.js";

/** Longer conditions are refused; so are deeper ones, or they would use up the stack. */
const MAX_LENGTH = 1_000_000;
const MAX_BRACKETS = 500;

/** Whether the step or task is to run. Empty is true. The error is the node's message, word for word Argo's. */
export function evaluateWhen(when: string): Result<boolean> {
  if (when === "") return ok(true);
  const checked = readTokens(when);
  if (!checked.ok) {
    const hint = checked.error.includes("Invalid token")
      ? ' (hint: try wrapping the affected expression in quotes ("))'
      : "";
    return err(`Invalid 'when' expression '${when}': ${checked.error}${hint}`);
  }
  const tokens = checked.value.map(wordAsString);
  const problem = problemOf(tokens);
  if (problem !== undefined) return err(`Failed to parse 'when' expression '${when}': ${problem}`);
  const result = evaluateWhenNode(parseWhen(tokens));
  if (!result.ok) return err(`Failed to evaluate 'when' expresion '${when}': ${result.error}`);
  if (typeof result.value === "boolean") return ok(result.value);
  return err(`Expected boolean evaluation for '${when}'. Got ${printWhenValue(result.value)}`);
}

function readTokens(when: string): Result<readonly WhenToken[]> {
  if (when.length > MAX_LENGTH) return err(`longer than ${MAX_LENGTH} characters`);
  const tokens = lexWhen(when);
  if (!tokens.ok) return tokens;
  const problem = problemOf(tokens.value);
  return problem === undefined ? tokens : err(problem);
}

function wordAsString(token: WhenToken): WhenToken {
  return token.kind === "VARIABLE" ? { kind: "STRING", value: token.value } : token;
}

function problemOf(tokens: readonly WhenToken[]): string | undefined {
  return balanceProblem(tokens) ?? orderProblem(tokens) ?? patternProblem(tokens);
}

function balanceProblem(tokens: readonly WhenToken[]): string | undefined {
  let open = 0;
  for (const { kind } of tokens) {
    if (kind === "CLAUSE") open++;
    if (kind === "CLAUSE_CLOSE") open--;
    if (open > MAX_BRACKETS) return `more than ${MAX_BRACKETS} brackets inside one another`;
  }
  return open === 0 ? undefined : "Unbalanced parenthesis";
}

function orderProblem(tokens: readonly WhenToken[]): string | undefined {
  let previous: { readonly kind: WhenKind; readonly value: WhenTokenValue | undefined } = {
    kind: "UNKNOWN",
    value: undefined,
  };
  for (const token of tokens) {
    if (!tokenRules[previous.kind].next.has(token.kind)) return transitionProblem(previous, token);
    previous = token;
  }
  return tokenRules[previous.kind].mayEnd ? undefined : "Unexpected end of expression";
}

function transitionProblem(
  from: { readonly kind: WhenKind; readonly value: WhenTokenValue | undefined },
  to: WhenToken,
): string {
  if (from.kind === "VARIABLE" && to.kind === "CLAUSE") return `Undefined function ${String(from.value)}`;
  const source = from.value === undefined ? "<nil>" : shown(from.kind, from.value);
  return `Cannot transition token types from ${from.kind} [${source}] to ${to.kind} [${shown(to.kind, to.value)}]`;
}

/** An accessor is a list of names in Go. */
function shown(kind: WhenKind, value: WhenTokenValue): string {
  return kind === "ACCESSOR" ? `[${String(value).replaceAll(".", " ")}]` : printWhenValue(value);
}

/** A constant pattern is compiled before anything is worked out. */
function patternProblem(tokens: readonly WhenToken[]): string | undefined {
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== "COMPARATOR" || (token.value !== "=~" && token.value !== "!~")) continue;
    const pattern = tokens[index + 1];
    if (pattern?.kind !== "STRING") continue;
    const compiled = compileRegex(String(pattern.value));
    if (!compiled.ok) return compiled.error;
  }
  return undefined;
}
