/** Finds before anything runs what can never work: unknown names, types that do not fit (expr-lang's checker). */

import { isBuiltin } from "../builtins/names.js";
import { goNameOf, type Overload, type ParameterType } from "../builtins/row.js";
import { builtinRows } from "../builtins/table.js";
import { compileRegex } from "../regex.js";
import { type ExprValue, isDuration, isFunction, isList, isMap, isTime, type StaticType } from "../values/value.js";
import type { BinaryNode, BuiltinNode, CallNode, ExprNode, MemberNode } from "./ast.js";
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
  switch (node.kind) {
    case "nil":
      return "nil";
    case "boolean":
      return "bool";
    case "integer":
      return "int";
    case "float":
      return "float";
    case "string":
      return "string";
    case "identifier":
      return typeOfName(node, scope);
    case "pointer":
      return typeOfPointer(node, scope);
    case "unary":
      return typeOfUnary(node, scope);
    case "binary":
      return typeOfBinary(node, scope);
    default:
      return typeOfInner(node, scope);
  }
}

type InnerNode = Exclude<
  ExprNode,
  { kind: "nil" | "boolean" | "integer" | "float" | "string" | "identifier" | "pointer" | "unary" | "binary" }
>;

function typeOfInner(node: InnerNode, scope: Scope): StaticType {
  switch (node.kind) {
    case "member":
      return typeOfMember(node, scope);
    case "chain":
      return typeOf(node.inner, scope);
    case "slice":
      return typeOfSlice(node, scope);
    case "call":
      return typeOfCall(node, scope);
    case "builtin":
      return typeOfBuiltin(node, scope);
    case "predicate":
      return typeOf(node.body, scope);
    case "conditional":
      return typeOfConditional(node, scope);
    case "let":
      return typeOfLet(node, scope);
    case "sequence":
      return node.nodes.map((inner) => typeOf(inner, scope)).at(-1) ?? "nil";
    case "array":
      for (const element of node.elements) typeOf(element, scope);
      return "array";
    case "map":
      for (const pair of node.pairs) {
        typeOf(pair.key, scope);
        typeOf(pair.value, scope);
      }
      return "map";
  }
}

function typeOfName(node: Extract<ExprNode, { kind: "identifier" }>, scope: Scope): StaticType {
  const local = scope.locals.get(node.name);
  if (local !== undefined) return local;
  if (node.name === "$env") return "unknown";
  const value = scope.lookup(node.name);
  if (value !== undefined) return typeOfValue(value);
  return isBuiltin(node.name) ? "function" : fail(node, `unknown name ${node.name}`);
}

function typeOfPointer(node: Extract<ExprNode, { kind: "pointer" }>, scope: Scope): StaticType {
  if (scope.pointers === undefined) return fail(node, "cannot use pointer accessor outside predicate");
  return scope.pointers.get(node.name) ?? fail(node, `unknown pointer #${node.name}`);
}

function typeOfUnary(node: Extract<ExprNode, { kind: "unary" }>, scope: Scope): StaticType {
  const type = typeOf(node.operand, scope);
  if (node.operator === "!" || node.operator === "not") {
    if (type === "bool" || type === "unknown") return "bool";
  } else if (type === "int" || type === "float" || type === "unknown" || type === "duration") {
    return type;
  }
  return fail(node, `invalid operation: ${node.operator} (mismatched type ${printType(type)})`);
}

function typeOfBinary(node: BinaryNode, scope: Scope): StaticType {
  const left = typeOf(node.left, scope);
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
  if (base === "unknown" || base === "time" || base === "duration") return "unknown";
  const name = node.property.kind === "string" ? node.property.value : undefined;
  if (base === "nil" && name !== undefined) return fail(node, `type nil has no field ${name}`);
  if (base === "map") {
    if (property === "string" || property === "unknown" || property === "nil") return "unknown";
    return fail(node.property, `cannot use ${printType(property)} to get an element from ${printType(base)}`);
  }
  if (base === "array") {
    if (property === "int" || property === "unknown") return "unknown";
    const got = printType(property);
    return fail(node.property, `array elements can only be selected using an integer (got ${got})`);
  }
  if (name === undefined) return fail(node, `type ${printType(base)}[${printType(property)}] is undefined`);
  return fail(node, `type ${printType(base)} has no ${node.method ? "method" : "field"} ${name}`);
}

function typeOfEnvMember(node: MemberNode, scope: Scope): StaticType {
  if (node.property.kind !== "string") return "unknown";
  const value = scope.lookup(node.property.value);
  if (value !== undefined) return typeOfValue(value);
  return node.optional ? "unknown" : fail(node, `unknown name ${node.property.value}`);
}

function typeOfSlice(node: Extract<ExprNode, { kind: "slice" }>, scope: Scope): StaticType {
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

function typeOfConditional(node: Extract<ExprNode, { kind: "conditional" }>, scope: Scope): StaticType {
  const condition = typeOf(node.condition, scope);
  if (condition !== "bool" && condition !== "unknown") {
    fail(node.condition, `non-bool expression (type ${printType(condition)}) used as condition`);
  }
  const whenTrue = typeOf(node.whenTrue, scope);
  const whenFalse = typeOf(node.whenFalse, scope);
  if (whenTrue === "nil") return whenFalse;
  return whenFalse === "nil" || whenFalse === whenTrue ? whenTrue : "unknown";
}

function typeOfLet(node: Extract<ExprNode, { kind: "let" }>, scope: Scope): StaticType {
  if (scope.lookup(node.name) !== undefined) fail(node, `cannot redeclare ${node.name}`);
  if (isBuiltin(node.name)) fail(node, `cannot redeclare builtin ${node.name}`);
  if (scope.locals.has(node.name)) fail(node, `cannot redeclare variable ${node.name}`);
  const value = typeOf(node.value, scope);
  return typeOf(node.body, { ...scope, locals: new Map([...scope.locals, [node.name, value]]) });
}
