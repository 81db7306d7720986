/** Who owns whom, by UID, among the live objects. */

import type { KubeObject, OwnerReference } from "../../../../core/model/kube/meta.js";
import type { LedgerEvent } from "../../storage/event-ring.js";
import type { StoredObject } from "../../storage/stored-object.js";

/** Where a live object is. */
export interface Place {
  readonly collection: string;
  readonly uid: string;
  readonly namespace: string | undefined;
  readonly name: string;
}

export class OwnerGraph {
  readonly #places = new Map<string, Place>();
  readonly #dependents = new Map<string, Set<string>>();

  /** Takes a commit into account. */
  apply({ collection, before, after }: LedgerEvent): void {
    if (after === undefined || uidOf(before) !== uidOf(after)) this.#remove(before);
    if (after !== undefined) this.add(collection, after, before);
  }

  add(collection: string, object: StoredObject, before?: StoredObject): void {
    const { uid, namespace, name = "" } = object.bare.metadata;
    if (uid === undefined) return;
    if (!this.#places.has(uid)) this.#places.set(uid, { collection, uid, namespace, name });
    if (before !== undefined && ownersOf(before.bare) === ownersOf(object.bare)) return;
    this.#unlink(before);
    for (const owner of ownersOf(object.bare)) {
      const dependents = this.#dependents.get(owner.uid);
      if (dependents === undefined) this.#dependents.set(owner.uid, new Set([uid]));
      else dependents.add(uid);
    }
  }

  placeOf(uid: string): Place | undefined {
    return this.#places.get(uid);
  }

  /** UIDs of the live objects that name `uid` as an owner. */
  dependentsOf(uid: string): readonly string[] {
    return [...(this.#dependents.get(uid) ?? [])];
  }

  #remove(object: StoredObject | undefined): void {
    const uid = uidOf(object);
    if (uid === undefined) return;
    this.#unlink(object);
    this.#places.delete(uid);
  }

  #unlink(object: StoredObject | undefined): void {
    const uid = uidOf(object);
    if (object === undefined || uid === undefined) return;
    for (const owner of ownersOf(object.bare)) {
      const dependents = this.#dependents.get(owner.uid);
      dependents?.delete(uid);
      if (dependents?.size === 0) this.#dependents.delete(owner.uid);
    }
  }
}

const none: readonly OwnerReference[] = [];

export function ownersOf(object: KubeObject): readonly OwnerReference[] {
  return object.metadata.ownerReferences ?? none;
}

function uidOf(object: StoredObject | undefined): string | undefined {
  return object?.bare.metadata.uid;
}
