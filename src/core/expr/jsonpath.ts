/** `jsonpath(text, path)`: picks values out of JSON (Argo 4.1 behaviour 4.3). */

import { parseGoJson } from "../std/go-json.js";
import { compareValues, equalValues, isNumeric, orderOf } from "./values/operations.js";
import { sortedEntries } from "./values/print.js";
import { type ExprValue, isList, isMap, ValueFault, valueOfJson } from "./values/value.js";

type Token =
  | { readonly kind: "key"; readonly name: string }
  | { readonly kind: "index"; readonly index: number }
  | {
      readonly kind: "slice";
      readonly from: number | undefined;
      readonly to: number | undefined;
      readonly step: number;
    }
  | { readonly kind: "union"; readonly parts: readonly (string | number)[] }
  | { readonly kind: "wildcard" }
  | { readonly kind: "descend" }
  | { readonly kind: "filter"; readonly condition: string };

const DOT_NAME = /^\.?([^.[\]\s*]+)/;
const QUOTED = /^(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")$/;
const SLICE = /^(-?\d+)?:(-?\d+)?(?::(-?\d+)?)?$/;
const MAX_PATH_LENGTH = 10_000;
const MAX_FOUND = 100_000;

/** A path that can name only one value gives that value, any other a list. Faults name the path. */
export function jsonPath(text: string, path: string): ExprValue {
  const tokens = parsePath(path);
  const json = parseGoJson(text);
  if (!json.ok) throw new ValueFault(`invalid data. ${json.error}`);
  const root = valueOfJson(json.value);
  const isDefinite = tokens.every(({ kind }) => kind === "key" || kind === "index");
  if (isDefinite) return tokens.reduce<ExprValue>((value, token) => stepOne(value, token), root);
  const found = tokens.reduce<readonly ExprValue[]>(
    (values, token) => {
      const next = values.flatMap((value) => stepAll(value, token, root));
      if (next.length > MAX_FOUND) throw new ValueFault("memory budget exceeded");
      return next;
    },
    [root],
  );
  return found;
}

function invalid(path: string, reason: string): never {
  throw new ValueFault(`invalid JSONPath selector '${path}' ${reason}`);
}

function parsePath(path: string): readonly Token[] {
  if (path.length > MAX_PATH_LENGTH) throw new ValueFault("invalid JSONPath selector: too long");
  const trimmed = path.trim();
  if (trimmed === "") return invalid(path, "unexpected token '' at index 0");
  if (!/^[$@]/.test(trimmed)) return invalid(path, `unexpected token '${trimmed.charAt(0)}' at index 0`);
  const tokens: Token[] = [];
  let rest = trimmed.slice(1);
  while (rest !== "") {
    const [token, length] = parseToken(path, rest);
    tokens.push(token);
    rest = rest.slice(length);
  }
  return tokens;
}

function parseToken(path: string, rest: string): readonly [Token, number] {
  if (rest.startsWith("..")) return [{ kind: "descend" }, rest.charAt(2) === "[" || rest.charAt(2) === "" ? 2 : 1];
  if (rest.startsWith(".*")) return [{ kind: "wildcard" }, 2];
  if (rest.startsWith("[")) return parseBracket(path, rest);
  const name = DOT_NAME.exec(rest);
  if (name === null) return invalid(path, `invalid token. '${rest.slice(0, 1)}' does not match any token format`);
  return [{ kind: "key", name: name[1] ?? "" }, name[0].length];
}

function parseBracket(path: string, rest: string): readonly [Token, number] {
  const end = closingBracket(rest);
  if (end < 0) return invalid(path, `invalid token. '${rest}' does not match any token format`);
  const inner = rest.slice(1, end).trim();
  return [bracketToken(path, inner), end + 1];
}

function bracketToken(path: string, inner: string): Token {
  if (inner === "*") return { kind: "wildcard" };
  if (/^-?\d+$/.test(inner)) return { kind: "index", index: Number(inner) };
  if (inner.startsWith("?(") && inner.endsWith(")")) return { kind: "filter", condition: inner.slice(2, -1).trim() };
  const slice = SLICE.exec(inner);
  if (slice !== null) {
    const [, from, to, step = "1"] = slice;
    const bound = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
    return { kind: "slice", from: bound(from), to: bound(to), step: Number(step) };
  }
  const parts = (inner.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^,\s]+/g) ?? []).map((part) => memberOf(path, part));
  const [only] = parts;
  if (parts.length === 1 && typeof only === "string") return { kind: "key", name: only };
  return parts.length > 1
    ? { kind: "union", parts }
    : invalid(path, `invalid token. '[${inner}]' does not match any token format`);
}

function memberOf(path: string, part: string): string | number {
  const quoted = QUOTED.exec(part);
  if (quoted !== null) return (quoted[1] ?? quoted[2] ?? "").replace(/\\(.)/g, "$1");
  if (/^-?\d+$/.test(part)) return Number(part);
  return invalid(path, `invalid token. '[${part}]' does not match any token format`);
}

/** Of the bracket at 0; quotes hide brackets. */
function closingBracket(text: string): number {
  let depth = 0;
  let quote = "";
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (quote !== "") {
      if (character === "\\") index++;
      else if (character === quote) quote = "";
    } else if (character === "'" || character === '"') quote = character;
    else if (character === "[") depth++;
    else if (character === "]" && --depth === 0) return index;
  }
  return -1;
}

/** The one value a key or an index names. */
function stepOne(value: ExprValue, token: Token): ExprValue {
  if (token.kind === "key") {
    if (!isMap(value)) throw new ValueFault(`key: invalid token target. expected [map] got [${kindName(value)}]`);
    if (!value.has(token.name)) throw new ValueFault(`key: invalid token key '${token.name}' not found`);
    return value.get(token.name) ?? null;
  }
  if (token.kind !== "index") return null;
  if (!isList(value)) throw new ValueFault(`index: invalid token target. expected [array] got [${kindName(value)}]`);
  const element = value.at(token.index);
  if (element === undefined) throw new ValueFault("index: invalid token out of range");
  return element;
}

function kindName(value: ExprValue): string {
  if (value === null) return "nil";
  if (isList(value)) return "slice";
  if (isMap(value)) return "map";
  return isNumeric(value) ? "float64" : typeof value === "boolean" ? "bool" : "string";
}

/** Whatever the token names; what does not fit is left out. */
function stepAll(value: ExprValue, token: Token, root: ExprValue): readonly ExprValue[] {
  switch (token.kind) {
    case "key":
    case "index":
      return member(value, token);
    case "wildcard":
      return childrenOf(value);
    case "descend":
      return descendants(value, 0);
    case "slice":
      return isList(value) ? sliced(value, token) : [];
    case "union":
      return token.parts.flatMap((part) => stepAll(value, memberToken(part), root));
    case "filter":
      return childrenOf(value).filter((child) => matches(token.condition, child, root));
  }
}

function member(value: ExprValue, token: Extract<Token, { kind: "key" | "index" }>): readonly ExprValue[] {
  const list = isList(value) && token.kind === "index" ? value.at(token.index) : undefined;
  const found = isMap(value) && token.kind === "key" ? value.get(token.name) : list;
  return found === undefined ? [] : [found];
}

function memberToken(part: string | number): Token {
  return typeof part === "string" ? { kind: "key", name: part } : { kind: "index", index: part };
}

function childrenOf(value: ExprValue): readonly ExprValue[] {
  if (isList(value)) return value;
  return isMap(value) ? sortedEntries(value).map(([, child]) => child) : [];
}

const MAX_DEPTH = 500;

function descendants(value: ExprValue, depth: number): readonly ExprValue[] {
  if (depth > MAX_DEPTH) throw new ValueFault("JSON is nested too deeply");
  return [value, ...childrenOf(value).flatMap((child) => descendants(child, depth + 1))];
}

function sliced(list: readonly ExprValue[], token: Extract<Token, { kind: "slice" }>): readonly ExprValue[] {
  const part = list.slice(token.from ?? 0, token.to);
  const step = Math.abs(token.step) || 1;
  return (token.step < 0 ? part.toReversed() : part).filter((_element, index) => index % step === 0);
}

const COMPARISON = /^(.+?)\s*(==|!=|<=|>=|<|>)\s*(.+)$/s;

/** `@.a == 'b'`, `@.a > 1`, `@.a`; joined by `&&` or `||`. */
function matches(condition: string, value: ExprValue, root: ExprValue): boolean {
  return condition
    .split("||")
    .some((alternative) => alternative.split("&&").every((part) => matchesPart(part.trim(), value, root)));
}

function matchesPart(part: string, value: ExprValue, root: ExprValue): boolean {
  const comparison = COMPARISON.exec(part);
  if (comparison === null) return operandOf(part, value, root) !== undefined;
  const [, leftText = "", operator = "", rightText = ""] = comparison;
  const left = operandOf(leftText.trim(), value, root);
  const right = operandOf(rightText.trim(), value, root);
  return left !== undefined && right !== undefined && compares(operator, left, right);
}

function compares(operator: string, left: ExprValue, right: ExprValue): boolean {
  if (operator === "==" || operator === "!=") return equalValues(left, right) === (operator === "==");
  const hasOrder = orderOf(left, right) !== undefined;
  return hasOrder && compareValues(operator, left, right);
}

/** A literal, or what a path inside the filter names; undefined when it names nothing. */
function operandOf(text: string, value: ExprValue, root: ExprValue): ExprValue | undefined {
  const quoted = QUOTED.exec(text);
  if (quoted !== null) return quoted[1] ?? quoted[2] ?? "";
  if (!/^[$@]/.test(text)) {
    const json = parseGoJson(text);
    return json.ok ? valueOfJson(json.value) : invalid(text, "unexpected token");
  }
  const start = text.startsWith("@") ? value : root;
  const [found] = parsePath(text).reduce<readonly ExprValue[]>(
    (values, token) => values.flatMap((element) => stepAll(element, token, root)),
    [start],
  );
  return found;
}
