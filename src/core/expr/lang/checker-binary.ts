/** Which types an operator with two sides accepts, and what comes of them. */

import { goNameOf } from "../builtins/row.js";
import type { StaticType } from "../values/value.js";
import type { BinaryNode, ExprNode } from "./ast.js";

/** As errors show a type. */
export function printType(type: StaticType): string {
  return type === "unknown" ? "unknown" : goNameOf(type);
}

export type BinaryCheck = { readonly type: StaticType } | { readonly problem: string } | undefined;

/** Operators whose result is always a float. */
const QUOTIENTS: ReadonlySet<string> = new Set(["/", "**", "^"]);
const NUMBERS = ["int", "float"] as const;
const ORDERED = ["int", "float", "string", "time", "duration"] as const;

/** Undefined when the types do not go together. */
export function checkBinary(node: BinaryNode, left: StaticType, right: StaticType): BinaryCheck {
  const rule = rules[node.operator];
  return rule === undefined ? checkArithmetic(node.operator, left, right) : rule(left, right, node.right);
}

type Rule = (left: StaticType, right: StaticType, rightNode: ExprNode) => BinaryCheck;

/** Both sides must be of these types, as far as they are known. */
function sides(allowed: readonly StaticType[], result: StaticType): Rule {
  return (left, right) => (both(left, right, allowed) ? { type: result } : undefined);
}

const equality: Rule = (left, right) => (comparable(left, right) ? { type: "bool" } : undefined);
const order: Rule = (left, right) =>
  both(left, right, ORDERED) && sameFamily(left, right) ? { type: "bool" } : undefined;
const logic = sides(["bool"], "bool");
const texts = sides(["string"], "bool");

const rules: Readonly<Record<string, Rule>> = {
  "==": equality,
  "!=": equality,
  "&&": logic,
  "||": logic,
  and: logic,
  or: logic,
  "<": order,
  "<=": order,
  ">": order,
  ">=": order,
  in: (left, right, list) => checkIn(list, left, right),
  matches: texts,
  contains: texts,
  startsWith: texts,
  endsWith: texts,
  "..": sides(["int"], "array"),
  "??": (left, right) => ({ type: coalesced(left, right) }),
};

function both(left: StaticType, right: StaticType, allowed: readonly StaticType[]): boolean {
  return [left, right].every((type) => type === "unknown" || allowed.includes(type));
}

function isNumber(type: StaticType): boolean {
  return type === "int" || type === "float";
}

function sameFamily(left: StaticType, right: StaticType): boolean {
  return left === "unknown" || right === "unknown" || left === right || (isNumber(left) && isNumber(right));
}

function comparable(left: StaticType, right: StaticType): boolean {
  return sameFamily(left, right) || left === "nil" || right === "nil";
}

function coalesced(left: StaticType, right: StaticType): StaticType {
  if (left === "nil") return right;
  return right === "nil" || left === right ? left : "unknown";
}

function checkIn(list: ExprNode, left: StaticType, right: StaticType): BinaryCheck {
  if (right === "map") {
    if (left === "unknown" || left === "string" || left === "nil") return { type: "bool" };
    return { problem: `cannot use ${printType(left)} as type string in map key` };
  }
  if (right === "array") {
    const element = elementType(list);
    if (comparable(left, element)) return { type: "bool" };
    return { problem: `cannot use ${printType(left)} as type ${printType(element)} in array` };
  }
  return right === "unknown" || (left === "unknown" && right === "string") ? { type: "bool" } : undefined;
}

/** The one type that all elements of a literal list have. */
function elementType(list: ExprNode): StaticType {
  if (list.kind === "binary" && list.operator === "..") return "int";
  if (list.kind !== "array") return "unknown";
  const types = new Set(list.elements.map(literalType));
  const [only = "unknown"] = types;
  return types.size === 1 ? only : "unknown";
}

function literalType(node: ExprNode): StaticType {
  switch (node.kind) {
    case "integer":
      return "int";
    case "float":
      return "float";
    case "string":
      return "string";
    case "boolean":
      return "bool";
    default:
      return "unknown";
  }
}

function checkArithmetic(operator: string, left: StaticType, right: StaticType): BinaryCheck {
  if (isNumber(left) && isNumber(right)) return numeric(operator, left, right);
  const known = table[operator]?.find(([a, b]) => a === left && b === right);
  if (known !== undefined) return { type: known[2] };
  return left === "unknown" || right === "unknown" ? besideUnknown(operator, [left, right]) : undefined;
}

function besideUnknown(operator: string, sidesGiven: readonly StaticType[]): BinaryCheck {
  const known = sidesGiven.find((type) => type !== "unknown");
  if (known !== undefined && open[operator]?.includes(known) !== true) return undefined;
  return { type: QUOTIENTS.has(operator) ? "float" : "unknown" };
}

function numeric(operator: string, left: StaticType, right: StaticType): BinaryCheck {
  const areIntegers = left === "int" && right === "int";
  if (operator === "%") return areIntegers ? { type: "int" } : undefined;
  if (QUOTIENTS.has(operator)) return { type: "float" };
  return { type: areIntegers ? "int" : "float" };
}

type Row = readonly [left: StaticType, right: StaticType, result: StaticType];

const table: Readonly<Record<string, readonly Row[]>> = {
  "+": [
    ["string", "string", "string"],
    ["time", "duration", "time"],
    ["duration", "time", "time"],
    ["duration", "duration", "duration"],
  ],
  "-": [
    ["time", "time", "duration"],
    ["time", "duration", "time"],
    ["duration", "duration", "duration"],
  ],
  "*": [
    ["int", "duration", "duration"],
    ["float", "duration", "duration"],
    ["duration", "int", "duration"],
    ["duration", "float", "duration"],
  ],
};

/** What may stand beside a value whose type is not known. */
const open: Readonly<Record<string, readonly StaticType[]>> = {
  "+": ["int", "float", "string", "time", "duration"],
  "-": ["int", "float", "time", "duration"],
  "*": ["int", "float", "duration"],
  "/": NUMBERS,
  "**": NUMBERS,
  "^": NUMBERS,
  "%": ["int"],
};
