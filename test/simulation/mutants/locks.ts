/** Step 3 of the original change (lessons A.0): a lock by the pod's name, whose entry goes when it is unlocked. */

import type { Caches } from "../../../src/controller/caches.js";
import { podPass } from "../../../src/controller/pods/loop.js";
import type { PodPorts } from "../../../src/controller/pods/ports.js";
import type { Signalled } from "../../../src/controller/pods/signalled.js";
import { labels, podFinalizer } from "../../../src/core/model/argo/names.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";
import { pods } from "../../../src/core/model/resources.js";
import type { Client, Patch } from "../../../src/kube/client.js";
import { keyOf } from "../../../src/kube/key.js";
import { done, type Outcome } from "../../../src/kube/worker.js";

class Mutex {
  #last: Promise<void> = Promise.resolve();

  /** Answers how to unlock it. */
  async lock(): Promise<() => void> {
    const before = this.#last;
    let unlock: () => void = () => undefined;
    this.#last = new Promise((resolve) => {
      unlock = resolve;
    });
    await before;
    return unlock;
  }
}

/** Who comes while others still wait for the one that was taken out of the map gets a new one, and does not wait. */
class LocksByName {
  readonly #mutexes = new Map<string, Mutex>();

  async held<T>(name: string, act: () => Promise<T>): Promise<T> {
    const mutex = this.#mutexes.get(name) ?? new Mutex();
    this.#mutexes.set(name, mutex);
    const unlock = await mutex.lock();
    try {
      return await act();
    } finally {
      unlock();
      this.#mutexes.delete(name);
    }
  }
}

/** Each of these wants the pod cleaned up at about the same time: its event, the delete handler, the label worker. */
const CLEANERS_AT_MS = [0, 2, 4] as const;

export function lockedByName(): (ports: PodPorts, signalled: Signalled, uid: string) => Promise<Outcome> {
  const locks = new LocksByName();
  return async (ports, signalled, uid) => {
    const name = ports.caches.pod(uid)?.metadata.name;
    if (name === undefined) return podPass(ports, signalled, uid);
    const clean = (): Promise<Outcome> => locks.held(name, () => cleanLive(ports, signalled, uid));
    const [first, ...others] = CLEANERS_AT_MS.map(async (ms) => {
      await new Promise<void>((resolve) => void ports.clock.after(ms, resolve));
      return clean();
    });
    for (const other of others) other.catch(() => undefined);
    return (await first) ?? done;
  };
}

/** Reads the pod, decides, patches what it has read. */
async function cleanLive(ports: PodPorts, signalled: Signalled, uid: string): Promise<Outcome> {
  const cached = ports.caches.pod(uid);
  if (cached === undefined) return done;
  const live = await ports.client.get<Pod>(pods, keyOf(cached));
  return podPass(
    { ...ports, client: patchingByIndex(ports.client, live), caches: showing(ports.caches, live) },
    signalled,
    uid,
  );
}

function showing(caches: Caches, live: Pod): Caches {
  return {
    workflow: (key) => caches.workflow(key),
    podsOf: (workflowUid) => caches.podsOf(workflowUid),
    podsOfNode: (workflowUid, nodeId) => caches.podsOfNode(workflowUid, nodeId),
    pod: () => live,
    taskResultsOf: (workflowUid) => caches.taskResultsOf(workflowUid),
    taskResult: (workflowUid, nodeId) => caches.taskResult(workflowUid, nodeId),
    isCurrent: () => true,
    awaitView: () => undefined,
  };
}

/** Step 2: by its place in the list as read, and without a word about which pod, or which version, was read. */
export function patchingByIndex(client: Client, pod: Pod): Client {
  return {
    ...client,
    patch: (type, key, patch, options) => client.patch(type, key, type === pods ? byIndex(pod, patch) : patch, options),
  };
}

export function byIndex({ metadata }: Pod, patch: Patch): Patch {
  const index = metadata.finalizers?.indexOf(podFinalizer) ?? -1;
  if (index < 0 || patch.type !== "merge") return patch;
  const body = [
    { op: "remove", path: `/metadata/finalizers/${index}` },
    { op: "add", path: `/metadata/labels/${labels.completed.replace("/", "~1")}`, value: "true" },
  ];
  return { type: "json", body };
}
