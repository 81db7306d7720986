/** Reading and replacing top-level members of an object of any kind. */

import type { KubeObject } from "../../../core/model/kube/meta.js";
import { isJsonObject, type Json, type JsonObject } from "../../../core/std/json.js";
import { plain } from "../../../core/std/plain.js";

export function fieldOf(object: KubeObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
}

/** The member as an object; an empty one where it is something else. */
export function objectField(object: KubeObject, name: string): JsonObject {
  const value = fieldOf(object, name);
  return isJsonObject(value) ? value : {};
}

export function withField(object: KubeObject, name: string, value: Json | undefined): KubeObject {
  if (value === fieldOf(object, name)) return object;
  if (value !== undefined) return { ...plain, ...object, [name]: value };
  const { [name]: _, ...others } = object as KubeObject & Readonly<Record<string, unknown>>;
  return others as unknown as KubeObject;
}

export function isDeleting(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}

export function finalizersOf(object: KubeObject): readonly string[] {
  return object.metadata.finalizers ?? [];
}
