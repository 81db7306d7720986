/** A client whose requests are paid from a budget: lanes of work get one each, so that none starves another. */

import type { Client } from "./client.js";
import type { TokenBucket } from "./workqueue/token-bucket.js";

/** Lists and watches are few and go freely; gets and writes wait for a token. */
export function withBudget(client: Client, bucket: TokenBucket): Client {
  return {
    list: (type, options) => client.list(type, options),
    watch: (type, options) => client.watch(type, options),
    get: async (type, key) => {
      await bucket.take();
      return client.get(type, key);
    },
    create: async (type, object, options) => {
      await bucket.take();
      return client.create(type, object, options);
    },
    update: async (type, object, options) => {
      await bucket.take();
      return client.update(type, object, options);
    },
    patch: async (type, key, patch, options) => {
      await bucket.take();
      return client.patch(type, key, patch, options);
    },
    delete: async (type, key, options) => {
      await bucket.take();
      return client.delete(type, key, options);
    },
  };
}
