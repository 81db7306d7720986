/** What a builtin is: how its arguments are checked before anything runs, and what it does. */

import type { CallContext, ExprValue, StaticType } from "../values/value.js";

export interface BuiltinRow {
  /** What it accepts: overloads, tried in order, or a check of its own. */
  readonly accepts: readonly Overload[] | ArgumentCheck;
  readonly call: (args: readonly ExprValue[], call: CallContext) => ExprValue;
}

export interface Overload {
  readonly parameters: readonly ParameterType[];
  readonly result: StaticType;
}

/** `texts` is a list of strings, shown as Go shows it; any list is taken for it. */
export type ParameterType = StaticType | "texts";

/** The type of the result, or what is wrong with the arguments; `types` are their types. */
export type ArgumentCheck = (
  types: readonly StaticType[],
) => { readonly result: StaticType } | { readonly problem: string };

export function overload(result: StaticType, ...parameters: readonly ParameterType[]): Overload {
  return { parameters, result };
}

/** A check for the number of arguments, and of the kinds the first may have. */
export function takes(
  count: number,
  kinds: readonly StaticType[],
  outcome: { readonly result: StaticType; readonly complaint: (type: string) => string },
): ArgumentCheck {
  return (types) => {
    if (types.length !== count) {
      return { problem: `invalid number of arguments (expected ${count}, got ${types.length})` };
    }
    const [first = "unknown"] = types;
    if (first === "unknown" || kinds.includes(first)) return { result: outcome.result };
    return { problem: outcome.complaint(goNameOf(first)) };
  };
}

const GO_NAMES: Readonly<Record<ParameterType, string>> = {
  unknown: "interface {}",
  nil: "nil",
  bool: "bool",
  int: "int",
  float: "float64",
  string: "string",
  array: "[]interface {}",
  map: "map[string]interface {}",
  time: "time.Time",
  duration: "time.Duration",
  function: "func(...interface {}) interface {}",
  texts: "[]string",
};

/** The type as Go prints it. */
export function goNameOf(type: ParameterType): string {
  return GO_NAMES[type];
}
