/** All operations on all types: what the in-process client and the HTTP door both stand on. */

import { apiVersionOf, type ResourceType } from "../../../core/model/resources.js";
import type { DeleteOptions, ListOptions, Patch, WriteOptions } from "../../../kube/client.js";
import type { Chance, Clock } from "../../../kube/clock.js";
import { typeName } from "../../../kube/key.js";
import type { Ledger } from "../storage/ledger.js";
import type { StoredObject } from "../storage/stored-object.js";
import { Bookmarks } from "./bookmarks.js";
import { Collector } from "./collector/collector.js";
import type { Target, Written } from "./commit.js";
import type { Admission, RegistryContext } from "./context.js";
import { create } from "./create.js";
import { remove } from "./delete.js";
import { Expiry } from "./expiry.js";
import { get, list, type Page } from "./list.js";
import { noSuchType } from "./refusals.js";
import { patch, update } from "./update.js";
import { type ShownWatch, watch } from "./watch.js";

export interface RegistryOptions {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly types: readonly ResourceType[];
  readonly admission: ReadonlyMap<string, Admission>;
  readonly namespaces: RegistryContext["namespaces"];
}

/** Operations throw or reject (those that answer a promise may do either) with ApiError as Kubernetes answers, and with TransportError when the store failed. */
export class Registry {
  readonly #types = new Map<string, ResourceType>();
  readonly #kinds = new Map<string, ResourceType>();
  readonly #context: RegistryContext & { readonly bookmarks: Bookmarks };

  readonly #collector: Collector;

  constructor({ types, ...options }: RegistryOptions) {
    const bookmarks = new Bookmarks(options.clock);
    const typeOf = (apiVersion: string, kind: string) => this.#kinds.get(`${apiVersion}/${kind}`);
    this.#context = { ...options, bookmarks, typeOf };
    for (const type of types) this.serve(type);
    options.ledger.onCommit(() => bookmarks.committed());
    this.#collector = new Collector(this.#context, (collection) => this.#types.get(collection));
    if (options.ledger.access === "read") return;
    this.#collector.start();
    new Expiry(this.#context).start();
  }

  /** Begins to serve a type, or serves it as described from now on. */
  serve(type: ResourceType): void {
    this.#types.set(typeName(type), type);
    this.#kinds.set(`${apiVersionOf(type)}/${type.kind}`, type);
  }

  types(): readonly ResourceType[] {
    return [...this.#types.values()];
  }

  /** The served type of that group, version and plural; undefined when there is none. */
  find(group: string, version: string, plural: string): ResourceType | undefined {
    const type = this.#types.get(typeName({ group, plural }));
    return type?.version === version ? type : undefined;
  }

  get(target: Target): StoredObject {
    this.#check(target.type);
    return get(this.#context, target);
  }

  list(type: ResourceType, options: ListOptions): Page {
    this.#check(type);
    return list(this.#context, type, options);
  }

  watch<E>(type: ResourceType, request: ShownWatch<E>): AsyncIterableIterator<E> {
    this.#check(type);
    return watch(this.#context, type, request);
  }

  create(type: ResourceType, input: unknown, options?: WriteOptions): Promise<StoredObject> {
    this.#check(type);
    return create(this.#context, type, input, options);
  }

  update(type: ResourceType, input: unknown, options?: WriteOptions): Promise<StoredObject> {
    this.#check(type);
    return update(this.#context, type, input, options);
  }

  patch(target: Target, given: Patch, options?: WriteOptions): Promise<StoredObject> {
    this.#check(target.type);
    return patch(this.#context, target, given, options);
  }

  delete(target: Target, options?: DeleteOptions): Promise<Written> {
    this.#check(target.type);
    return remove(this.#context, target, options);
  }

  close(): void {
    this.#collector.close();
    this.#context.bookmarks.close();
  }

  #check(type: ResourceType): void {
    if (this.#types.get(typeName(type))?.version !== type.version) throw noSuchType();
  }
}
