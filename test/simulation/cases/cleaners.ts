/** Cleaners of one pod: each is one pass of the pods' loop, from a view that it took before. */

import { OpenRuns } from "../../../src/controller/open-runs.js";
import { podPass } from "../../../src/controller/pods/loop.js";
import { Signalled } from "../../../src/controller/pods/signalled.js";
import { cachesOf } from "../../../src/controller/testing/caches.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";
import type { Client } from "../../../src/kube/client.js";
import { ApiError } from "../../../src/kube/errors.js";
import { VirtualClock } from "../../../src/kube/testing/virtual-clock.js";

export interface View {
  readonly owner: Workflow | undefined;
  readonly pod: Pod;
}

export function clean({ owner, pod }: View, client: Client): Promise<unknown> {
  const ports = {
    client,
    clock: new VirtualClock(),
    caches: cachesOf({ pod: () => pod, workflow: () => owner }),
    runs: new OpenRuns(),
    podGCDelayMs: 5000,
    podsStayUntil: 0,
    again: () => undefined,
    tell: { hostLost: () => undefined, surplus: () => undefined },
  };
  return podPass(ports, new Signalled(), pod.metadata.uid ?? "");
}

/** Two cleaners that have both read the pod before either writes it; what the API answered to their writes, in order of size. */
export async function twoCleaners(view: View, client: Client): Promise<readonly number[]> {
  const answers: number[] = [];
  let arrived = 0;
  let open: () => void = () => undefined;
  const barrier = new Promise<void>((resolve) => {
    open = resolve;
  });
  const patch: Client["patch"] = async (type, key, change, options) => {
    if (++arrived === 2) open();
    await barrier;
    try {
      const object = await client.patch<Pod>(type, key, change, options);
      answers.push(200);
      return object as never;
    } catch (error) {
      answers.push(error instanceof ApiError ? error.code : 0);
      throw error;
    }
  };
  const meeting: Client = {
    get: (type, key) => client.get(type, key),
    list: (type, options) => client.list(type, options),
    watch: (type, options) => client.watch(type, options),
    create: (type, object, options) => client.create(type, object, options),
    update: (type, object, options) => client.update(type, object, options),
    delete: (type, key, options) => client.delete(type, key, options),
    patch,
  };
  await Promise.all([clean(view, meeting), clean(view, meeting)]);
  return answers.sort((a, b) => a - b);
}
