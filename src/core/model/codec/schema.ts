/**
 * Schemas: what a value may hold, as data, tied to its TypeScript interface. A field that an interface has and its
 * schema lacks, or the other way round, does not compile.
 */

import type { Json, JsonObject } from "../../std/json.js";
import type { IntOrString } from "../kube/meta.js";

/** Text with a form of its own, checked where the field is read. */
export type TextFormat = "quantity" | "name";

export type SchemaNode =
  | { readonly kind: "text"; readonly format?: TextFormat }
  /** AnyString: any scalar, kept as text (Argo 4.1 behaviour 1.1.2). */
  | { readonly kind: "any-text" }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "integer"; readonly min?: number; readonly max?: number }
  | { readonly kind: "number" }
  | { readonly kind: "boolean" }
  | { readonly kind: "integer-or-text" }
  /** Argo's durations that may be whole seconds; kept as text. */
  | { readonly kind: "duration-or-seconds" }
  | { readonly kind: "quantity" }
  | { readonly kind: "json" }
  /** Any JSON object; nothing is known of its fields. */
  | { readonly kind: "open-object" }
  | { readonly kind: "list"; readonly item: SchemaNode; readonly mergeKey?: string }
  | { readonly kind: "map"; readonly value: SchemaNode }
  | ObjectNode
  | { readonly kind: "lazy"; readonly get: () => SchemaNode };

export interface ObjectNode {
  readonly kind: "object";
  readonly fields: ReadonlyMap<string, FieldNode>;
}

export interface FieldNode {
  readonly node: SchemaNode;
  /** `required`: its absence is a problem. `zero`: absent means the empty value, as in Go. */
  readonly presence: "optional" | "required" | "zero";
}

/** The schema of a `T`. `type` never exists: it makes the compiler compare schemas by what they describe. */
export interface Schema<T> {
  readonly node: SchemaNode;
  readonly type?: (value: T) => T;
}

export interface RequiredField<T> extends FieldNode {
  readonly type?: (value: T) => T;
}

type KnownKeys<T> = keyof { readonly [K in keyof T as string extends K ? never : K]: T[K] };

/** One entry for each field of `T`: a plain schema where the field may be absent, a required one where it must not. */
export type Fields<T> = {
  readonly [K in KnownKeys<T>]-?: Record<string, never> extends Pick<T, K>
    ? Schema<NonNullable<T[K]>>
    : RequiredField<T[K]>;
};

export const text: Schema<string> = { node: { kind: "text" } };
export const anyText: Schema<string> = { node: { kind: "any-text" } };
export const integer: Schema<number> = { node: { kind: "integer" } };
export const number: Schema<number> = { node: { kind: "number" } };
export const boolean: Schema<boolean> = { node: { kind: "boolean" } };
export const intOrString: Schema<IntOrString> = { node: { kind: "integer-or-text" } };
export const durationOrSeconds: Schema<string> = { node: { kind: "duration-or-seconds" } };
export const quantity: Schema<IntOrString> = { node: { kind: "quantity" } };
export const json: Schema<Json> = { node: { kind: "json" } };
export const openObject: Schema<JsonObject> = { node: { kind: "open-object" } };
export const stringMap: Schema<Readonly<Record<string, string>>> = map(text);
/** `{}`: its presence is all it says. */
export const emptyObject: Schema<Record<string, never>> = { node: { kind: "object", fields: new Map() } };

export function integerFrom(min: number, max = Number.MAX_SAFE_INTEGER): Schema<number> {
  return { node: { kind: "integer", min, max } };
}

export function choice<const Value extends string>(...values: readonly Value[]): Schema<Value> {
  return { node: { kind: "choice", values } };
}

export function list<T>(item: Schema<T>): Schema<readonly T[]> {
  return { node: { kind: "list", item: item.node } };
}

/** A list whose items a strategic merge finds by the field `mergeKey` (Kubernetes' patchMergeKey). */
export function listBy<T>(mergeKey: keyof T & string, item: Schema<T>): Schema<readonly T[]> {
  return { node: { kind: "list", item: item.node, mergeKey } };
}

export function map<T>(value: Schema<T>): Schema<Readonly<Record<string, T>>> {
  return { node: { kind: "map", value: value.node } };
}

/** For recursion: the schema is looked up when it is needed. */
export function lazy<T>(get: () => Schema<T>): Schema<T> {
  return { node: { kind: "lazy", get: () => get().node } };
}

export function required<T>(schema: Schema<T>): RequiredField<T> {
  return { node: schema.node, presence: "required" };
}

/** A field that is always there in our types and may be left out in a manifest. */
export function orZero<T>(schema: Schema<T>): RequiredField<T> {
  return { node: schema.node, presence: "zero" };
}

/**
 * The schema of the interface `T`: `object<Mutex>()({ name: text, … })`. Two calls, so that the compiler infers the
 * fields that were given and refuses those that `T` does not have, also where they come out of a spread.
 */
export function object<T>(): <F extends Fields<T>>(fields: F & Surplus<F, T>) => Schema<T> {
  return (fields) => ({ node: objectNode(fields) });
}

/** Makes every field of `F` that `T` does not have impossible. */
type Surplus<F, T> = Readonly<Record<Exclude<keyof F, KnownKeys<T>>, never>>;

export type PartFields = Readonly<Record<string, { readonly node: SchemaNode } | FieldNode>>;

/** A part that our types carry as plain JSON: its fields are known here all the same, so that a wrong one is found. */
export function part(fields: PartFields): Schema<JsonObject> {
  return { node: objectNode(fields) };
}

function objectNode(fields: PartFields): ObjectNode {
  const entries = Object.entries(fields).map(([name, field]): [string, FieldNode] => [
    name,
    "presence" in field ? field : { node: field.node, presence: "optional" },
  ]);
  return { kind: "object", fields: new Map(entries) };
}

/** The node itself, with laziness taken off. */
export function resolveNode(node: SchemaNode): Exclude<SchemaNode, { readonly kind: "lazy" }> {
  let current = node;
  while (current.kind === "lazy") current = current.get();
  return current;
}
