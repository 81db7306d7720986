/** sprig's defaults, tests of types, JSON. */

import { parseGoJson } from "../../std/go-json.js";
import { kindOf } from "../builtins/collections.js";
import { equalValues } from "../values/operations.js";
import { printJson } from "../values/print.js";
import { type ExprValue, goTypeOf, ValueFault, valueOfJson } from "../values/value.js";
import { isEmpty } from "./cast.js";
import { aliases, define, defineVariadic, type SprigRow } from "./define.js";

const toJson = define("toJson", ["any"], ([value]) => printJson(value));
const toPrettyJson = define("toPrettyJson", ["any"], ([value]) => printJson(value, { indent: "  ", html: "escaped" }));
const toRawJson = define("toRawJson", ["any"], ([value]) => printJson(value, { indent: "", html: "plain" }));
const deepCopy = define("deepCopy", ["any"], ([value]) => value);

export const logicRows: readonly SprigRow[] = [
  defineVariadic("default", [["any"], "any"], ([fallback], [given]) => (isEmpty(given) ? fallback : (given ?? null))),
  define("empty", ["any"], ([value]) => isEmpty(value)),
  defineVariadic("coalesce", [[], "any"], (_none, values) => values.find((value) => !isEmpty(value)) ?? null),
  defineVariadic("all", [[], "any"], (_none, values) => values.every((value) => !isEmpty(value))),
  defineVariadic("any", [[], "any"], (_none, values) => values.some((value) => !isEmpty(value))),
  define("ternary", ["any", "any", "bool"], ([whenTrue, whenFalse, condition]) => (condition ? whenTrue : whenFalse)),
  define("fromJson", ["string"], ([text]) => fromJson(text) ?? null),
  define("mustFromJson", ["string"], ([text]) => mustFromJson(text)),
  toJson,
  ...aliases(toJson, "mustToJson"),
  toPrettyJson,
  ...aliases(toPrettyJson, "mustToPrettyJson"),
  toRawJson,
  ...aliases(toRawJson, "mustToRawJson"),
  deepCopy,
  ...aliases(deepCopy, "mustDeepCopy"),
  define("typeOf", ["any"], ([value]) => goTypeOf(value)),
  define("typeIs", ["string", "any"], ([type, value]) => goTypeOf(value) === type),
  define("typeIsLike", ["string", "any"], ([type, value]) => goTypeOf(value) === type),
  define("kindOf", ["any"], ([value]) => kindOf(value)),
  define("kindIs", ["string", "any"], ([kind, value]) => kindOf(value) === kind),
  define("deepEqual", ["any", "any"], ([left, right]) => typeof left === typeof right && equalValues(left, right)),
  define("fail", ["string"], ([message]) => {
    throw new ValueFault(message);
  }),
];

function fromJson(text: string): ExprValue | undefined {
  const json = parseGoJson(text);
  return json.ok ? valueOfJson(json.value) : undefined;
}

function mustFromJson(text: string): ExprValue {
  const json = parseGoJson(text);
  if (!json.ok) throw new ValueFault(json.error);
  return valueOfJson(json.value);
}
