/** Works out a parsed `when`: numbers are floats, everything else is text or boolean. */

import { formatFloat } from "../../std/go-format.js";
import { compareUtf8, holdsOfOrder } from "../../std/order.js";
import { err, ok, type Result } from "../../std/result.js";
import { compileRegex } from "../regex.js";
import type { WhenBinary, WhenNode } from "./parser.js";

/** `null` is Go's nil: what `false ? x` and `()` give. */
export type WhenValue = string | number | boolean | null | readonly WhenValue[];

/** As Go prints it with %v. */
export function printWhenValue(value: WhenValue): string {
  if (value === null) return "<nil>";
  if (typeof value === "number") return formatFloat(value);
  return typeof value === "object" ? `[${value.map(printWhenValue).join(" ")}]` : String(value);
}

export function evaluateWhenNode(node: WhenNode | undefined): Result<WhenValue> {
  switch (node?.kind) {
    case undefined:
      return ok(null);
    case "literal":
      return ok(node.value);
    case "variable":
      return err(`No parameter '${node.name.split(".")[0] ?? ""}' found.`);
    case "clause":
      return evaluateWhenNode(node.inner);
    case "prefix":
      return evaluatePrefix(node.operator, node.operand);
    case "binary":
      return evaluateBinary(node);
  }
}

function evaluatePrefix(operator: string, node: WhenNode | undefined): Result<WhenValue> {
  const operand = evaluateWhenNode(node);
  if (!operand.ok) return operand;
  const { value } = operand;
  if (operator === "!" && typeof value === "boolean") return ok(!value);
  if (operator === "-" && typeof value === "number") return ok(-value);
  if (operator === "~" && typeof value === "number") return ok(Number(~toInt64(value)));
  return err(`Value '${printWhenValue(value)}' cannot be used with the prefix '${operator}'`);
}

function evaluateBinary(node: WhenBinary): Result<WhenValue> {
  const left = evaluateWhenNode(node.left);
  if (!left.ok) return left;
  const early = shortCircuit(node.operator, left.value);
  if (early !== undefined) return ok(early);
  const skipRight = (node.operator === "?" && left.value === false) || (node.operator === ":" && left.value !== null);
  const right = skipRight ? ok(null) : evaluateWhenNode(node.right);
  return right.ok ? apply(node, left.value, right.value) : right;
}

function shortCircuit(operator: string, left: WhenValue): WhenValue | undefined {
  if (operator === "&&" && left === false) return false;
  if (operator === "||" && left === true) return true;
  return operator === "??" && left !== null ? left : undefined;
}

function apply(node: WhenBinary, left: WhenValue, right: WhenValue): Result<WhenValue> {
  switch (node.level) {
    case "separator":
      return ok(Array.isArray(left) ? [...left, right] : [left, right]);
    case "ternary":
      return applyTernary(node.operator, left, right);
    case "logical":
      return applyLogical(node.operator, left, right);
    case "comparator":
      return applyComparator(node.operator, left, right);
    case "modifier":
      return applyModifier(node.operator, left, right);
  }
}

function applyTernary(operator: string, left: WhenValue, right: WhenValue): Result<WhenValue> {
  if (operator !== "?") return ok(left ?? right);
  if (typeof left === "boolean") return ok(left ? right : null);
  return err(`Value '${printWhenValue(left)}' cannot be used with the ternary operator '?', it is not a bool`);
}

function applyLogical(operator: string, left: WhenValue, right: WhenValue): Result<WhenValue> {
  for (const value of [left, right]) {
    if (typeof value !== "boolean") {
      const shown = printWhenValue(value);
      return err(`Value '${shown}' cannot be used with the logical operator '${operator}', it is not a bool`);
    }
  }
  return ok(operator === "&&" ? left === true && right === true : left === true || right === true);
}

function applyComparator(operator: string, left: WhenValue, right: WhenValue): Result<WhenValue> {
  switch (operator) {
    case "==":
      return ok(equal(left, right));
    case "!=":
      return ok(!equal(left, right));
    case "in":
      if (!Array.isArray(right)) return notComparable(right, operator);
      return ok(right.some((element: WhenValue) => equal(left, element)));
    case "=~":
    case "!~":
      return applyRegex(operator, left, right);
    default:
      return applyOrder(operator, left, right);
  }
}

function applyRegex(operator: string, left: WhenValue, right: WhenValue): Result<WhenValue> {
  if (typeof left !== "string") return notComparable(left, operator);
  if (typeof right !== "string") return notComparable(right, operator);
  const pattern = compileRegex(right);
  if (!pattern.ok) return err(`Unable to compile regexp pattern '${right}': ${pattern.error}`);
  return ok(pattern.value.test(left) === (operator === "=~"));
}

function applyOrder(operator: string, left: WhenValue, right: WhenValue): Result<WhenValue> {
  if (typeof left === "string" && typeof right === "string")
    return ok(holdsOfOrder(operator, compareUtf8(left, right)));
  if (typeof left === "number" && typeof right === "number") return ok(holdsOfOrder(operator, left - right));
  return notComparable(left, operator);
}

function notComparable(value: WhenValue, operator: string): Result<WhenValue> {
  return err(`Value '${printWhenValue(value)}' cannot be used with the comparator '${operator}', it is not a number`);
}

function equal(left: WhenValue, right: WhenValue): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return (
      left.length === right.length && left.every((element: WhenValue, index) => equal(element, right[index] ?? null))
    );
  }
  return left === right;
}

function applyModifier(operator: string, left: WhenValue, right: WhenValue): Result<WhenValue> {
  if (operator === "+" && (typeof left === "string" || typeof right === "string")) {
    return ok(printWhenValue(left) + printWhenValue(right));
  }
  const culprit = operator === "+" || typeof left !== "number" ? left : right;
  if (typeof left !== "number" || typeof right !== "number") {
    return err(`Value '${printWhenValue(culprit)}' cannot be used with the modifier '${operator}', it is not a number`);
  }
  return ok(arithmetic[operator]?.(left, right) ?? Number.NaN);
}

const arithmetic: Readonly<Record<string, (left: number, right: number) => number>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
  "%": (left, right) => left % right,
  "**": (left, right) => left ** right,
  "&": (left, right) => Number(toInt64(left) & toInt64(right)),
  "|": (left, right) => Number(toInt64(left) | toInt64(right)),
  "^": (left, right) => Number(toInt64(left) ^ toInt64(right)),
  "<<": (left, right) => shift(left, right, (value, by) => value << by),
  ">>": (left, right) => shift(left, right, (value, by) => value >> by),
};

function toInt64(value: number): bigint {
  return Number.isFinite(value) ? BigInt.asIntN(64, BigInt(Math.trunc(value))) : 0n;
}

/** Unsigned, and everything is shifted out beyond 63 places, as in Go. */
function shift(left: number, right: number, operation: (value: bigint, by: bigint) => bigint): number {
  const by = BigInt.asUintN(64, toInt64(right));
  if (by > 63n) return 0;
  return Number(BigInt.asUintN(64, operation(BigInt.asUintN(64, toInt64(left)), by)));
}
