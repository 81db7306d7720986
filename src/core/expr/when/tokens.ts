/** The tokens of `when`, and which kind may follow which (Argo 4.1 behaviour 3.9). */

export type WhenKind =
  | "UNKNOWN"
  | "PREFIX"
  | "NUMERIC"
  | "BOOLEAN"
  | "STRING"
  | "PATTERN"
  | "TIME"
  | "VARIABLE"
  | "ACCESSOR"
  | "SEPARATOR"
  | "COMPARATOR"
  | "LOGICALOP"
  | "MODIFIER"
  | "CLAUSE"
  | "CLAUSE_CLOSE"
  | "TERNARY";

export interface WhenToken {
  readonly kind: WhenKind;
  readonly value: WhenTokenValue;
}

/** A number for NUMERIC and TIME (Unix seconds); the code point for brackets, as they are shown in errors. */
export type WhenTokenValue = string | number | boolean;

interface TokenRule {
  /** The expression may end after it. */
  readonly mayEnd: boolean;
  readonly next: ReadonlySet<WhenKind>;
}

function rule(mayEnd: boolean, ...next: readonly WhenKind[]): TokenRule {
  return { mayEnd, next: new Set(next) };
}

const OPERATORS = ["MODIFIER", "COMPARATOR", "LOGICALOP", "CLAUSE_CLOSE", "SEPARATOR"] as const;
const AFTER_VALUE = rule(true, ...OPERATORS, "TERNARY");
const OPERANDS = ["PREFIX", "NUMERIC", "BOOLEAN", "VARIABLE", "ACCESSOR", "STRING", "CLAUSE"] as const;

/** The grammar is a table of what may follow what; everything else is "Cannot transition token types". */
export const tokenRules: Readonly<Record<WhenKind, TokenRule>> = {
  UNKNOWN: rule(false, ...OPERANDS, "TIME", "PATTERN"),
  CLAUSE: rule(false, ...OPERANDS, "TIME", "PATTERN", "CLAUSE_CLOSE"),
  CLAUSE_CLOSE: rule(
    true,
    ...OPERATORS,
    "TERNARY",
    "NUMERIC",
    "BOOLEAN",
    "VARIABLE",
    "STRING",
    "PATTERN",
    "TIME",
    "CLAUSE",
  ),
  NUMERIC: AFTER_VALUE,
  BOOLEAN: AFTER_VALUE,
  STRING: AFTER_VALUE,
  VARIABLE: AFTER_VALUE,
  ACCESSOR: rule(true, ...OPERATORS, "TERNARY", "CLAUSE"),
  TIME: rule(true, ...OPERATORS),
  PATTERN: rule(true, ...OPERATORS),
  MODIFIER: rule(false, ...OPERANDS, "CLAUSE_CLOSE"),
  COMPARATOR: rule(false, ...OPERANDS, "TIME", "PATTERN", "CLAUSE_CLOSE"),
  LOGICALOP: rule(false, ...OPERANDS, "TIME", "CLAUSE_CLOSE"),
  // A word becomes a string only after this check was made once: `!word` is refused the second time.
  PREFIX: rule(false, "NUMERIC", "BOOLEAN", "VARIABLE", "ACCESSOR", "CLAUSE", "CLAUSE_CLOSE"),
  TERNARY: rule(false, ...OPERANDS, "TIME", "SEPARATOR"),
  SEPARATOR: rule(false, ...OPERANDS, "TIME"),
};

export const comparators: ReadonlySet<string> = new Set(["==", "!=", ">", ">=", "<", "<=", "=~", "!~", "in"]);
export const logicals: ReadonlySet<string> = new Set(["&&", "||"]);
export const prefixes: ReadonlySet<string> = new Set(["-", "!", "~"]);
export const ternaries: ReadonlySet<string> = new Set(["?", ":", "??"]);
export const modifiers: ReadonlySet<string> = new Set(["+", "-", "*", "/", "%", "**", "&", "|", "^", ">>", "<<"]);
