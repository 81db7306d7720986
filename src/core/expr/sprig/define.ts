/** How a sprig function is written here: its Go parameter types, so that a wrong argument is told as Argo tells it. */

import {
  type CallContext,
  type ExprFunction,
  type ExprKey,
  type ExprValue,
  goTypeOf,
  isList,
  isMap,
  ValueFault,
} from "../values/value.js";

/** Go types of parameters. */
export type ParameterKind = "any" | "string" | "int" | "float64" | "bool" | "map" | "list";

interface ParameterTypes {
  readonly any: ExprValue;
  readonly string: string;
  readonly int: number;
  readonly float64: number;
  readonly bool: boolean;
  readonly map: ReadonlyMap<ExprKey, ExprValue>;
  readonly list: readonly ExprValue[];
}

type Values<Kinds extends readonly ParameterKind[]> = { readonly [Index in keyof Kinds]: ParameterTypes[Kinds[Index]] };

/** One function of the family, by its name. */
export type SprigRow = readonly [string, ExprFunction];

const GO_TYPES: Readonly<Record<ParameterKind, string>> = {
  any: "interface {}",
  string: "string",
  int: "int",
  float64: "float64",
  bool: "bool",
  map: "map[string]interface {}",
  list: "[]interface {}",
};

/** A function with a fixed number of parameters. Integers arrive as numbers. */
export function define<const Kinds extends readonly ParameterKind[]>(
  name: string,
  kinds: Kinds,
  operation: (values: Values<Kinds>, call: CallContext) => ExprValue,
): SprigRow {
  const call = (args: readonly ExprValue[], context: CallContext): ExprValue => {
    if (args.length < kinds.length) throw new ValueFault("reflect: Call with too few input arguments");
    if (args.length > kinds.length) throw new ValueFault("reflect: Call with too many input arguments");
    return operation(converted(kinds, args), context);
  };
  return [name, { kind: "function", name: `sprig.${name}`, call }];
}

/** A function whose last parameter may be given any number of times. */
export function defineVariadic<const Kinds extends readonly ParameterKind[], Rest extends ParameterKind>(
  name: string,
  [kinds, rest]: readonly [Kinds, Rest],
  operation: (values: Values<Kinds>, others: readonly ParameterTypes[Rest][], call: CallContext) => ExprValue,
): SprigRow {
  const call = (args: readonly ExprValue[], context: CallContext): ExprValue => {
    if (args.length < kinds.length) throw new ValueFault("reflect: Call with too few input arguments");
    const others = args.slice(kinds.length).map((argument) => convert(rest, argument));
    return operation(converted(kinds, args.slice(0, kinds.length)), others, context);
  };
  return [name, { kind: "function", name: `sprig.${name}`, call }];
}

/** The same function under other names. */
export function aliases([, row]: SprigRow, ...names: readonly string[]): readonly SprigRow[] {
  return names.map((name) => [name, row]);
}

function converted<const Kinds extends readonly ParameterKind[]>(
  kinds: Kinds,
  args: readonly ExprValue[],
): Values<Kinds>;
function converted(kinds: readonly ParameterKind[], args: readonly ExprValue[]): readonly ExprValue[] {
  return kinds.map((kind, index) => convert(kind, args[index] ?? null));
}

function convert<Kind extends ParameterKind>(kind: Kind, value: ExprValue): ParameterTypes[Kind] {
  const result = accepts[kind](value);
  if (result !== undefined) return result;
  const given = value === null ? "interface {}" : goTypeOf(value);
  throw new ValueFault(`reflect: Call using ${given} as type ${GO_TYPES[kind]}`);
}

/** The value as that type; undefined when it is none. */
const accepts: { readonly [Kind in ParameterKind]: (value: ExprValue) => ParameterTypes[Kind] | undefined } = {
  any: (value) => value,
  string: (value) => (typeof value === "string" ? value : undefined),
  int: (value) => (typeof value === "bigint" ? Number(value) : undefined),
  float64: (value) => (typeof value === "number" ? value : undefined),
  bool: (value) => (typeof value === "boolean" ? value : undefined),
  map: (value) => (isMap(value) ? value : undefined),
  list: (value) => (isList(value) ? value : undefined),
};

/** A number as a Go int. */
export function int(value: number): bigint {
  return BigInt(Math.trunc(value));
}
