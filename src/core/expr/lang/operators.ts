/** Precedence and direction of operators; higher binds tighter. */

export interface OperatorRow {
  readonly precedence: number;
  readonly rightAssociative: boolean;
}

function row(precedence: number): OperatorRow {
  return { precedence, rightAssociative: false };
}

export const unaryOperators: ReadonlyMap<string, number> = new Map([
  ["not", 50],
  ["!", 50],
  ["-", 90],
  ["+", 90],
]);

export const binaryOperators: ReadonlyMap<string, OperatorRow> = new Map([
  ["|", row(0)],
  ["or", row(10)],
  ["||", row(10)],
  ["and", row(15)],
  ["&&", row(15)],
  ["==", row(20)],
  ["!=", row(20)],
  ["<", row(20)],
  [">", row(20)],
  [">=", row(20)],
  ["<=", row(20)],
  ["in", row(20)],
  ["matches", row(20)],
  ["contains", row(20)],
  ["startsWith", row(20)],
  ["endsWith", row(20)],
  ["..", row(25)],
  ["+", row(30)],
  ["-", row(30)],
  ["*", row(60)],
  ["/", row(60)],
  ["%", row(60)],
  ["**", { precedence: 100, rightAssociative: true }],
  ["^", { precedence: 100, rightAssociative: true }],
  ["??", row(500)],
]);

/** May follow `not`: `a not in b`. */
export const negatable: ReadonlySet<string> = new Set(["contains", "matches", "startsWith", "endsWith", "in"]);

/** May be chained: `1 < x < 5`. */
export const chainable: ReadonlySet<string> = new Set(["<", ">", ">=", "<="]);

/** Builtins that take a predicate, with what each argument is; `?` may be left out. */
export const predicateBuiltins: ReadonlyMap<string, readonly ArgumentShape[]> = new Map([
  ["all", ["value", "predicate"]],
  ["none", ["value", "predicate"]],
  ["any", ["value", "predicate"]],
  ["one", ["value", "predicate"]],
  ["filter", ["value", "predicate"]],
  ["map", ["value", "predicate"]],
  ["count", ["value", "predicate?"]],
  ["sum", ["value", "predicate?"]],
  ["find", ["value", "predicate"]],
  ["findIndex", ["value", "predicate"]],
  ["findLast", ["value", "predicate"]],
  ["findLastIndex", ["value", "predicate"]],
  ["groupBy", ["value", "predicate"]],
  ["sortBy", ["value", "predicate", "value?"]],
  ["reduce", ["value", "predicate", "value?"]],
] satisfies readonly (readonly [string, readonly ArgumentShape[]])[]);

export type ArgumentShape = "value" | "value?" | "predicate" | "predicate?";
