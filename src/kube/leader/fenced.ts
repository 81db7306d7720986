/** A client none of whose writes leaves unless the lease is ours at that moment. */

import type { Client, SendOptions } from "../client.js";

/**
 * `guard` throws when nothing may be sent. It is called here and, by the transport, once more right before the request
 * leaves: a write that waited for a connection is checked when it goes, not when it was asked for. Reads go freely.
 */
export function fenced(client: Client, guard: () => void): Client {
  function guarded<O extends SendOptions>(options: O | undefined): O & SendOptions {
    return { ...options, guard: both(options?.guard, guard) } as O & SendOptions;
  }
  return {
    get: (type, key) => client.get(type, key),
    list: (type, options) => client.list(type, options),
    watch: (type, options) => client.watch(type, options),
    create: async (type, object, options) => {
      guard();
      return client.create(type, object, guarded(options));
    },
    update: async (type, object, options) => {
      guard();
      return client.update(type, object, guarded(options));
    },
    patch: async (type, key, patch, options) => {
      guard();
      return client.patch(type, key, patch, guarded(options));
    },
    delete: async (type, key, options) => {
      guard();
      return client.delete(type, key, guarded(options));
    },
  };
}

function both(first: (() => void) | undefined, second: () => void): () => void {
  if (first === undefined) return second;
  return () => {
    first();
    second();
  };
}
