/** Argo's own functions, and the family called `sprig` (Argo 4.1 behaviour 4.3). */

import { floatOf, intOf } from "./builtins/numbers.js";
import { jsonPath } from "./jsonpath.js";
import { sprigFunctions } from "./sprig/table.js";
import { asText } from "./values/operations.js";
import { printJson } from "./values/print.js";
import type { ExprFunction, ExprValue, FunctionSignature } from "./values/value.js";

function define(
  name: string,
  signature: FunctionSignature,
  operation: (args: readonly ExprValue[]) => ExprValue,
): readonly [string, ExprValue] {
  const defined: ExprFunction = { kind: "function", name, signature, call: operation };
  return [name, defined];
}

/** In every environment; they win over variables of the same name, as in Argo. */
export const argoFunctions: ReadonlyMap<string, ExprValue> = new Map<string, ExprValue>([
  define("asInt", { parameters: ["unknown"], result: "int" }, ([value = null]) => intOf(value)),
  define("asFloat", { parameters: ["unknown"], result: "float" }, ([value = null]) => floatOf(value)),
  define("toJson", { parameters: ["unknown"], result: "string" }, ([value = null]) => printJson(value)),
  define("jsonpath", { parameters: ["string", "string"], result: "unknown" }, ([text, path]) =>
    jsonPath(asText(text), asText(path)),
  ),
  ["sprig", sprigFunctions],
]);
