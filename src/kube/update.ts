/** Writing an object that others write too: on a conflict, read it fresh and decide again. Nothing is ever merged. */

import type { KubeObject } from "../core/model/kube/meta.js";
import type { ResourceType } from "../core/model/resources.js";
import type { Client, ObjectKey, Patch, Subresource } from "./client.js";
import { isConflict, isNotFound } from "./errors.js";
import { objectWithPrecondition, withPrecondition } from "./precondition.js";

export interface UpdateOptions<T extends KubeObject> {
  /** What the first decision is made from (as the store shows it); left out: a live read. */
  readonly from?: T;
  /** Only this object is meant; another one of the same name counts as gone. Taken from `from` where that is given. */
  readonly uid?: string;
  readonly subresource?: Subresource;
  /** Decisions at most; the last conflict is thrown. */
  readonly attemptsMax?: number;
}

export type UpdateResult<T extends KubeObject> =
  | { readonly outcome: "written" | "unchanged"; readonly object: T }
  /** Deleted, or another object (another UID) has its name. */
  | { readonly outcome: "gone" };

const defaultAttemptsMax = 10;

/**
 * `decide` gets the newest object known and answers the object wanted, or undefined when nothing is to be changed. It
 * must be pure: it runs again for each conflict, on the object as it stands then. The write carries UID and
 * resourceVersion. Rejects as {@link Client} does; a write without an answer is not repeated.
 */
export function updateOnConflict<T extends KubeObject>(
  client: Client,
  target: { readonly type: ResourceType; readonly key: ObjectKey },
  decide: (object: T) => T | undefined,
  options: UpdateOptions<T> = {},
): Promise<UpdateResult<T>> {
  const { type } = target;
  return writeOnConflict(client, target, options, async (seen) => {
    const next = decide(seen);
    if (next === undefined) return undefined;
    return client.update(type, objectWithPrecondition(next, seen), subresourceOf(options));
  });
}

/** As {@link updateOnConflict}, where only a few fields are sent: `decide` answers a patch. */
export function patchOnConflict<T extends KubeObject>(
  client: Client,
  target: { readonly type: ResourceType; readonly key: ObjectKey },
  decide: (object: T) => Patch | undefined,
  options: UpdateOptions<T> = {},
): Promise<UpdateResult<T>> {
  const { type, key } = target;
  return writeOnConflict(client, target, options, async (seen) => {
    const patch = decide(seen);
    if (patch === undefined) return undefined;
    return client.patch<T>(type, key, withPrecondition(patch, seen), subresourceOf(options));
  });
}

function subresourceOf({ subresource }: { readonly subresource?: Subresource }): {
  readonly subresource?: Subresource;
} {
  return subresource === undefined ? {} : { subresource };
}

async function writeOnConflict<T extends KubeObject>(
  client: Client,
  { type, key }: { readonly type: ResourceType; readonly key: ObjectKey },
  options: UpdateOptions<T>,
  write: (seen: T) => Promise<T | undefined>,
): Promise<UpdateResult<T>> {
  const { from, attemptsMax = defaultAttemptsMax } = options;
  let uid = options.uid ?? from?.metadata.uid;
  let seen = from;
  for (let attempt = 1; ; attempt++) {
    try {
      seen ??= await client.get<T>(type, key);
      uid ??= seen.metadata.uid;
      if (seen.metadata.uid !== uid) return { outcome: "gone" };
      const written = await write(seen);
      return written === undefined ? { outcome: "unchanged", object: seen } : { outcome: "written", object: written };
    } catch (error) {
      if (isNotFound(error)) return { outcome: "gone" };
      if (!isConflict(error) || attempt >= attemptsMax) throw error;
      seen = undefined;
    }
  }
}
