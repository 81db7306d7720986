/** The client port: one Kubernetes API, reached in process or over HTTP. Objects handed out are frozen. */

import type { KubeObject } from "../core/model/kube/meta.js";
import type { ResourceType } from "../core/model/resources.js";
import type { Json } from "../core/std/json.js";

export interface ObjectKey {
  /** Left out for cluster-scoped types. */
  readonly namespace?: string;
  readonly name: string;
}

export interface ListOptions {
  /** Left out: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  /** Left out: consistent (the newest there is). "0": any revision the server has at hand. */
  readonly resourceVersion?: string;
}

export interface ObjectList<T extends KubeObject> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  readonly continue?: string;
}

export type WatchEvent<T extends KubeObject> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: T }
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string };

export interface WatchOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Events after this revision. */
  readonly resourceVersion: string;
  readonly allowBookmarks?: boolean;
  /** The server ends the watch after this time. */
  readonly timeoutSeconds?: number;
  /** Ends the watch from this side; the iterable then ends without an error. */
  readonly signal?: AbortSignal;
}

/** JSON patch (RFC 6902) is a list of operations, merge patch (RFC 7386) an object. */
export type Patch =
  | { readonly type: "json"; readonly body: readonly Json[] }
  | { readonly type: "merge"; readonly body: Json };

export type Subresource = "status";

/** What can be said about any write. */
export interface SendOptions {
  /**
   * Called synchronously right before the request leaves (HTTP: before its first byte is handed to the socket; in
   * process: before the call). When it throws, nothing is sent and the call rejects with what it threw.
   */
  readonly guard?: () => void;
}

export interface WriteOptions extends SendOptions {
  /**
   * Called synchronously once the write has its place in the order of all writes, before it is durable: any write sent
   * from then on is durable only if this one is. For what must never be seen without this write, but need not wait for
   * it. Only a server in the same process can tell; others never call it. The write may still fail.
   */
  readonly onOrdered?: () => void;
  readonly subresource?: Subresource;
  readonly dryRun?: boolean;
}

export interface DeleteOptions extends SendOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/**
 * Every call rejects with {@link ApiError} when the API refuses, and with {@link TransportError} when no answer came
 * (the write may or may not have been done). A write carries its precondition in the object's or patch's
 * `metadata.uid` and `metadata.resourceVersion`.
 */
export interface Client {
  get<T extends KubeObject>(type: ResourceType, key: ObjectKey): Promise<T>;
  list<T extends KubeObject>(type: ResourceType, options?: ListOptions): Promise<ObjectList<T>>;
  /** Ends when the server closes it; rejects with code 410 when `resourceVersion` is too old. */
  watch<T extends KubeObject>(type: ResourceType, options: WatchOptions): AsyncIterable<WatchEvent<T>>;
  create<T extends KubeObject>(type: ResourceType, object: T, options?: WriteOptions): Promise<T>;
  update<T extends KubeObject>(type: ResourceType, object: T, options?: WriteOptions): Promise<T>;
  patch<T extends KubeObject>(type: ResourceType, key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<T>;
  /** The object as it stands after the call; undefined when it is gone. */
  delete<T extends KubeObject>(type: ResourceType, key: ObjectKey, options?: DeleteOptions): Promise<T | undefined>;
}
