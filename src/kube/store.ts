/** A set of objects with look-up by key, by UID and by named indexes: what a reflector knows of one resource type. */

import type { KubeObject } from "../core/model/kube/meta.js";
import { keyTextOf } from "./key.js";

/** The values under which an object is found in an index; none keeps it out. */
export type IndexFunction<T extends KubeObject> = (object: T) => readonly string[];

/** For readers: objects are frozen and shared. Order of iteration is the order of first insertion. */
export interface ReadonlyStore<T extends KubeObject, I extends string = never> {
  readonly size: number;
  /** By `namespace/name`. */
  get(key: string): T | undefined;
  getByUid(uid: string): T | undefined;
  byIndex(index: I, value: string): readonly T[];
  values(): Iterable<T>;
}

export class Store<T extends KubeObject, I extends string = never> implements ReadonlyStore<T, I> {
  readonly #objects = new Map<string, T>();
  readonly #keyByUid = new Map<string, string>();
  readonly #indexes: readonly { readonly name: I; readonly valuesOf: IndexFunction<T>; readonly keys: Buckets }[];

  constructor(indexes?: Readonly<Partial<Record<I, IndexFunction<T>>>>) {
    this.#indexes = (indexes === undefined ? [] : entriesOf(indexes)).map(([name, valuesOf]) => ({
      name,
      valuesOf,
      keys: new Map(),
    }));
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  getByUid(uid: string): T | undefined {
    const key = this.#keyByUid.get(uid);
    return key === undefined ? undefined : this.#objects.get(key);
  }

  byIndex(index: I, value: string): readonly T[] {
    const keys = this.#indexes.find(({ name }) => name === index)?.keys.get(value) ?? [];
    const found: T[] = [];
    for (const key of keys) {
      const object = this.#objects.get(key);
      if (object !== undefined) found.push(object);
    }
    return found;
  }

  values(): IterableIterator<T> {
    return this.#objects.values();
  }

  keys(): IterableIterator<string> {
    return this.#objects.keys();
  }

  /** Puts the object in the place of its key; answers what stood there. */
  set(object: T): T | undefined {
    const key = keyTextOf(object);
    const previous = this.#objects.get(key);
    this.#objects.set(key, object);
    this.#index(key, previous, object);
    return previous;
  }

  /** Answers what stood there. */
  delete(key: string): T | undefined {
    const previous = this.#objects.get(key);
    if (previous === undefined) return undefined;
    this.#objects.delete(key);
    this.#index(key, previous, undefined);
    return previous;
  }

  #index(key: string, before: T | undefined, after: T | undefined): void {
    this.#indexUid(key, before?.metadata.uid, after?.metadata.uid);
    for (const { valuesOf, keys } of this.#indexes) {
      const was = before === undefined ? nothing : valuesOf(before);
      const is = after === undefined ? nothing : valuesOf(after);
      // Most changes leave them as they are.
      if (was.length === is.length && was.every((value, at) => value === is[at])) continue;
      for (const value of was) removeFrom(keys, value, key);
      for (const value of is) addTo(keys, value, key);
    }
  }

  #indexUid(key: string, was: string | undefined, is: string | undefined): void {
    if (was === is) return;
    // Another object may carry the UID by now only if the API broke its word; then that one keeps it.
    if (was !== undefined && this.#keyByUid.get(was) === key) this.#keyByUid.delete(was);
    if (is !== undefined) this.#keyByUid.set(is, key);
  }
}

const nothing: readonly string[] = [];

type Buckets = Map<string, Set<string>>;

function addTo(buckets: Buckets, value: string, key: string): void {
  const keys = buckets.get(value);
  if (keys === undefined) buckets.set(value, new Set([key]));
  else keys.add(key);
}

/** An empty bucket is dropped, so that values that are gone leave nothing behind. */
function removeFrom(buckets: Buckets, value: string, key: string): void {
  const keys = buckets.get(value);
  keys?.delete(key);
  if (keys?.size === 0) buckets.delete(value);
}

function entriesOf<I extends string, V>(record: Readonly<Partial<Record<I, V>>>): readonly (readonly [I, V])[] {
  return Object.entries(record) as [I, V][];
}

/** An index function must not throw, whatever stands in the object: the values of `ownerReferences` by UID. */
export function ownerUids(object: KubeObject): readonly string[] {
  const owners: unknown = object.metadata.ownerReferences;
  return Array.isArray(owners) ? owners.map((owner) => String(owner?.uid)) : [];
}
