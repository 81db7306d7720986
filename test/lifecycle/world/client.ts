/** The API as one process reaches it: a process that has died is never answered. */

import type { KubeObject } from "../../../src/core/model/kube/meta.js";
import type { ResourceType } from "../../../src/core/model/resources.js";
import type { Client, WatchEvent, WatchOptions } from "../../../src/kube/client.js";
import { never, type SimProcess } from "../../simulation/world/process.js";

export function clientOf(process: SimProcess, client: Client): Client {
  const alive = async <T>(call: () => Promise<T>): Promise<T> => {
    if (process.isDead) return never();
    try {
      const answer = await call();
      return process.isDead ? never() : answer;
    } catch (error) {
      if (process.isDead) return never();
      throw error;
    }
  };
  return {
    get: (type, key) => alive(() => client.get(type, key)),
    list: (type, options) => alive(() => client.list(type, options)),
    watch: (type, options) => watchWhileAlive(process, client, { type, options }),
    create: (type, object, options) => alive(() => client.create(type, object, options)),
    update: (type, object, options) => alive(() => client.update(type, object, options)),
    patch: (type, key, patch, options) => alive(() => client.patch(type, key, patch, options)),
    delete: (type, key, options) => alive(() => client.delete(type, key, options)),
  };
}

async function* watchWhileAlive<T extends KubeObject>(
  process: SimProcess,
  client: Client,
  { type, options }: { readonly type: ResourceType; readonly options: WatchOptions },
): AsyncGenerator<WatchEvent<T>, void> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  options.signal?.addEventListener("abort", end, { once: true });
  const takeBack = process.onDeath(end);
  try {
    for await (const event of client.watch<T>(type, { ...options, signal: stop.signal })) {
      if (process.isDead) return never();
      yield event;
    }
    if (process.isDead) return never();
  } finally {
    takeBack();
    options.signal?.removeEventListener("abort", end);
  }
}
