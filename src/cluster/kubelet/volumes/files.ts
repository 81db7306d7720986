/** Volumes made of files: configMap, secret, downwardAPI, projected. */

import type { KeyToPath, Volume } from "../../../core/model/kube/pod.js";
import { isJsonObject, type Json, type JsonObject } from "../../../core/std/json.js";
import { err, ok, type Result } from "../../../core/std/result.js";
import type { ConfigKind } from "../config-source.js";
import { fieldValue, resourceValue } from "../downward.js";
import type { VolumeContext, VolumeFault } from "./volume.js";

export interface FilePlan {
  /** Relative, without `..`. */
  readonly path: string;
  readonly mode: number;
  readonly bytes: Buffer;
}

type Files = Result<readonly FilePlan[], VolumeFault>;

const DEFAULT_MODE = 0o644;

export function isMadeOfFiles({ configMap, secret, downwardAPI, projected }: Volume): boolean {
  return (configMap ?? secret ?? downwardAPI ?? projected) !== undefined;
}

/** Undefined when the volume is not made of files. */
export async function filesOf(volume: Volume, context: VolumeContext): Promise<Files | undefined> {
  if (volume.configMap !== undefined) {
    return configFiles({ ...volume.configMap, kind: "configmap", name: volume.configMap.name ?? "" }, context);
  }
  if (volume.secret !== undefined) {
    return configFiles({ ...volume.secret, kind: "secret", name: volume.secret.secretName ?? "" }, context);
  }
  if (volume.downwardAPI !== undefined) return downwardFiles(volume.downwardAPI, modeOf(volume.downwardAPI), context);
  if (volume.projected !== undefined) return projectedFiles(volume.projected, context);
  return undefined;
}

interface ConfigFiles {
  readonly kind: ConfigKind;
  readonly name: string;
  readonly items?: readonly KeyToPath[];
  readonly defaultMode?: number;
  readonly optional?: boolean;
}

async function configFiles(wish: ConfigFiles, { facts, source }: VolumeContext): Promise<Files> {
  const namespace = facts.pod.metadata.namespace ?? "";
  const missing = (message: string): Files =>
    err({ missing: { kind: wish.kind, namespace, name: wish.name, message } });
  const data = await source.read(wish.kind, namespace, wish.name);
  if (data === undefined) return wish.optional === true ? ok([]) : missing(`${wish.kind} "${wish.name}" not found`);
  const mode = wish.defaultMode ?? DEFAULT_MODE;
  if (wish.items === undefined) return checked([...data].map(([path, bytes]) => ({ path, mode, bytes })));
  const files: FilePlan[] = [];
  for (const item of wish.items) {
    const bytes = data.get(item.key);
    if (bytes !== undefined) files.push({ path: item.path, mode: item.mode ?? mode, bytes });
    else if (wish.optional !== true) return missing(`references non-existent config key: ${item.key}`);
  }
  return checked(files);
}

function checked(files: readonly FilePlan[]): Files {
  const outside = files.find(({ path }) => path.startsWith("/") || path.split("/").includes(".."));
  if (outside !== undefined) return err({ message: `path "${outside.path}" leaves its volume` });
  const nameless = files.find(({ path }) => /^(\.?\/)*\.?$|\/\.?$/.test(path));
  return nameless === undefined ? ok(files) : err({ message: `path "${nameless.path}" is no name of a file` });
}

function downwardFiles(volume: JsonObject, defaultMode: number, { facts }: VolumeContext): Files {
  const files: FilePlan[] = [];
  for (const item of objects(volume["items"])) {
    const { path, fieldRef, resourceFieldRef } = item;
    const value = isJsonObject(fieldRef)
      ? fieldValue(text(fieldRef["fieldPath"]), facts)
      : resourceText(isJsonObject(resourceFieldRef) ? resourceFieldRef : {}, facts);
    if (value === undefined) return err({ message: `downwardAPI item "${text(path)}" names nothing that is known` });
    files.push({ path: text(path), mode: numberOr(item["mode"], defaultMode), bytes: Buffer.from(value) });
  }
  return checked(files);
}

function resourceText(reference: JsonObject, facts: VolumeContext["facts"]): string | undefined {
  const { initContainers = [], containers } = facts.pod.spec;
  const container = [...initContainers, ...containers].find((one) => one.name === reference["containerName"]);
  if (container === undefined) return undefined;
  return resourceValue(container, text(reference["resource"]), text(reference["divisor"]), facts);
}

async function projectedFiles(volume: JsonObject, context: VolumeContext): Promise<Files> {
  const mode = modeOf(volume);
  const files = new Map<string, FilePlan>();
  for (const source of objects(volume["sources"])) {
    const part = await projectedPart(source, mode, context);
    if (!part.ok) return part;
    for (const file of part.value) files.set(file.path, file);
  }
  return ok([...files.values()]);
}

async function projectedPart(source: JsonObject, mode: number, context: VolumeContext): Promise<Files> {
  const { configMap, secret, downwardAPI, serviceAccountToken } = source;
  if (isJsonObject(configMap)) return configFiles(configWish("configmap", configMap, mode), context);
  if (isJsonObject(secret)) return configFiles(configWish("secret", secret, mode), context);
  if (isJsonObject(downwardAPI)) return downwardFiles(downwardAPI, mode, context);
  // There is no token to give: whoever reads it finds an empty file.
  if (isJsonObject(serviceAccountToken)) {
    return checked([{ path: text(serviceAccountToken["path"]), mode: 0o600, bytes: Buffer.alloc(0) }]);
  }
  return ok([]);
}

function configWish(kind: ConfigKind, source: JsonObject, defaultMode: number): ConfigFiles {
  const items = source["items"];
  return {
    kind,
    name: text(source["name"]),
    defaultMode,
    optional: source["optional"] === true,
    ...(Array.isArray(items) ? { items: objects(items).map(keyToPath) } : {}),
  };
}

function keyToPath(item: JsonObject): KeyToPath {
  const mode = item["mode"];
  return { key: text(item["key"]), path: text(item["path"]), ...(typeof mode === "number" ? { mode } : {}) };
}

function modeOf(volume: JsonObject): number {
  return numberOr(volume["defaultMode"], DEFAULT_MODE);
}

function objects(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function text(value: Json | undefined): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function numberOr(value: Json | undefined, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
