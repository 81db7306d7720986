/** The API as a kubelet among others asks it: of the pods only those that were given to its machine. */

import type { Pod } from "../../../src/core/model/kube/pod.js";
import { pods } from "../../../src/core/model/resources.js";
import type { Client, WatchEvent } from "../../../src/kube/client.js";

/** A pod is given to a machine once: what is shown of it before is shown to nobody. */
export function podsOfNode(client: Client, nodeName: string): Client {
  return {
    ...client,
    list: (async (type, options) => {
      const list = await client.list(type, options);
      if (type !== pods) return list;
      return { ...list, items: list.items.filter((pod) => (pod as Pod).spec.nodeName === nodeName) };
    }) as Client["list"],
    watch: ((type, options) => {
      const events = client.watch(type, options);
      return type === pods ? ofNode(events as AsyncIterable<WatchEvent<Pod>>, nodeName) : events;
    }) as Client["watch"],
  };
}

async function* ofNode(events: AsyncIterable<WatchEvent<Pod>>, nodeName: string): AsyncGenerator<WatchEvent<Pod>> {
  for await (const event of events) {
    if (event.type === "BOOKMARK" || event.object.spec.nodeName === nodeName) yield event;
  }
}
