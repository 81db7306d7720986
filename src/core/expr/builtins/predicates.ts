/** The builtins that look at each element of a list with a predicate. */

import { addValues, asBool, isKey, orderOf } from "../values/operations.js";
import { printValue } from "../values/print.js";
import { type ExprKey, type ExprValue, goTypeOf, ValueFault } from "../values/value.js";

export interface PredicateCall {
  readonly list: readonly ExprValue[];
  /** The third argument: order of `sortBy`, start of `reduce`. */
  readonly extra: ExprValue | undefined;
  /** The predicate, with what `#` (the empty name), `#index` and `#acc` stand for; undefined when left out. */
  readonly apply: ((pointers: ReadonlyMap<string, ExprValue>) => ExprValue) | undefined;
}

export type PredicateRow = (call: PredicateCall) => ExprValue;

function resultOf(call: PredicateCall, index: number): ExprValue {
  const element = call.list[index] ?? null;
  if (call.apply === undefined) return element;
  return call.apply(
    new Map<string, ExprValue>([
      ["", element],
      ["index", BigInt(index)],
    ]),
  );
}

function holds(call: PredicateCall, index: number): boolean {
  return asBool(resultOf(call, index));
}

function indexes(call: PredicateCall): readonly number[] {
  return [...call.list.keys()];
}

function find(call: PredicateCall, order: readonly number[]): number | undefined {
  return order.find((index) => holds(call, index));
}

function elementAt(call: PredicateCall, index: number | undefined): ExprValue {
  return index === undefined ? null : (call.list[index] ?? null);
}

function positionOf(index: number | undefined): ExprValue {
  return index === undefined ? null : BigInt(index);
}

function countOf(call: PredicateCall): number {
  return indexes(call).filter((index) => holds(call, index)).length;
}

export const predicateRows: ReadonlyMap<string, PredicateRow> = new Map<string, PredicateRow>([
  ["all", (call) => indexes(call).every((index) => holds(call, index))],
  ["none", (call) => !indexes(call).some((index) => holds(call, index))],
  ["any", (call) => indexes(call).some((index) => holds(call, index))],
  ["one", (call) => countOf(call) === 1],
  ["filter", (call) => call.list.filter((_element, index) => holds(call, index))],
  ["map", (call) => indexes(call).map((index) => resultOf(call, index))],
  ["count", (call) => BigInt(countOf(call))],
  ["sum", (call) => indexes(call).reduce<ExprValue>((sum, index) => addValues(sum, resultOf(call, index)), 0n)],
  ["find", (call) => elementAt(call, find(call, indexes(call)))],
  ["findIndex", (call) => positionOf(find(call, indexes(call)))],
  ["findLast", (call) => elementAt(call, find(call, indexes(call).toReversed()))],
  ["findLastIndex", (call) => positionOf(find(call, indexes(call).toReversed()))],
  ["groupBy", groupBy],
  ["sortBy", sortBy],
  ["reduce", reduce],
]);

function groupBy(call: PredicateCall): ExprValue {
  const groups = new Map<ExprKey, ExprValue[]>();
  for (const index of indexes(call)) {
    const key = resultOf(call, index);
    if (!isKey(key)) throw new ValueFault(`runtime error: hash of unhashable type ${goTypeOf(key)}`);
    const group = groups.get(key);
    const element = call.list[index] ?? null;
    if (group === undefined) groups.set(key, [element]);
    else group.push(element);
  }
  return groups;
}

function sortBy(call: PredicateCall): ExprValue {
  const direction = directionOf(call.extra);
  const keyed = indexes(call).map((index) => ({ key: resultOf(call, index), element: call.list[index] ?? null }));
  keyed.sort((left, right) => direction * comparable(left.key, right.key));
  return keyed.map(({ element }) => element);
}

/** 1 for `asc`, which is the default, -1 for `desc`. */
export function directionOf(order: ExprValue | undefined): 1 | -1 {
  if (order === undefined || order === "asc") return 1;
  if (order === "desc") return -1;
  throw new ValueFault(`invalid order ${printValue(order)}, expected asc or desc`);
}

export function comparable(left: ExprValue, right: ExprValue): number {
  const order = orderOf(left, right);
  if (order !== undefined) return order;
  throw new ValueFault(`invalid operation: ${goTypeOf(left)} < ${goTypeOf(right)}`);
}

function reduce(call: PredicateCall): ExprValue {
  let from = 0;
  let accumulated: ExprValue | undefined = call.extra;
  if (accumulated === undefined) {
    if (call.list.length === 0) throw new ValueFault("reduce of empty array with no initial value");
    accumulated = call.list[0] ?? null;
    from = 1;
  }
  for (const [index, element] of call.list.entries()) {
    if (index < from) continue;
    const pointers: ReadonlyMap<string, ExprValue> = new Map<string, ExprValue>([
      ["", element],
      ["index", BigInt(index)],
      ["acc", accumulated],
    ]);
    accumulated = call.apply?.(pointers) ?? null;
  }
  return accumulated;
}
