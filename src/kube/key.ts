/** Keys as text: `namespace/name`, or `name` for cluster-scoped objects; what queues and stores are indexed by. */

import type { KubeObject } from "../core/model/kube/meta.js";
import type { ResourceType } from "../core/model/resources.js";
import type { ObjectKey } from "./client.js";

export function keyText(key: ObjectKey): string {
  return key.namespace === undefined || key.namespace === "" ? key.name : `${key.namespace}/${key.name}`;
}

/** The inverse of {@link keyText}. */
export function parseKey(text: string): ObjectKey {
  const slash = text.indexOf("/");
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}

export function keyOf(object: KubeObject): ObjectKey {
  const { namespace, name = "" } = object.metadata;
  return namespace === undefined || namespace === "" ? { name } : { namespace, name };
}

export function keyTextOf(object: KubeObject): string {
  return keyText(keyOf(object));
}

/** A name for a resource type that is unique within one API server: `pods`, `workflows.argoproj.io`. */
export function typeName(type: Pick<ResourceType, "group" | "plural">): string {
  if (type.group === "") return type.plural;
  const known = typeNames.get(type);
  if (known !== undefined) return known;
  const name = `${type.plural}.${type.group}`;
  typeNames.set(type, name);
  return name;
}

/** Each request asks for its type's name some times, and a text that is made anew is looked up by its characters. */
const typeNames = new WeakMap<Pick<ResourceType, "group" | "plural">, string>();
