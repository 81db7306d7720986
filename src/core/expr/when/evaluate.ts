/** Works out a parsed `when`: numbers are floats, everything else is text or boolean. */

import { formatFloat } from "../../std/go-format.js";
import { compareUtf8, holdsOfOrder } from "../../std/order.js";
import { err, ok, type Result } from "../../std/result.js";
import { compileRegex } from "../regex.js";
import type { WhenBinary, WhenLevel, WhenNode } from "./parser.js";

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

/** Operators one after the other stand down the left side: one by one, for there may be more of them than a stack holds. */
function evaluateBinary(node: WhenBinary): Result<WhenValue> {
  const spine: WhenBinary[] = [node];
  let first = node.left;
  for (; first?.kind === "binary"; first = first.left) spine.push(first);
  let value = evaluateWhenNode(first);
  const list = new ListInMaking();
  for (let binary = spine.pop(); binary !== undefined && value.ok; binary = spine.pop()) {
    value = evaluateRight(binary, value.value, list);
  }
  return value;
}

/** A list grows by one element at a time, and may be long: what it has is not copied each time. */
class ListInMaking {
  #elements: WhenValue[] = [];

  append(list: WhenValue, element: WhenValue): readonly WhenValue[] {
    if (list !== this.#elements) this.#elements = Array.isArray(list) ? [...list] : [list];
    this.#elements.push(element);
    return this.#elements;
  }
}

function evaluateRight(node: WhenBinary, left: WhenValue, list: ListInMaking): Result<WhenValue> {
  const early = shortCircuit(node.operator, left);
  if (early !== undefined) return ok(early);
  const skipRight = (node.operator === "?" && left === false) || (node.operator === ":" && left !== null);
  const right = skipRight ? ok(null) : evaluateWhenNode(node.right);
  if (!right.ok) return right;
  return node.level === "separator"
    ? ok(list.append(left, right.value))
    : apply(node.level, node.operator, left, right.value);
}

function shortCircuit(operator: string, left: WhenValue): WhenValue | undefined {
  if (operator === "&&" && left === false) return false;
  if (operator === "||" && left === true) return true;
  return operator === "??" && left !== null ? left : undefined;
}

type Applied = Exclude<WhenLevel, "separator">;

function apply(level: Applied, operator: string, left: WhenValue, right: WhenValue): Result<WhenValue> {
  switch (level) {
    case "ternary":
      return applyTernary(operator, left, right);
    case "logical":
      return applyLogical(operator, left, right);
    case "comparator":
      return applyComparator(operator, left, right);
    case "modifier":
      return applyModifier(operator, left, right);
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
  if (typeof left === "number" && typeof right === "number")
    return ok(holdsOfOrder(operator, left === right ? 0 : left - right));
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
