/** The names that are always there, so that the parser can tell a builtin from a function of the environment. */

import { predicateBuiltins } from "../lang/operators.js";

const PLAIN = [
  "len",
  "type",
  "abs",
  "ceil",
  "floor",
  "round",
  "int",
  "float",
  "string",
  "trim",
  "trimPrefix",
  "trimSuffix",
  "upper",
  "lower",
  "split",
  "splitAfter",
  "replace",
  "repeat",
  "join",
  "indexOf",
  "lastIndexOf",
  "hasPrefix",
  "hasSuffix",
  "max",
  "min",
  "mean",
  "median",
  "toJSON",
  "fromJSON",
  "toBase64",
  "fromBase64",
  "now",
  "duration",
  "date",
  "timezone",
  "first",
  "last",
  "get",
  "take",
  "keys",
  "values",
  "toPairs",
  "fromPairs",
  "reverse",
  "uniq",
  "concat",
  "flatten",
  "sort",
  "bitand",
  "bitor",
  "bitxor",
  "bitnand",
  "bitshl",
  "bitshr",
  "bitushr",
  "bitnot",
] as const;

/** A builtin without a predicate. */
export type PlainBuiltin = (typeof PLAIN)[number];

const NAMES: ReadonlySet<string> = new Set<string>([...PLAIN, ...predicateBuiltins.keys()]);

export function isBuiltin(name: string): boolean {
  return NAMES.has(name);
}
