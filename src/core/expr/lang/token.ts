/** The tokens of the expression language. */

export type TokenKind = "Identifier" | "Number" | "String" | "Operator" | "Bracket" | "EOF";

export interface Token {
  readonly kind: TokenKind;
  /** Of a string: its value, without quotes and escapes. */
  readonly value: string;
  /** In UTF-16 units. */
  readonly offset: number;
}

/** As errors name it: `Operator(":")`, `EOF`. */
export function printToken(token: Token): string {
  return token.value === "" ? token.kind : `${token.kind}(${quoteValue(token.value)})`;
}

function quoteValue(value: string): string {
  return `"${value.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`;
}

export function isOperator(token: Token, value: string): boolean {
  return token.kind === "Operator" && token.value === value;
}

export function isBracket(token: Token, value: string): boolean {
  return token.kind === "Bracket" && token.value === value;
}
