/** A controller that works before it has seen the workflows (lessons A-08). */

import type { KubeObject } from "../../../src/core/model/kube/meta.js";
import { workflows } from "../../../src/core/model/resources.js";
import type { Client, WatchEvent } from "../../../src/kube/client.js";
import type { SimProcess } from "../world/process.js";

/** How long after the other lists the workflows come. */
const LATE_MS = 20;

/** The first list of workflows is empty; what it held comes as events, a little later. */
export function seeingWorkflowsLate(client: Client, process: SimProcess): Client {
  let held: { readonly items: readonly KubeObject[]; readonly resourceVersion: string } | undefined;
  let isFirst = true;
  return {
    ...client,
    list: (async (type, options) => {
      const list = await client.list(type, options);
      if (type !== workflows || !isFirst) return list;
      isFirst = false;
      held = list;
      return { items: [], resourceVersion: "0" };
    }) as Client["list"],
    watch: ((type, options) => {
      if (type !== workflows || held === undefined) return client.watch(type, options);
      const first = held;
      held = undefined;
      return lateEvents(
        process,
        first.items,
        client.watch(type, { ...options, resourceVersion: first.resourceVersion }),
      );
    }) as Client["watch"],
  };
}

async function* lateEvents(
  process: SimProcess,
  items: readonly KubeObject[],
  rest: AsyncIterable<WatchEvent<KubeObject>>,
): AsyncGenerator<WatchEvent<KubeObject>> {
  await new Promise<void>((resolve) => void process.clock.after(LATE_MS, resolve));
  const inOrder = [...items].sort((one, other) => revisionOf(one) - revisionOf(other));
  for (const object of inOrder) yield { type: "ADDED", object };
  yield* rest;
}

function revisionOf({ metadata }: KubeObject): number {
  return Number(metadata.resourceVersion ?? "0");
}
