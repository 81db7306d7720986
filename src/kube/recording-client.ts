/** A client whose writes are remembered in an overlay, so that nobody has to think of it. */

import type { KubeObject } from "../core/model/kube/meta.js";
import type { ResourceType } from "../core/model/resources.js";
import type { Client, WriteOptions } from "./client.js";
import { keyText } from "./key.js";
import type { Overlay } from "./overlay.js";

/** A write without an answer (TransportError) is not remembered: its revision is not known, its precondition guards. */
export function recordingWrites(client: Client, overlay: Overlay): Client {
  async function recorded<T extends KubeObject>(
    type: ResourceType,
    write: Promise<T>,
    options?: WriteOptions,
  ): Promise<T> {
    const object = await write;
    if (options?.dryRun !== true) overlay.wrote(type, object);
    return object;
  }
  return {
    list: (type, options) => client.list(type, options),
    watch: (type, options) => client.watch(type, options),
    get: async <T extends KubeObject>(...[type, key]: Parameters<Client["get"]>) => {
      const { serial } = overlay;
      const object = await client.get<T>(type, key);
      overlay.readLive(type, object, serial);
      return object;
    },
    create: (type, object, options) => recorded(type, client.create(type, object, options), options),
    update: (type, object, options) => recorded(type, client.update(type, object, options), options),
    patch: (type, key, patch, options) => recorded(type, client.patch(type, key, patch, options), options),
    delete: async <T extends KubeObject>(...[type, key, options]: Parameters<Client["delete"]>) => {
      const object = await client.delete<T>(type, key, options);
      const uid = options?.preconditions?.uid;
      if (object !== undefined) overlay.wrote(type, object);
      else if (uid !== undefined) overlay.deleted(type, uid, keyText(key));
      return object;
    },
  };
}
