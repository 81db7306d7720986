/** The garbage collector: what is owned goes with its owner, and what waits for others goes when they are gone. */

import type { KubeObject, OwnerReference } from "../../../../core/model/kube/meta.js";
import { namespaces, type ResourceType } from "../../../../core/model/resources.js";
import type { DeleteOptions } from "../../../../kube/client.js";
import type { Timer } from "../../../../kube/clock.js";
import { ApiError } from "../../../../kube/errors.js";
import { typeName } from "../../../../kube/key.js";
import type { LedgerEvent } from "../../storage/event-ring.js";
import type { StoredObject } from "../../storage/stored-object.js";
import { commit, type Intent, type Target } from "../commit.js";
import { pathOf, type RegistryContext } from "../context.js";
import { foregroundFinalizer, orphanFinalizer, remove } from "../delete.js";
import { finalizersOf, isDeleting, objectField, withField } from "../fields.js";
import { isReleased } from "../lifecycle.js";
import { patch } from "../update.js";
import { OwnerGraph, ownersOf, type Place } from "./graph.js";

/** Objects looked at at once: their writes share a commit. */
const companyMax = 64;
/** Milliseconds until the next try when the store did not take a write. */
const retryMs = 1000;

export class Collector {
  readonly #context: RegistryContext;
  readonly #typeOfCollection: (collection: string) => ResourceType | undefined;
  readonly #graph = new OwnerGraph();
  /** UIDs of objects to look at; a namespace is looked at under its own. */
  readonly #due = new Set<string>();
  readonly #retries = new Set<Timer>();
  #isAtWork = false;
  #isClosed = false;

  constructor(context: RegistryContext, typeOfCollection: (collection: string) => ResourceType | undefined) {
    this.#context = context;
    this.#typeOfCollection = typeOfCollection;
  }

  /** Looks at everything there is, then at every commit. */
  start(): void {
    for (const collection of this.#context.ledger.collections()) {
      for (const { committed } of collection.entries.values()) {
        if (committed === undefined) continue;
        this.#graph.add(collection.name, committed);
        if (isOfInterest(committed.bare)) this.#add(committed.bare.metadata.uid);
      }
    }
    this.#context.ledger.onCommit((events) => {
      for (const event of events) this.#committed(event);
      this.#work();
    });
    this.#work();
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#retries) timer.cancel();
    this.#retries.clear();
  }

  #committed(event: LedgerEvent): void {
    const { before, after } = event;
    this.#graph.apply(event);
    if (after === undefined) {
      this.#gone(event);
    } else if (before === undefined) {
      if (isOfInterest(after.bare)) this.#add(after.bare.metadata.uid);
    } else {
      // What a change leaves alone is shared: most changes of a pod are of its status, and nobody's concern here.
      const isOwnedAsBefore = before.bare.metadata.ownerReferences === after.bare.metadata.ownerReferences;
      if (!isOwnedAsBefore) this.#addAll([...owningUids(before), ...owningUids(after)]);
      if (isOwnedAsBefore ? isDeleting(after.bare) : isOfInterest(after.bare)) this.#add(after.bare.metadata.uid);
    }
  }

  #gone({ before, last }: LedgerEvent): void {
    this.#addAll(owningUids(before));
    this.#addAll(this.#graph.dependentsOf(last.bare.metadata.uid ?? ""));
    this.#add(this.#deletingNamespace(last.bare.metadata.namespace)?.bare.metadata.uid);
  }

  #addAll(uids: readonly string[]): void {
    for (const uid of uids) this.#add(uid);
  }

  #add(uid: string | undefined): void {
    if (uid !== undefined && this.#graph.placeOf(uid) !== undefined) this.#due.add(uid);
  }

  #work(): void {
    if (this.#isAtWork || this.#due.size === 0 || this.#isClosed) return;
    this.#isAtWork = true;
    void this.#loop();
  }

  async #loop(): Promise<void> {
    while (this.#due.size > 0 && !this.#isClosed) {
      const company = [...this.#due].slice(0, companyMax);
      for (const uid of company) this.#due.delete(uid);
      await Promise.all(company.map((uid) => this.#lookSafely(uid)));
    }
    this.#isAtWork = false;
  }

  async #lookSafely(uid: string): Promise<void> {
    try {
      await this.#look(uid);
    } catch (error) {
      if (this.#isClosed || (error instanceof ApiError && error.code === 404)) return;
      // Changed meanwhile: what it is now decides.
      if (error instanceof ApiError && error.code === 409) this.#add(uid);
      else this.#tryLater(uid);
    }
  }

  #tryLater(uid: string): void {
    const timer = this.#context.clock.after(retryMs, () => {
      this.#retries.delete(timer);
      this.#add(uid);
      this.#work();
    });
    this.#retries.add(timer);
  }

  async #look(uid: string): Promise<void> {
    const place = this.#graph.placeOf(uid);
    const found = place === undefined ? undefined : this.#find(place);
    if (place === undefined || found === undefined) return;
    const { target, object } = found;
    if (!isDeleting(object)) return this.#lookAtOwners(target, object);
    const finalizers = finalizersOf(object);
    if (finalizers.includes(orphanFinalizer)) await this.#orphan(target, object);
    else if (finalizers.includes(foregroundFinalizer)) await this.#endDependents(target, object);
    else if (isNamespace(target)) await this.#empty(target, object);
  }

  #find({ collection, namespace, name, uid }: Place): { target: Target; object: KubeObject } | undefined {
    const type = this.#typeOfCollection(collection);
    const object = this.#context.ledger.collection(collection).entries.get(pathOf(namespace, name))?.committed?.bare;
    if (type === undefined || object?.metadata.uid !== uid) return undefined;
    return { target: { type, namespace, name }, object };
  }

  /** Without a living owner an object goes; with one it forgets those that are gone. */
  async #lookAtOwners(target: Target, object: KubeObject): Promise<void> {
    const owners = ownersOf(object).map((owner) => ({ owner, state: this.#stateOf(owner, object) }));
    const living = owners.filter(({ state }) => state === "lives").map(({ owner }) => owner);
    if (owners.length === living.length) return;
    if (living.length > 0) return this.#setOwners(target, object, living);
    const isAwaited = owners.some(({ state }) => state === "waits for dependents");
    const hasDependents = this.#graph.dependentsOf(object.metadata.uid ?? "").length > 0;
    await this.#delete(target, object, isAwaited && hasDependents ? "Foreground" : "Background");
  }

  #stateOf(owner: OwnerReference, dependent: KubeObject): "lives" | "waits for dependents" | "gone" {
    // An owner of a type that is not served here cannot be looked for: nothing is deleted on a guess.
    if (this.#context.typeOf(owner.apiVersion, owner.kind) === undefined) return "lives";
    const place = this.#graph.placeOf(owner.uid);
    const { namespace } = dependent.metadata;
    if (place === undefined || (place.namespace !== undefined && place.namespace !== namespace)) return "gone";
    const object = this.#find(place)?.object;
    if (object === undefined) return "gone";
    return isDeleting(object) && finalizersOf(object).includes(foregroundFinalizer) ? "waits for dependents" : "lives";
  }

  async #endDependents(target: Target, object: KubeObject): Promise<void> {
    const uid = object.metadata.uid ?? "";
    const dependents = this.#graph.dependentsOf(uid);
    for (const dependent of dependents) this.#add(dependent);
    const isBlocked = dependents.some((dependent) => this.#blocks(dependent, uid));
    if (!isBlocked) await this.#dropFinalizer(target, object, foregroundFinalizer);
  }

  #blocks(dependent: string, owner: string): boolean {
    const place = this.#graph.placeOf(dependent);
    const object = place === undefined ? undefined : this.#find(place)?.object;
    return (
      object !== undefined &&
      ownersOf(object).some(({ uid, blockOwnerDeletion }) => uid === owner && blockOwnerDeletion)
    );
  }

  async #orphan(target: Target, object: KubeObject): Promise<void> {
    const uid = object.metadata.uid ?? "";
    for (const dependent of this.#graph.dependentsOf(uid)) {
      const place = this.#graph.placeOf(dependent);
      const found = place === undefined ? undefined : this.#find(place);
      if (found === undefined) continue;
      const others = ownersOf(found.object).filter((owner) => owner.uid !== uid);
      await this.#setOwners(found.target, found.object, others);
    }
    await this.#dropFinalizer(target, object, orphanFinalizer);
  }

  /** A deleting namespace takes everything in it along. */
  async #empty(target: Target, namespace: KubeObject): Promise<void> {
    const left: Promise<unknown>[] = [];
    for (const collection of this.#context.ledger.collections()) {
      const type = this.#typeOfCollection(collection.name);
      if (type?.namespaced !== true) continue;
      for (const { committed } of [...collection.entries.values()]) {
        const object = committed?.bare;
        if (object?.metadata.namespace !== target.name) continue;
        const inside = { type, namespace: target.name, name: object.metadata.name ?? "" };
        left.push(isDeleting(object) ? Promise.resolve() : this.#delete(inside, object, "Background"));
      }
    }
    await Promise.all(left);
    if (left.length === 0) await this.#finalize(target, namespace);
  }

  async #finalize(target: Target, namespace: KubeObject): Promise<void> {
    await commit(this.#context, target, (head): Intent => {
      if (head?.bare.metadata.uid !== namespace.metadata.uid || head === undefined) return { kind: "nothing" };
      const { finalizers: _finalizers, ...spec } = objectField(head.bare, "spec");
      const draft = { bare: withField(head.bare, "spec", spec), rows: [] };
      return { kind: isReleased(draft.bare) ? "remove" : "put", draft };
    });
  }

  async #delete(target: Target, object: KubeObject, propagationPolicy: "Foreground" | "Background"): Promise<void> {
    const { uid = "", resourceVersion = "" } = object.metadata;
    const options: DeleteOptions = { preconditions: { uid, resourceVersion } };
    await remove(
      this.#context,
      target,
      propagationPolicy === "Foreground" ? { ...options, propagationPolicy } : options,
    );
  }

  async #setOwners(target: Target, object: KubeObject, owners: readonly OwnerReference[]): Promise<void> {
    await this.#patchMetadata(target, object, { ownerReferences: owners.map((owner) => ({ ...owner })) });
  }

  async #dropFinalizer(target: Target, object: KubeObject, name: string): Promise<void> {
    await this.#patchMetadata(target, object, { finalizers: finalizersOf(object).filter((other) => other !== name) });
  }

  async #patchMetadata(target: Target, object: KubeObject, change: object): Promise<void> {
    const { uid = "", resourceVersion = "" } = object.metadata;
    await patch(this.#context, target, { type: "merge", body: { metadata: { uid, resourceVersion, ...change } } });
  }

  #deletingNamespace(name: string | undefined): StoredObject | undefined {
    if (name === undefined) return undefined;
    const path = pathOf(undefined, name);
    const found = this.#context.ledger.collection(typeName(namespaces)).entries.get(path)?.committed;
    return found !== undefined && isDeleting(found.bare) ? found : undefined;
  }
}

function isOfInterest(object: KubeObject): boolean {
  return isDeleting(object) || ownersOf(object).length > 0;
}

function isNamespace({ type }: Target): boolean {
  return typeName(type) === typeName(namespaces);
}

function owningUids(object: StoredObject | undefined): readonly string[] {
  return object === undefined ? [] : ownersOf(object.bare).map(({ uid }) => uid);
}
