/** Finds before anything runs what can never work: unknown names, types that do not fit (expr-lang's checker). */

import { isBuiltin } from "../builtins/names.js";
import { goNameOf, type Overload, type ParameterType } from "../builtins/row.js";
import { builtinRows } from "../builtins/table.js";
import { compileRegex } from "../regex.js";
import { type ExprValue, isDuration, isFunction, isList, isMap, isTime, type StaticType } from "../values/value.js";
import {
  type BinaryNode,
  type BuiltinNode,
  type CallNode,
  type ConditionalNode,
  type ExprNode,
  type IdentifierNode,
  type LetNode,
  type MemberNode,
  type NodeTable,
  type PointerNode,
  type SliceNode,
  spineOf,
  type UnaryNode,
  visitNode,
} from "./ast.js";
import { checkBinary, printType } from "./checker-binary.js";
import { type Fault, FaultSignal } from "./error.js";
import type { Lookup } from "./evaluator.js";

interface Scope {
  readonly lookup: Lookup;
  readonly locals: ReadonlyMap<string, StaticType>;
  /** Types of `#`, `#index`, `#acc`; undefined outside predicates. */
  readonly pointers: ReadonlyMap<string, StaticType> | undefined;
}

/** The first fault, or undefined. Only names directly in the environment have types; what is inside maps has none. */
export function checkTree(root: ExprNode, lookup: Lookup): Fault | undefined {
  try {
    typeOf(root, { lookup, locals: new Map(), pointers: undefined });
    return undefined;
  } catch (signal) {
    if (signal instanceof FaultSignal) return signal.fault;
    throw signal;
  }
}

function fail(node: ExprNode, reason: string): never {
  throw new FaultSignal({ kind: "type", reason, offset: node.offset });
}

/** The type of a value that is there already. */
function typeOfValue(value: ExprValue): StaticType {
  switch (typeof value) {
    case "bigint":
      return "int";
    case "number":
      return "float";
    case "boolean":
      return "bool";
    case "string":
      return "string";
    default:
      return typeOfObject(value);
  }
}

function typeOfObject(value: ExprValue): StaticType {
  if (value === null) return "nil";
  if (isList(value)) return "array";
  if (isMap(value)) return "map";
  if (isTime(value)) return "time";
  return isDuration(value) ? "duration" : "function";
}

function typeOf(node: ExprNode, scope: Scope): StaticType {
  return visitNode(checks, node, scope);
}

const checks: NodeTable<Scope, StaticType> = {
  nil: () => "nil",
  boolean: () => "bool",
  integer: () => "int",
  float: () => "float",
  string: () => "string",
  identifier: typeOfName,
  pointer: typeOfPointer,
  unary: typeOfUnary,
  binary: typeOfBinary,
  member: typeOfMember,
  chain: (node, scope) => typeOf(node.inner, scope),
  slice: typeOfSlice,
  call: typeOfCall,
  builtin: typeOfBuiltin,
  predicate: (node, scope) => typeOf(node.body, scope),
  conditional: typeOfConditional,
  let: typeOfLet,
  sequence: (node, scope) => node.nodes.map((inner) => typeOf(inner, scope)).at(-1) ?? "nil",
  array: (node, scope) => {
    for (const element of node.elements) typeOf(element, scope);
    return "array";
  },
  map: (node, scope) => {
    for (const pair of node.pairs) {
      typeOf(pair.key, scope);
      typeOf(pair.value, scope);
    }
    return "map";
  },
};

function typeOfName(node: IdentifierNode, scope: Scope): StaticType {
  const local = scope.locals.get(node.name);
  if (local !== undefined) return local;
  if (node.name === "$env") return "unknown";
  const value = scope.lookup(node.name);
  if (value !== undefined) return typeOfValue(value);
  return isBuiltin(node.name) ? "function" : fail(node, `unknown name ${node.name}`);
}

function typeOfPointer(node: PointerNode, scope: Scope): StaticType {
  if (scope.pointers === undefined) return fail(node, "cannot use pointer accessor outside predicate");
  return scope.pointers.get(node.name) ?? fail(node, `unknown pointer #${node.name}`);
}

function typeOfUnary(node: UnaryNode, scope: Scope): StaticType {
  const type = typeOf(node.operand, scope);
  if (node.operator === "!" || node.operator === "not") {
    if (type === "bool" || type === "unknown") return "bool";
  } else if (type === "int" || type === "float" || type === "unknown" || type === "duration") {
    return type;
  }
  return fail(node, `invalid operation: ${node.operator} (mismatched type ${printType(type)})`);
}

function typeOfBinary(node: BinaryNode, scope: Scope): StaticType {
  const { first, binaries } = spineOf(node);
  return binaries.reduce((left, binary) => typeOfRight(binary, left, scope), typeOf(first, scope));
}

function typeOfRight(node: BinaryNode, left: StaticType, scope: Scope): StaticType {
  const right = typeOf(node.right, scope);
  const result = checkBinary(node, left, right);
  if (result === undefined) {
    const types = `${printType(left)} and ${printType(right)}`;
    return fail(node, `invalid operation: ${node.operator} (mismatched types ${types})`);
  }
  if ("problem" in result) return fail(node, result.problem);
  if (node.operator === "matches" && node.right.kind === "string") {
    const pattern = compileRegex(node.right.value);
    if (!pattern.ok) return fail(node, pattern.error);
  }
  return result.type;
}

function typeOfMember(node: MemberNode, scope: Scope): StaticType {
  if (node.base.kind === "identifier" && node.base.name === "$env") return typeOfEnvMember(node, scope);
  const base = typeOf(node.base, scope);
  const property = typeOf(node.property, scope);
  switch (base) {
    case "unknown":
    case "time":
    case "duration":
      return "unknown";
    case "map":
      return typeOfKey(node, property);
    case "array":
      return typeOfElement(node, property);
    default:
      return noMember(node, base, property);
  }
}

function typeOfKey(node: MemberNode, property: StaticType): StaticType {
  if (property === "string" || property === "unknown" || property === "nil") return "unknown";
  return fail(node.property, `cannot use ${printType(property)} to get an element from ${printType("map")}`);
}

function typeOfElement(node: MemberNode, property: StaticType): StaticType {
  if (property === "int" || property === "unknown") return "unknown";
  const got = printType(property);
  return fail(node.property, `array elements can only be selected using an integer (got ${got})`);
}

function noMember(node: MemberNode, base: StaticType, property: StaticType): never {
  if (node.property.kind !== "string") fail(node, `type ${printType(base)}[${printType(property)}] is undefined`);
  const member = node.method && base !== "nil" ? "method" : "field";
  return fail(node, `type ${printType(base)} has no ${member} ${node.property.value}`);
}

function typeOfEnvMember(node: MemberNode, scope: Scope): StaticType {
  if (node.property.kind !== "string") return "unknown";
  const value = scope.lookup(node.property.value);
  if (value !== undefined) return typeOfValue(value);
  return node.optional ? "unknown" : fail(node, `unknown name ${node.property.value}`);
}

function typeOfSlice(node: SliceNode, scope: Scope): StaticType {
  const base = typeOf(node.base, scope);
  if (base !== "unknown" && base !== "string" && base !== "array") fail(node, `cannot slice ${printType(base)}`);
  for (const bound of [node.from, node.to]) {
    if (bound === undefined) continue;
    const type = typeOf(bound, scope);
    if (type !== "int" && type !== "unknown") fail(bound, `non-integer slice index ${printType(type)}`);
  }
  return base;
}

function typeOfCall(node: CallNode, scope: Scope): StaticType {
  const callee = typeOf(node.callee, scope);
  const known = node.callee.kind === "identifier" ? scope.lookup(node.callee.name) : undefined;
  if (isFunction(known) && known.signature !== undefined) {
    const { parameters, result } = known.signature;
    checkArguments(node, known.name, [{ parameters, result }], scope);
    return result;
  }
  for (const argument of node.args) typeOf(argument, scope);
  if (callee === "unknown" || callee === "function") return "unknown";
  if (callee === "nil") return fail(node, `${calleeName(node)} is nil; cannot call nil as function`);
  return fail(node, `${printType(callee)} is not callable`);
}

function calleeName(node: CallNode): string {
  if (node.callee.kind === "identifier") return node.callee.name;
  const isNamed = node.callee.kind === "member" && node.callee.property.kind === "string";
  return isNamed ? node.callee.property.value : "function";
}

function typeOfBuiltin(node: BuiltinNode, scope: Scope): StaticType {
  const row = builtinRows.get(node.name);
  if (row === undefined) return typeOfPredicateBuiltin(node, scope);
  if (typeof row.accepts !== "function") return checkArguments(node, node.name, row.accepts, scope);
  const outcome = row.accepts(node.args.map((argument) => typeOf(argument, scope)));
  return "problem" in outcome ? fail(node, outcome.problem) : outcome.result;
}

/** The result of the first overload that fits; the fault of the last when none does. */
function checkArguments(
  node: CallNode | BuiltinNode,
  name: string,
  overloads: readonly Overload[],
  scope: Scope,
): StaticType {
  const types = node.args.map((argument) => typeOf(argument, scope));
  let fault: (() => never) | undefined;
  for (const { parameters, result } of overloads) {
    fault = misfit(node, name, { parameters, types });
    if (fault === undefined) return result;
  }
  return fault === undefined ? "unknown" : fault();
}

function misfit(
  node: CallNode | BuiltinNode,
  name: string,
  { parameters, types }: { readonly parameters: readonly ParameterType[]; readonly types: readonly StaticType[] },
): (() => never) | undefined {
  if (types.length > parameters.length) return () => fail(node, `too many arguments to call ${name}`);
  if (types.length < parameters.length) return () => fail(node, `not enough arguments to call ${name}`);
  for (const [index, parameter] of parameters.entries()) {
    const type = types[index] ?? "unknown";
    const argument = node.args[index] ?? node;
    if (fits(type, parameter)) continue;
    const wanted = goNameOf(parameter);
    if (type === "nil") return () => fail(argument, `cannot use nil as argument (type ${wanted}) to call ${name}`);
    return () => fail(argument, `cannot use ${printType(type)} as argument (type ${wanted}) to call ${name} `);
  }
  return undefined;
}

function fits(type: StaticType, parameter: ParameterType): boolean {
  if (type === "unknown" || parameter === "unknown" || type === parameter) return true;
  return parameter === "float" && type === "int";
}

const BOOLEAN_PREDICATES: ReadonlySet<string> = new Set([
  "all",
  "none",
  "any",
  "one",
  "filter",
  "find",
  "findIndex",
  "findLast",
  "findLastIndex",
  "count",
]);

const PREDICATE_RESULTS: Readonly<Record<string, StaticType>> = {
  all: "bool",
  none: "bool",
  any: "bool",
  one: "bool",
  count: "int",
  findIndex: "unknown",
  filter: "array",
  map: "array",
  sortBy: "array",
  groupBy: "map",
};

function typeOfPredicateBuiltin(node: BuiltinNode, scope: Scope): StaticType {
  const [list, body, extra] = node.args;
  if (list === undefined) return "unknown";
  const type = typeOf(list, scope);
  if (type !== "array" && type !== "unknown") {
    fail(list, `builtin ${node.name} takes only array (got ${printType(type)})`);
  }
  if (body !== undefined) checkPredicate(node.name, body, scope);
  if (extra !== undefined) typeOf(extra, scope);
  return PREDICATE_RESULTS[node.name] ?? "unknown";
}

function checkPredicate(name: string, body: ExprNode, scope: Scope): void {
  const pointers = new Map<string, StaticType>([["", "unknown"]]);
  if (name === "map" || name === "reduce") pointers.set("index", "int");
  if (name === "reduce") pointers.set("acc", "unknown");
  const result = typeOf(body, { ...scope, pointers });
  if (BOOLEAN_PREDICATES.has(name) && result !== "bool" && result !== "unknown") {
    fail(body, `predicate should return boolean (got ${printType(result)})`);
  }
}

function typeOfConditional(node: ConditionalNode, scope: Scope): StaticType {
  const condition = typeOf(node.condition, scope);
  if (condition !== "bool" && condition !== "unknown") {
    fail(node.condition, `non-bool expression (type ${printType(condition)}) used as condition`);
  }
  const whenTrue = typeOf(node.whenTrue, scope);
  const whenFalse = typeOf(node.whenFalse, scope);
  if (whenTrue === "nil") return whenFalse;
  return whenFalse === "nil" || whenFalse === whenTrue ? whenTrue : "unknown";
}

function typeOfLet(node: LetNode, scope: Scope): StaticType {
  if (scope.lookup(node.name) !== undefined) fail(node, `cannot redeclare ${node.name}`);
  if (isBuiltin(node.name)) fail(node, `cannot redeclare builtin ${node.name}`);
  if (scope.locals.has(node.name)) fail(node, `cannot redeclare variable ${node.name}`);
  const value = typeOf(node.value, scope);
  return typeOf(node.body, { ...scope, locals: new Map([...scope.locals, [node.name, value]]) });
}
