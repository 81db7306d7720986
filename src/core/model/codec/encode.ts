/** Plain JSON of a typed resource, fields in the order of its schema. */

import { isJsonObject, type Json, setOwn } from "../../std/json.js";
import { resolveNode, type SchemaNode } from "./schema.js";

/** The inverse of decoding: absent fields are left out, known ones come in schema order, others behind them. */
export function encodeNode(node: SchemaNode, value: unknown): Json {
  const resolved = resolveNode(node);
  if (Array.isArray(value)) {
    const item = resolved.kind === "list" ? resolved.item : ANY;
    return value.map((each) => encodeNode(item, each));
  }
  if (!isJsonObject(value)) return scalar(value);
  const result: Record<string, Json> = {};
  const put = (key: string, below: SchemaNode): void => {
    const each: unknown = value[key];
    if (each !== undefined) setOwn(result, key, encodeNode(below, each));
  };
  const fields = resolved.kind === "object" ? resolved.fields : new Map<string, { readonly node: SchemaNode }>();
  for (const [key, field] of fields) if (Object.hasOwn(value, key)) put(key, field.node);
  for (const key of Object.keys(value)) {
    if (!fields.has(key)) put(key, resolved.kind === "map" ? resolved.value : ANY);
  }
  return result;
}

const ANY: SchemaNode = { kind: "json" };

function scalar(value: unknown): Json {
  if (typeof value === "string" || typeof value === "boolean" || typeof value === "number") return value;
  return null;
}
