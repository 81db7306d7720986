/** Names of Secrets, ConfigMaps and claims inside any part of a spec, found by the fields that hold them. */

import { fieldPath, itemPath } from "../../core/model/index.js";
import { isJsonObject, type JsonObject } from "../../core/std/json.js";
import type { NeededKind } from "./references.js";

export interface Finding {
  readonly kind: NeededKind;
  readonly name: string;
  /** Empty when any key does. */
  readonly key: string;
  /** Path of the name in the document. */
  readonly path: string;
  /** A volume: each key becomes a file. */
  readonly asFiles: boolean;
}

/** Field -> what it names: the field with the name, and whether it also names a key. */
const FIELDS: Readonly<Record<string, { readonly kind: NeededKind; readonly name: string }>> = {
  secretKeyRef: { kind: "Secret", name: "name" },
  configMapKeyRef: { kind: "ConfigMap", name: "name" },
  secretRef: { kind: "Secret", name: "name" },
  configMapRef: { kind: "ConfigMap", name: "name" },
  persistentVolumeClaim: { kind: "PersistentVolumeClaim", name: "claimName" },
};

/** Parts that are never read on one machine, or are looked at elsewhere. */
const LEFT_ALONE: ReadonlySet<string> = new Set([
  "s3",
  "gcs",
  "azure",
  "oss",
  "hdfs",
  "artifactory",
  "plugin",
  "manifest",
]);

export function findingsIn(value: JsonObject, path: string): readonly Finding[] {
  const findings: Finding[] = [];
  visit(value, path, findings);
  return findings;
}

function visit(value: unknown, path: string, findings: Finding[]): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) visit(item, itemPath(path, index), findings);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [field, inner] of Object.entries(value)) {
    if (LEFT_ALONE.has(field)) continue;
    const at = fieldPath(path, field);
    const finding = isJsonObject(inner) ? findingOf(field, inner, at) : undefined;
    if (finding !== undefined) findings.push(finding);
    visit(inner, at, findings);
  }
}

function findingOf(field: string, value: JsonObject, path: string): Finding | undefined {
  if (value["optional"] === true) return undefined;
  const known = FIELDS[field] ?? volumeSource(field, value) ?? credential(field, value);
  if (known === undefined) return undefined;
  const name = value[known.name];
  if (typeof name !== "string") return undefined;
  const key = typeof value["key"] === "string" ? value["key"] : "";
  const asFiles = field === "secret" || field === "configMap";
  return { kind: known.kind, name, key, path: fieldPath(path, known.name), asFiles };
}

/** `secret` and `configMap` of volumes: `secretName` in a plain volume, `name` in a projected one. */
function volumeSource(
  field: string,
  value: JsonObject,
): { readonly kind: NeededKind; readonly name: string } | undefined {
  if (field === "secret") return { kind: "Secret", name: "secretName" in value ? "secretName" : "name" };
  if (field === "configMap" && !("key" in value)) return { kind: "ConfigMap", name: "name" };
  return undefined;
}

/** `usernameSecret`, `clientKeySecret`, … of an http artifact's credentials. */
function credential(
  field: string,
  value: JsonObject,
): { readonly kind: NeededKind; readonly name: string } | undefined {
  return field.endsWith("Secret") && "name" in value && "key" in value ? { kind: "Secret", name: "name" } : undefined;
}
