/** What one watch stream has shown so far, and which changes each list or event makes of it. No I/O, no time. */

import type { KubeObject } from "../../core/model/kube/meta.js";
import type { WatchEvent } from "../client.js";
import { deepFreeze } from "../freeze.js";
import { keyTextOf } from "../key.js";
import { compareRevisions, isOlder } from "../revision.js";
import type { Store } from "../store.js";

/** `deleted` carries the last state known; a delete that no event told (seen as a gap in a relist) looks the same. */
export type Change<T extends KubeObject> =
  | { readonly type: "added"; readonly object: T }
  | { readonly type: "updated"; readonly object: T; readonly previous: T }
  | { readonly type: "deleted"; readonly object: T };

/** How far the stream has come; told after the changes that led there. */
export interface Progress {
  /** `rewound`: the server answered a consistent list older than what it had shown before (a restored backup). */
  readonly kind: "event" | "bookmark" | "list" | "rewound";
  readonly revision: string;
}

export interface ViewHandler<T extends KubeObject> {
  changed?(change: Change<T>): void;
  passed?(progress: Progress): void;
}

export interface ViewOptions<T extends KubeObject> {
  /** Takes away what nobody reads (managedFields), before the object is kept. */
  readonly strip?: (object: T) => T;
  /** A handler threw, or an object is malformed. It harms nobody else. */
  readonly failed: (error: unknown) => void;
}

export class View<T extends KubeObject, I extends string = never> {
  readonly store: Store<T, I>;
  readonly #options: ViewOptions<T>;
  readonly #handlers = new Set<ViewHandler<T>>();
  #revision: string | undefined;

  constructor(store: Store<T, I>, options: ViewOptions<T>) {
    this.store = store;
    this.#options = options;
  }

  /** The newest revision all of whose changes are in the store; undefined before the first list. */
  get revision(): string | undefined {
    return this.#revision;
  }

  /** A handler that comes late is told of everything there is as added. */
  addHandler(handler: ViewHandler<T>): () => void {
    this.#handlers.add(handler);
    for (const object of this.store.values()) this.#tell(handler, { type: "added", object });
    const revision = this.#revision;
    if (revision !== undefined) this.#call(() => handler.passed?.({ kind: "list", revision }));
    return () => this.#handlers.delete(handler);
  }

  /** Takes a whole list; what it does not hold is deleted. The store is complete before the first change is told. */
  replace(items: readonly T[], revision: string, isConsistent: boolean): void {
    const isRewound = isConsistent && this.#revision !== undefined && isOlder(revision, this.#revision);
    const changes: Change<T>[] = [];
    const present = new Set<string>();
    for (const item of items) {
      const object = this.#accept(item);
      if (object === undefined) continue;
      present.add(keyTextOf(object));
      changes.push(...this.#put(object));
    }
    for (const key of [...this.store.keys()]) {
      const object = present.has(key) ? undefined : this.store.delete(key);
      if (object !== undefined) changes.push({ type: "deleted", object });
    }
    this.#revision = revision;
    for (const change of changes) this.#tellAll(change);
    this.#passed({ kind: isRewound ? "rewound" : "list", revision });
  }

  /** Takes one event. One that the stream has passed already (doubled, late) is ignored. */
  apply(event: WatchEvent<T>): void {
    const revision = event.type === "BOOKMARK" ? event.resourceVersion : event.object.metadata?.resourceVersion;
    if (this.#hasPassed(revision, event.type)) return;
    const object = event.type === "BOOKMARK" ? undefined : this.#accept(event.object);
    const changes = object === undefined ? [] : event.type === "DELETED" ? this.#remove(object) : this.#put(object);
    if (revision !== undefined) this.#revision = revision;
    for (const change of changes) this.#tellAll(change);
    if (revision !== undefined) this.#passed({ kind: event.type === "BOOKMARK" ? "bookmark" : "event", revision });
  }

  /** A bookmark may repeat the revision of the last event; an event never does. */
  #hasPassed(revision: string | undefined, type: WatchEvent<T>["type"]): boolean {
    if (revision === undefined || this.#revision === undefined) return false;
    const order = compareRevisions(revision, this.#revision);
    return order !== undefined && (order < 0 || (order === 0 && type !== "BOOKMARK"));
  }

  /** The object as it is kept; undefined when it has no name or UID, which no server should send. */
  #accept(object: T): T | undefined {
    const { name, uid } = object.metadata ?? {};
    if (typeof name !== "string" || typeof uid !== "string") {
      this.#options.failed(new TypeError(`${object.kind ?? "object"} without name or uid`));
      return undefined;
    }
    const { strip } = this.#options;
    return strip === undefined ? object : this.#call(() => deepFreeze(strip(object)));
  }

  #put(object: T): readonly Change<T>[] {
    const previous = this.store.get(keyTextOf(object));
    if (previous === undefined) {
      this.store.set(object);
      return [{ type: "added", object }];
    }
    const [before, after] = [previous.metadata, object.metadata];
    if (before.uid !== after.uid) {
      this.store.set(object);
      return [
        { type: "deleted", object: previous },
        { type: "added", object },
      ];
    }
    if (before.resourceVersion === after.resourceVersion) return [];
    this.store.set(object);
    return [{ type: "updated", object, previous }];
  }

  #remove(object: T): readonly Change<T>[] {
    const key = keyTextOf(object);
    // Another UID under this name: what the event speaks of had been replaced already.
    if (this.store.get(key)?.metadata.uid !== object.metadata.uid) return [];
    this.store.delete(key);
    return [{ type: "deleted", object }];
  }

  #tellAll(change: Change<T>): void {
    for (const handler of this.#handlers) this.#tell(handler, change);
  }

  #tell(handler: ViewHandler<T>, change: Change<T>): void {
    this.#call(() => handler.changed?.(change));
  }

  #passed(progress: Progress): void {
    for (const handler of this.#handlers) this.#call(() => handler.passed?.(progress));
  }

  #call<R>(call: () => R): R | undefined {
    try {
      return call();
    } catch (error) {
      this.#options.failed(error);
      return undefined;
    }
  }
}
