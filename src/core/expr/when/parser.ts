/** Puts the tokens of a `when` into a tree, by the precedence of their operators. */

import type { WhenKind, WhenToken } from "./tokens.js";

export type WhenNode =
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "clause"; readonly inner: WhenNode | undefined }
  | { readonly kind: "prefix"; readonly operator: string; readonly operand: WhenNode | undefined }
  | WhenBinary;

export interface WhenBinary {
  readonly kind: "binary";
  readonly level: WhenLevel;
  readonly operator: string;
  readonly left: WhenNode | undefined;
  readonly right: WhenNode | undefined;
}

export type WhenLevel = "separator" | "ternary" | "logical" | "comparator" | "modifier";

interface Level {
  readonly level: WhenLevel;
  readonly kind: WhenKind;
  readonly operators: ReadonlySet<string>;
}

function level(name: WhenLevel, kind: WhenKind, ...operators: readonly string[]): Level {
  return { level: name, kind, operators: new Set(operators) };
}

/** Loosest first; all are left-associative. */
const LEVELS: readonly Level[] = [
  level("separator", "SEPARATOR", ","),
  level("ternary", "TERNARY", "?", ":", "??"),
  level("logical", "LOGICALOP", "||"),
  level("logical", "LOGICALOP", "&&"),
  level("comparator", "COMPARATOR", "==", "!=", ">", ">=", "<", "<=", "=~", "!~", "in"),
  level("modifier", "MODIFIER", "&", "|", "^"),
  level("modifier", "MODIFIER", "<<", ">>"),
  level("modifier", "MODIFIER", "+", "-"),
  level("modifier", "MODIFIER", "*", "/", "%"),
  level("modifier", "MODIFIER", "**"),
];

interface Cursor {
  readonly tokens: readonly WhenToken[];
  at: number;
}

/** Undefined stands for "nothing", as between `()`. What follows a complete expression is ignored, as in Argo. */
export function parseWhen(tokens: readonly WhenToken[]): WhenNode | undefined {
  return parseLevel({ tokens, at: 0 }, 0);
}

function parseLevel(cursor: Cursor, index: number): WhenNode | undefined {
  const current = LEVELS[index];
  if (current === undefined) return parseValue(cursor);
  let left = parseLevel(cursor, index + 1);
  for (;;) {
    const token = cursor.tokens[cursor.at];
    if (token?.kind !== current.kind || typeof token.value !== "string" || !current.operators.has(token.value)) {
      return left;
    }
    cursor.at++;
    const right = parseLevel(cursor, index + 1);
    left = { kind: "binary", level: current.level, operator: token.value, left, right };
  }
}

function parseValue(cursor: Cursor): WhenNode | undefined {
  const token = cursor.tokens[cursor.at];
  switch (token?.kind) {
    case undefined:
    case "CLAUSE_CLOSE":
      return undefined;
    case "CLAUSE": {
      cursor.at++;
      const inner = parseLevel(cursor, 0);
      cursor.at++;
      return { kind: "clause", inner };
    }
    case "PREFIX":
      cursor.at++;
      return { kind: "prefix", operator: String(token.value), operand: parseValue(cursor) };
    case "ACCESSOR":
      cursor.at++;
      return { kind: "variable", name: String(token.value) };
    default:
      cursor.at++;
      return token === undefined ? undefined : { kind: "literal", value: token.value };
  }
}
