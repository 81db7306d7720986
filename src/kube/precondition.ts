/** Every write carries what it was decided from: the object's UID and resourceVersion. */

import type { KubeObject } from "../core/model/kube/meta.js";
import { isJsonObject, type Json } from "../core/std/json.js";
import { plain } from "../core/std/plain.js";
import type { DeleteOptions, Patch } from "./client.js";

/** `patch`, refused with 409 unless the object still is as `seen`. */
export function withPrecondition(patch: Patch, seen: KubeObject): Patch {
  const { uid, resourceVersion } = preconditionOf(seen);
  if (patch.type === "merge") return { type: "merge", body: mergedMetadata(patch.body, { uid, resourceVersion }) };
  // Setting the two, not testing them: a failed `test` is a 422 that cannot be told from a wrong patch.
  const guards: readonly Json[] = [
    { op: "add", path: "/metadata/uid", value: uid },
    { op: "add", path: "/metadata/resourceVersion", value: resourceVersion },
  ];
  return { type: "json", body: [...guards, ...patch.body] };
}

function mergedMetadata(body: Json, precondition: Precondition): Json {
  const object = isJsonObject(body) ? body : {};
  const metadata = object["metadata"];
  return { ...object, metadata: { ...(isJsonObject(metadata) ? metadata : {}), ...precondition } };
}

/** `next`, carrying the UID and resourceVersion of `seen` whatever it came with. */
export function objectWithPrecondition<T extends KubeObject>(next: T, seen: KubeObject): T {
  const { uid, resourceVersion } = preconditionOf(seen);
  if (next.metadata.uid === uid && next.metadata.resourceVersion === resourceVersion) return next;
  return { ...plain, ...next, metadata: { ...plain, ...next.metadata, uid, resourceVersion } };
}

/** Options to delete the object, refused with 409 unless it still is as it was `seen`. */
export function deletePrecondition(seen: KubeObject): Pick<DeleteOptions, "preconditions"> {
  return { preconditions: preconditionOf(seen) };
}

interface Precondition {
  readonly uid: string;
  readonly resourceVersion: string;
}

function preconditionOf(seen: KubeObject): Precondition {
  const { uid, resourceVersion } = seen.metadata;
  if (uid === undefined || resourceVersion === undefined) {
    throw new TypeError(
      `${seen.kind} ${seen.metadata.name ?? ""} was not read from the API: no uid or resourceVersion`,
    );
  }
  return { uid, resourceVersion };
}
