/** The client port in process: objects by reference, frozen; no sockets, no text. */

import type { KubeObject } from "../../core/model/kube/meta.js";
import type { ResourceType } from "../../core/model/resources.js";
import type { Client, ObjectKey, WatchEvent, WatchOptions } from "../../kube/client.js";
import type { Target } from "./registry/commit.js";
import type { Registry } from "./registry/registry.js";
import type { StoredEvent } from "./registry/watch.js";
import type { StoredObject } from "./storage/stored-object.js";

export function clientOf(registry: Registry): Client {
  return {
    get: async (type, key) => typed(registry.get(targetOf(type, key))),
    list: async (type, options = {}) => {
      const { items, revision, continue: next } = registry.list(type, options);
      const resourceVersion = String(revision);
      return {
        items: items.map((item) => typed(item)),
        resourceVersion,
        ...(next !== undefined && { continue: next }),
      };
    },
    watch: (type, options) => watching(registry, type, options),
    create: async (type, object, options) => {
      options?.guard?.();
      return typed(await registry.create(type, object, options));
    },
    update: async (type, object, options) => {
      options?.guard?.();
      return typed(await registry.update(type, object, options));
    },
    patch: async (type, key, patch, options) => {
      options?.guard?.();
      return typed(await registry.patch(targetOf(type, key), patch, options));
    },
    delete: async (type, key, options) => {
      options?.guard?.();
      const { object, isGone } = await registry.delete(targetOf(type, key), options);
      return isGone ? undefined : typed(object);
    },
  };
}

/** Refusals come with the first event that is asked for. */
function watching<T extends KubeObject>(
  registry: Registry,
  type: ResourceType,
  options: WatchOptions,
): AsyncIterable<WatchEvent<T>> {
  return {
    [Symbol.asyncIterator]: () => {
      let events: AsyncIterator<WatchEvent<T>, void> | undefined;
      const next = (): Promise<IteratorResult<WatchEvent<T>, void>> => {
        try {
          events ??= registry.watch(type, { ...options, show: shown<T> });
        } catch (error) {
          return Promise.reject(error);
        }
        return events.next();
      };
      return {
        next,
        return: async () => {
          await events?.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

function shown<T extends KubeObject>(event: StoredEvent): WatchEvent<T> {
  if (event.type === "BOOKMARK") return { type: "BOOKMARK", resourceVersion: String(event.revision) };
  return { type: event.type, object: typed(event.object) };
}

function targetOf(type: ResourceType, { namespace, name }: ObjectKey): Target {
  return { type, name, namespace: type.namespaced ? namespace : undefined };
}

/** The caller says which type it asked for; what the registry holds of that type has its shape. */
function typed<T extends KubeObject>(stored: StoredObject): T {
  return stored.object as T;
}
