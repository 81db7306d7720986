/** What the client suite needs of an API server, and the objects it puts there. */

import { afterEach } from "vitest";
import type { ConfigMap } from "../../../core/model/kube/core.js";
import type { KubeObject, ObjectMeta } from "../../../core/model/kube/meta.js";
import type { Pod } from "../../../core/model/kube/pod.js";
import type { ResourceType } from "../../../core/model/resources.js";
import type { Client, WatchEvent, WatchOptions } from "../../client.js";

/** One server for one test, empty at first; it serves the built-in types and Argo's. */
export interface ClientHarness {
  readonly client: Client;
  /** How many events back a watch may begin, at most: after more writes it is answered with 410. */
  readonly historyMax: number;
  /** Lets the server's time pass, and what it does meanwhile: bookmarks, collection. */
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

export type MakeClient = () => Promise<ClientHarness>;

/** Opens harnesses that are closed after each test. */
export function opening(makeClient: MakeClient): MakeClient {
  const open: ClientHarness[] = [];
  afterEach(async () => {
    for (const harness of open.splice(0)) await harness.close();
  });
  return async () => {
    const harness = await makeClient();
    open.push(harness);
    return harness;
  };
}

export const ns = "default";

export function at(name: string): { readonly namespace: string; readonly name: string } {
  return { namespace: ns, name };
}

export function configMap(name: string, data: Record<string, string> = {}, metadata: ObjectMeta = {}): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: ns, name, ...metadata }, data };
}

export function pod(name: string, metadata: ObjectMeta = {}, spec: Partial<Pod["spec"]> = {}): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: ns, name, ...metadata },
    spec: { containers: [{ name: "main", image: "busybox" }], ...spec },
  };
}

/** An owner reference to what the API answered. */
export function ownedBy(owner: KubeObject): ObjectMeta {
  const { apiVersion, kind, metadata } = owner;
  const reference = { apiVersion, kind, name: metadata.name ?? "", uid: metadata.uid ?? "" };
  return { ownerReferences: [{ ...reference, controller: true, blockOwnerDeletion: true }] };
}

/** A watch read in the background, from its first event on. */
export class Watching {
  readonly #stop = new AbortController();
  readonly #iterator: AsyncIterator<WatchEvent<KubeObject>>;

  constructor(client: Client, type: ResourceType, options: WatchOptions) {
    const events = client.watch<KubeObject>(type, { ...options, signal: this.#stop.signal });
    this.#iterator = events[Symbol.asyncIterator]();
  }

  /** The next `count` events, as `TYPE name`; bookmarks as `BOOKMARK`. */
  async take(count: number): Promise<string[]> {
    const taken: string[] = [];
    while (taken.length < count) taken.push(this.#text(await this.next()));
    return taken;
  }

  async next(): Promise<WatchEvent<KubeObject>> {
    const next = await this.#iterator.next();
    if (next.done === true) throw new Error("the watch ended");
    return next.value;
  }

  /** Ends it from this side; answers whether it then ended without an error. */
  async stop(): Promise<boolean> {
    const next = this.#iterator.next();
    this.#stop.abort();
    return (await next).done === true;
  }

  #text(event: WatchEvent<KubeObject>): string {
    return event.type === "BOOKMARK" ? event.type : `${event.type} ${event.object.metadata.name}`;
  }
}

/** Resolves when the object is gone, letting the server's time pass meanwhile. */
export async function gone(harness: ClientHarness, type: ResourceType, name: string): Promise<boolean> {
  for (let round = 0; round < 50; round++) {
    const { items } = await harness.client.list(type, { namespace: ns });
    if (items.every(({ metadata }) => metadata.name !== name)) return true;
    await harness.advance(1000);
  }
  return false;
}
