/** Small changes to a client, for mutants that break a law on the way to the API. */

import type { KubeObject } from "../../../src/core/model/kube/meta.js";
import type { ResourceType } from "../../../src/core/model/resources.js";
import type { JsonObject } from "../../../src/core/std/json.js";
import type { Client, DeleteOptions, Patch } from "../../../src/kube/client.js";

/** Merge patches of one type with other metadata. */
export function changingPatches(
  client: Client,
  type: ResourceType,
  change: (metadata: JsonObject) => JsonObject,
): Client {
  return {
    ...client,
    patch: (of, key, patch, options) => client.patch(of, key, of === type ? changed(patch, change) : patch, options),
  };
}

function changed(patch: Patch, change: (metadata: JsonObject) => JsonObject): Patch {
  if (patch.type !== "merge") return patch;
  const body = patch.body as { readonly metadata: JsonObject };
  return { type: "merge", body: { ...body, metadata: change(body.metadata) } };
}

/** A delete that takes whatever bears the name. */
export function withoutConditions(options: DeleteOptions | undefined): DeleteOptions {
  const { preconditions: _, ...rest } = options ?? {};
  return rest;
}

/** An object as the API answered it to a write, without what tells which one it is. */
export function withoutUid<T extends KubeObject>(object: T): T {
  const { uid: _uid, ...metadata } = object.metadata;
  return { ...object, metadata };
}
