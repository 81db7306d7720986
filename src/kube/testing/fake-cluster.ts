/** A cluster of one map, for tests of the machinery: just enough of an API server, with faults on demand. */

import type { KubeObject } from "../../core/model/kube/meta.js";
import type { ResourceType } from "../../core/model/resources.js";
import { isJsonObject, type Json } from "../../core/std/json.js";
import type {
  Client,
  DeleteOptions,
  ListOptions,
  ObjectKey,
  ObjectList,
  Patch,
  WatchEvent,
  WatchOptions,
} from "../client.js";
import { ApiError } from "../errors.js";
import { deepFreeze } from "../freeze.js";
import { keyText, keyTextOf, typeName } from "../key.js";
import { applyJsonPatch } from "../patch/json-patch.js";
import { applyMergePatch } from "../patch/merge-patch.js";
import { matchesLabels, parseLabelSelector } from "../selectors.js";
import { EventPipe } from "./event-pipe.js";

export type Verb = "get" | "list" | "watch" | "create" | "update" | "patch" | "delete";

/** Called before each request; what it throws (or rejects with) is the answer. */
export type FaultHook = (verb: Verb, type: ResourceType, key: string) => void | Promise<void>;

interface Logged {
  readonly revision: number;
  readonly type: string;
  readonly event: Exclude<WatchEvent<KubeObject>, { type: "BOOKMARK" }>;
}

interface Watcher {
  readonly type: string;
  readonly options: WatchOptions;
  readonly pipe: EventPipe<WatchEvent<KubeObject>>;
}

/** No finalizers, no graceful deletion, no collection by owner: the embedded API server has those. */
export class FakeCluster implements Client {
  readonly requests: string[] = [];
  readonly #objects = new Map<string, Map<string, KubeObject>>();
  readonly #watchers = new Set<Watcher>();
  #log: Logged[] = [];
  #revision = 0;
  #oldest = 0;
  #uid = 0;
  fault: FaultHook = () => {};

  get revision(): string {
    return String(this.#revision);
  }

  get watchers(): number {
    return this.#watchers.size;
  }

  /** Revisions up to now are no longer kept: a watch from one of them is answered with 410. */
  compact(): void {
    this.#oldest = this.#revision;
    this.#log = [];
  }

  /** Ends all watches: cleanly, or with an error. */
  breakWatches(error?: Error): void {
    for (const { pipe } of this.#watchers) pipe.end(error);
    this.#watchers.clear();
  }

  bookmark(): void {
    for (const { pipe } of this.#watchers) pipe.push({ type: "BOOKMARK", resourceVersion: this.revision });
  }

  /** Sends an event by hand, whatever it says. */
  inject(event: WatchEvent<KubeObject>): void {
    for (const { pipe } of this.#watchers) pipe.push(event);
  }

  /** A backup is restored: everything is as it was at an earlier revision number. */
  rewind(revision: number): void {
    this.#revision = revision;
    this.compact();
  }

  async get<T extends KubeObject>(type: ResourceType, key: ObjectKey): Promise<T> {
    await this.#request("get", type, keyText(key));
    return this.#find(type, key) as T;
  }

  async list<T extends KubeObject>(type: ResourceType, options: ListOptions = {}): Promise<ObjectList<T>> {
    await this.#request("list", type, options.continue ?? "");
    const all = [...this.#of(type).values()].filter((object) => selects(options, object));
    const [at = this.revision, offset = "0"] = (options.continue ?? "").split(":").filter((part) => part !== "");
    if (Number(at) < this.#oldest) throw new ApiError(410, "Expired", "The provided continue parameter is too old");
    const start = Number(offset);
    const end = start + (options.limit ?? all.length);
    const page = { items: all.slice(start, end) as unknown as T[], resourceVersion: at };
    return end < all.length ? { ...page, continue: `${at}:${end}` } : page;
  }

  async *watch<T extends KubeObject>(type: ResourceType, options: WatchOptions): AsyncIterable<WatchEvent<T>> {
    await this.#request("watch", type, options.resourceVersion);
    const since = Number(options.resourceVersion);
    if (since < this.#oldest)
      throw new ApiError(410, "Expired", `too old resource version: ${since} (${this.#oldest})`);
    const pipe = new EventPipe<WatchEvent<KubeObject>>();
    const watcher: Watcher = { type: typeName(type), options, pipe };
    for (const { revision, event, type: name } of this.#log) {
      if (revision > since && name === watcher.type && selects(options, event.object)) pipe.push(event);
    }
    this.#watchers.add(watcher);
    options.signal?.addEventListener("abort", () => pipe.end(), { once: true });
    try {
      yield* pipe as unknown as AsyncIterable<WatchEvent<T>>;
    } finally {
      this.#watchers.delete(watcher);
    }
  }

  async create<T extends KubeObject>(type: ResourceType, object: T): Promise<T> {
    await this.#request("create", type, keyTextOf(object));
    if (this.#of(type).has(keyTextOf(object))) {
      throw new ApiError(409, "AlreadyExists", `${type.plural} "${object.metadata.name}" already exists`);
    }
    return this.#store(type, { ...object, metadata: { ...object.metadata, uid: `uid-${++this.#uid}` } }, "ADDED");
  }

  async update<T extends KubeObject>(type: ResourceType, object: T): Promise<T> {
    await this.#request("update", type, keyTextOf(object));
    const { uid, resourceVersion } = object.metadata;
    return this.#replace(type, this.#find(type, keyOfMeta(object)), { ...object }, { uid, resourceVersion });
  }

  async patch<T extends KubeObject>(type: ResourceType, key: ObjectKey, patch: Patch): Promise<T> {
    await this.#request("patch", type, keyText(key));
    const current = this.#find(type, key);
    const next = applied(current as unknown as Json, patch) as unknown as T;
    const { uid, resourceVersion } = next.metadata;
    return this.#replace(type, current, next, { uid, resourceVersion });
  }

  async delete<T extends KubeObject>(
    type: ResourceType,
    key: ObjectKey,
    options: DeleteOptions = {},
  ): Promise<T | undefined> {
    await this.#request("delete", type, keyText(key));
    const current = this.#find(type, key);
    checkPreconditions(current, options.preconditions ?? {});
    this.#store(type, current, "DELETED");
    return undefined;
  }

  async #request(verb: Verb, type: ResourceType, key: string): Promise<void> {
    this.requests.push(`${verb} ${type.plural} ${key}`.trimEnd());
    await this.fault(verb, type, key);
  }

  #of(type: ResourceType): Map<string, KubeObject> {
    const name = typeName(type);
    const objects = this.#objects.get(name) ?? new Map<string, KubeObject>();
    this.#objects.set(name, objects);
    return objects;
  }

  #find(type: ResourceType, key: ObjectKey): KubeObject {
    const found = this.#of(type).get(keyText(key));
    if (found === undefined) throw new ApiError(404, "NotFound", `${type.plural} "${key.name}" not found`);
    return found;
  }

  #replace<T extends KubeObject>(type: ResourceType, current: KubeObject, next: T, preconditions: Preconditions): T {
    checkPreconditions(current, preconditions);
    return this.#store(type, { ...next, metadata: { ...next.metadata, ...uidOf(current) } }, "MODIFIED");
  }

  #store<T extends KubeObject>(type: ResourceType, object: T, event: Logged["event"]["type"]): T {
    const revision = ++this.#revision;
    const stored = deepFreeze({ ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } });
    if (event === "DELETED") this.#of(type).delete(keyTextOf(stored));
    else this.#of(type).set(keyTextOf(stored), stored);
    const logged: Logged = { revision, type: typeName(type), event: { type: event, object: stored } };
    this.#log.push(logged);
    for (const { type: name, options, pipe } of this.#watchers) {
      // The answer comes first.
      if (name === logged.type && selects(options, stored)) process.nextTick(() => pipe.push(logged.event));
    }
    return stored;
  }
}

type Preconditions =
  | NonNullable<DeleteOptions["preconditions"]>
  | { uid: string | undefined; resourceVersion: string | undefined };

function checkPreconditions(current: KubeObject, { uid, resourceVersion }: Preconditions): void {
  if (uid !== undefined && uid !== current.metadata.uid) throw new ApiError(409, "Conflict", "UID differs");
  if (resourceVersion !== undefined && resourceVersion !== current.metadata.resourceVersion) {
    throw new ApiError(409, "Conflict", "the object has been modified");
  }
}

function uidOf(object: KubeObject): { readonly uid?: string } {
  return object.metadata.uid === undefined ? {} : { uid: object.metadata.uid };
}

function keyOfMeta(object: KubeObject): ObjectKey {
  const { name = "", namespace } = object.metadata;
  return namespace === undefined ? { name } : { namespace, name };
}

function selects({ namespace, labelSelector = "" }: ListOptions | WatchOptions, object: KubeObject): boolean {
  if (namespace !== undefined && namespace !== object.metadata.namespace) return false;
  const parsed = parseLabelSelector(labelSelector);
  return parsed.ok && matchesLabels(parsed.value, object.metadata.labels);
}

function applied(document: Json, patch: Patch): Json {
  if (patch.type === "merge") return applyMergePatch(document, patch.body);
  const result = applyJsonPatch(document, patch.body);
  if (!result.ok || !isJsonObject(result.value)) throw new ApiError(422, "Invalid", "the patch does not apply");
  return result.value;
}
