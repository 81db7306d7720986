/** Secrets: `stringData` is folded into `data`, as base64. */

import type { KubeObject } from "../../../../core/model/kube/meta.js";
import { isJsonObject, type Json } from "../../../../core/std/json.js";
import { fieldOf, objectField, withField } from "../fields.js";
import { immutableFaults } from "../immutable.js";
import type { Strategy } from "./strategy.js";

export const secretStrategy: Strategy = {
  create: (secret) => folded(withField(secret, "type", fieldOf(secret, "type") ?? "Opaque")),
  update: (secret, before) => folded(withField(secret, "type", fieldOf(secret, "type") ?? fieldOf(before, "type"))),
  faults: (secret, before) => [
    ...dataFaults(fieldOf(secret, "data")),
    ...typeFaults(secret, before),
    ...immutableFaults(secret, before, ["data"]),
  ],
  selectable: ["type"],
};

function folded(secret: KubeObject): KubeObject {
  const text = fieldOf(secret, "stringData");
  if (text === undefined) return secret;
  const data: Record<string, Json> = { ...objectField(secret, "data") };
  for (const [key, value] of Object.entries(isJsonObject(text) ? text : {})) {
    data[key] = Buffer.from(String(value), "utf8").toString("base64");
  }
  return withField(withField(secret, "stringData", undefined), "data", data);
}

function dataFaults(data: Json | undefined): readonly string[] {
  if (data === undefined || data === null) return [];
  if (!isJsonObject(data)) return ["data: Invalid value: must be a map of base64 text"];
  return Object.entries(data).flatMap(([key, value]) => [
    ...(/^[-._a-zA-Z0-9]{1,253}$/.test(key) ? [] : [keyFault(key)]),
    ...(isBase64(value) ? [] : [`data[${key}]: Invalid value: must be base64`]),
  ]);
}

function keyFault(key: string): string {
  return `data[${key}]: Invalid value: ${JSON.stringify(key)}: a valid config key must consist of alphanumeric characters, '-', '_' or '.'`;
}

function isBase64(value: Json): boolean {
  return typeof value === "string" && value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value);
}

function typeFaults(secret: KubeObject, before: KubeObject | undefined): readonly string[] {
  if (before === undefined || fieldOf(secret, "type") === fieldOf(before, "type")) return [];
  return [`type: Invalid value: ${JSON.stringify(fieldOf(secret, "type"))}: field is immutable`];
}
