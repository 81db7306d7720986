/** Works out a tree; bounded in steps and in what it builds. */

import { createPrng, type Prng } from "../../std/prng.js";
import { err, ok, type Result } from "../../std/result.js";
import { predicateRows } from "../builtins/predicates.js";
import { builtinRows } from "../builtins/table.js";
import { compileRegex } from "../regex.js";
import type { ExprContext } from "../scope.js";
import { methodOf } from "../values/methods.js";
import {
  addValues,
  asBool,
  compareValues,
  contains,
  divideValues,
  equalValues,
  fetchValue,
  multiplyValues,
  negated,
  notOfType,
  powerOf,
  remainderOf,
  sliceValue,
  subtractValues,
  toInt,
} from "../values/operations.js";
import {
  type CallContext,
  type ExprKey,
  type ExprValue,
  goTypeOf,
  isFunction,
  isList,
  ValueFault,
} from "../values/value.js";
import { costOfMaking, costOfMatching, costOfReading } from "../values/weight.js";
import {
  type BinaryNode,
  type BuiltinNode,
  type CallNode,
  type ConditionalNode,
  type ExprNode,
  type MapNode,
  type MemberNode,
  type NodeTable,
  type SliceNode,
  spineOf,
  type UnaryNode,
  visitNode,
} from "./ast.js";
import { type Fault, FaultSignal } from "./error.js";

/** Names and their values. */
export type Lookup = (name: string) => ExprValue | undefined;

const MAX_STEPS = 2_000_000;
const MAX_RANGE = 1_000_000;

/** What is around a node while it is worked out. */
interface Frame {
  readonly lookup: Lookup;
  readonly call: CallContext;
  /** Names of `let`, the nearest first. */
  readonly locals: Local | undefined;
  /** `#` and its like; the nearest predicate only. */
  readonly pointers: ReadonlyMap<string, ExprValue>;
}

interface Local {
  readonly name: string;
  readonly value: ExprValue;
  readonly outer: Local | undefined;
}

/** A `?.` met nil: the rest of the chain is left out. */
const SKIPPED = Symbol("skipped");

export function evaluateTree(root: ExprNode, lookup: Lookup, context: ExprContext): Result<ExprValue, Fault> {
  try {
    const frame = { lookup, call: createCallContext(context), locals: undefined, pointers: new Map() };
    return ok(evaluate(root, frame));
  } catch (signal) {
    if (signal instanceof FaultSignal) return err(signal.fault);
    // A text longer than the machine's: whoever makes one asks before, and this is for whoever does not.
    if (signal instanceof RangeError)
      return err({ kind: "run", reason: "memory budget exceeded", offset: root.offset });
    throw signal;
  }
}

function createCallContext(context: ExprContext): CallContext {
  let prng: Prng | undefined;
  let spent = 0;
  return {
    now: context.now,
    random: () => {
      prng ??= createPrng(context.seed);
      return prng;
    },
    spend: (amount) => {
      spent += amount;
      if (spent > MAX_STEPS) throw new ValueFault("memory budget exceeded");
    },
  };
}

/** Runs an operation; a value that does not fit becomes a fault at the node. */
function at<T>(node: ExprNode, operation: () => T): T {
  try {
    return operation();
  } catch (cause) {
    if (cause instanceof ValueFault) {
      throw new FaultSignal({ kind: "run", reason: cause.message, offset: node.offset });
    }
    throw cause;
  }
}

function evaluate(node: ExprNode, frame: Frame): ExprValue {
  const value = evaluateStep(node, frame);
  return value === SKIPPED ? null : value;
}

function evaluateStep(node: ExprNode, frame: Frame): ExprValue | typeof SKIPPED {
  at(node, () => frame.call.spend(1));
  const value = visitNode(evaluators, node, frame);
  if (value !== SKIPPED && MAKERS.has(node.kind)) at(node, () => frame.call.spend(costOfMaking(value)));
  return value;
}

/** Nodes whose value may be a new one; that of any other was there before. */
const MAKERS: ReadonlySet<ExprNode["kind"]> = new Set(["binary", "slice", "call", "builtin", "array", "map"]);

/** What looks at one element, however many there are. */
const GLANCES: ReadonlySet<string> = new Set([
  ...["first", "last", "get", "type"],
  ...["first", "last", "get", "hasKey", "dig", "default", "coalesce", "ternary"].map((name) => `sprig.${name}`),
]);

const evaluators: NodeTable<Frame, ExprValue | typeof SKIPPED> = {
  nil: () => null,
  boolean: (node) => node.value,
  integer: (node) => node.value,
  float: (node) => node.value,
  string: (node) => node.value,
  identifier: (node, frame) => evaluateName(node.name, frame),
  pointer: (node, frame) => frame.pointers.get(node.name) ?? null,
  unary: evaluateUnary,
  binary: evaluateBinary,
  member: evaluateMember,
  chain: (node, frame) => evaluate(node.inner, frame),
  slice: evaluateSlice,
  call: evaluateCall,
  builtin: evaluateBuiltin,
  predicate: (node, frame) => evaluate(node.body, frame),
  conditional: evaluateConditional,
  let: (node, frame) => evaluate(node.body, bind(frame, node.name, evaluate(node.value, frame))),
  sequence: (node, frame) => node.nodes.reduce<ExprValue>((_previous, inner) => evaluate(inner, frame), null),
  array: (node, frame) => node.elements.map((element) => evaluate(element, frame)),
  map: evaluateMap,
};

function bind(frame: Frame, name: string, value: ExprValue): Frame {
  return { ...frame, locals: { name, value, outer: frame.locals } };
}

function evaluateName(name: string, frame: Frame): ExprValue {
  for (let local = frame.locals; local !== undefined; local = local.outer) {
    if (local.name === name) return local.value;
  }
  return frame.lookup(name) ?? null;
}

function evaluateMember(node: MemberNode, frame: Frame): ExprValue | typeof SKIPPED {
  const base = evaluateStep(node.base, frame);
  if (base === SKIPPED) return SKIPPED;
  if (node.base.kind === "identifier" && node.base.name === "$env") {
    return evaluateName(String(evaluate(node.property, frame)), frame);
  }
  if (node.optional && base === null) return SKIPPED;
  const key = evaluate(node.property, frame);
  return (
    methodOf(base, key) ??
    at(node, () => {
      if (typeof base === "string") frame.call.spend(costOfReading([base]));
      return fetchValue(base, key);
    })
  );
}

function evaluateCall(node: CallNode, frame: Frame): ExprValue | typeof SKIPPED {
  const callee = evaluateStep(node.callee, frame);
  if (callee === SKIPPED) return SKIPPED;
  const args = node.args.map((argument) => evaluate(argument, frame));
  return at(node, () => {
    if (!isFunction(callee) || !GLANCES.has(callee.name)) frame.call.spend(costOfReading(args));
    if (isFunction(callee)) return callee.call(args, frame.call);
    throw new ValueFault(callee === null ? "cannot call nil" : `cannot call non-function ${goTypeOf(callee)}`);
  });
}

function evaluateUnary(node: UnaryNode, frame: Frame): ExprValue {
  const operand = evaluate(node.operand, frame);
  return at(node, () => {
    if (node.operator === "-") return negated(operand);
    return node.operator === "+" ? operand : !asBool(operand);
  });
}

function evaluateBinary(node: BinaryNode, frame: Frame): ExprValue {
  const { first, binaries } = spineOf(node);
  let value = evaluate(first, frame);
  for (const binary of binaries) {
    const left = value;
    const made = evaluateRight(binary, left, frame);
    if (binary !== node) at(binary, () => frame.call.spend(1 + costOfMaking(made)));
    value = made;
  }
  return value;
}

function evaluateRight(node: BinaryNode, left: ExprValue, frame: Frame): ExprValue {
  switch (node.operator) {
    case "&&":
    case "and":
      return at(node, () => asBool(left)) && evaluate(node.right, frame);
    case "||":
    case "or":
      return at(node, () => asBool(left)) || evaluate(node.right, frame);
    case "??":
      return left ?? evaluate(node.right, frame);
    default: {
      const right = evaluate(node.right, frame);
      return at(node, () => {
        frame.call.spend(costOfReading([left, right]));
        return binaryRows[node.operator]?.(left, right, frame.call) ?? null;
      });
    }
  }
}

type BinaryOperation = (left: ExprValue, right: ExprValue, call: CallContext) => ExprValue;

const binaryRows: Readonly<Record<string, BinaryOperation>> = {
  "==": (left, right) => equalValues(left, right),
  "!=": (left, right) => !equalValues(left, right),
  "<": (left, right) => compareValues("<", left, right),
  "<=": (left, right) => compareValues("<=", left, right),
  ">": (left, right) => compareValues(">", left, right),
  ">=": (left, right) => compareValues(">=", left, right),
  "+": addValues,
  "-": subtractValues,
  "*": multiplyValues,
  "/": divideValues,
  "%": remainderOf,
  "**": powerOf,
  "^": powerOf,
  "..": rangeOf,
  in: (left, right) => contains(right, left),
  contains: onTexts((text, part) => text.includes(part)),
  startsWith: onTexts((text, part) => text.startsWith(part)),
  endsWith: onTexts((text, part) => text.endsWith(part)),
  matches: onTexts(matchesPattern),
};

/** Nil contains nothing and matches nothing. */
function onTexts(operation: (left: string, right: string, call: CallContext) => boolean): BinaryOperation {
  return (left, right, call) => {
    if (left === null || right === null) return false;
    if (typeof right !== "string") return notOfType(right, "string");
    return typeof left === "string" ? operation(left, right, call) : notOfType(left, "string");
  };
}

function matchesPattern(text: string, pattern: string, call: CallContext): boolean {
  call.spend(costOfMatching(text));
  const compiled = compileRegex(pattern);
  if (!compiled.ok) throw new ValueFault(compiled.error);
  return compiled.value.test(text);
}

function rangeOf(left: ExprValue, right: ExprValue, call: CallContext): ExprValue {
  const from = toInt(left);
  const size = Number(toInt(right) - from) + 1;
  if (size >= MAX_RANGE) throw new ValueFault("memory budget exceeded");
  call.spend(Math.max(size, 0));
  return Array.from({ length: Math.max(size, 0) }, (_unused, index) => from + BigInt(index));
}

function evaluateSlice(node: SliceNode, frame: Frame): ExprValue {
  const base = evaluate(node.base, frame);
  const to = node.to === undefined ? undefined : evaluate(node.to, frame);
  const from = node.from === undefined ? undefined : evaluate(node.from, frame);
  return at(node, () => {
    if (typeof base === "string") frame.call.spend(costOfReading([base]));
    return sliceValue(base, from, to);
  });
}

function evaluateConditional(node: ConditionalNode, frame: Frame): ExprValue {
  const condition = evaluate(node.condition, frame);
  return evaluate(at(node, () => asBool(condition)) ? node.whenTrue : node.whenFalse, frame);
}

function evaluateMap(node: MapNode, frame: Frame): ExprValue {
  const map = new Map<ExprKey, ExprValue>();
  for (const pair of node.pairs) {
    const key = evaluate(pair.key, frame);
    const value = evaluate(pair.value, frame);
    map.set(
      at(node, () => (typeof key === "string" ? key : notOfType(key, "string"))),
      value,
    );
  }
  return map;
}

function evaluateBuiltin(node: BuiltinNode, frame: Frame): ExprValue {
  const predicate = predicateRows.get(node.name);
  if (predicate === undefined) {
    const args = node.args.map((argument) => evaluate(argument, frame));
    return at(node, () => {
      if (!GLANCES.has(node.name)) frame.call.spend(costOfReading(args));
      return builtinRows.get(node.name)?.call(args, frame.call) ?? null;
    });
  }
  const [listNode, bodyNode, extraNode] = node.args;
  const list = listNode === undefined ? null : evaluate(listNode, frame);
  return at(node, () => {
    if (!isList(list)) return notACollection(list);
    frame.call.spend(list.length);
    return predicate({
      list,
      extra: extraNode === undefined ? undefined : evaluate(extraNode, frame),
      apply: bodyNode === undefined ? undefined : (pointers) => evaluate(bodyNode, { ...frame, pointers }),
    });
  });
}

function notACollection(value: ExprValue): never {
  if (value === null) throw new ValueFault("reflect: call of reflect.Value.Len on zero Value");
  throw new ValueFault(`reflect: call of reflect.Value.Index on ${goTypeOf(value).replace(/\[.*$/, "")} Value`);
}
