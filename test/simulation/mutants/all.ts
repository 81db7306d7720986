/** The shell with one law broken each, put together from the real parts: the simulator has to find every one. */

import { carryOut } from "../../../src/controller/carry-out.js";
import { pass } from "../../../src/controller/pass.js";
import { podPass } from "../../../src/controller/pods/loop.js";
import type { PodPorts } from "../../../src/controller/pods/ports.js";
import { openRun, type Run } from "../../../src/core/engine/index.js";
import { labels } from "../../../src/core/model/argo/names.js";
import type { KubeObject } from "../../../src/core/model/kube/meta.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";
import { pods, type ResourceType, workflows, workflowTaskResults } from "../../../src/core/model/resources.js";
import { currentRunOf } from "../../../src/core/podlife/index.js";
import type { Client } from "../../../src/kube/client.js";
import { ApiError, isAlreadyExists } from "../../../src/kube/errors.js";
import { keyText } from "../../../src/kube/key.js";
import { done } from "../../../src/kube/worker.js";
import { losingPlanOf } from "../generate/losing.js";
import type { Mutant } from "../world/mutant.js";
import { seeingWorkflowsLate } from "./early.js";
import { impatientPlanOf } from "./impatient.js";
import { forgetfulOpen, longPlanOf } from "./late-reports.js";
import { byIndex, lockedByName } from "./locks.js";
import { restlessPlanOf } from "./restless.js";
import { changingPatches, withoutConditions, withoutUid } from "./wrap.js";

/** What the caller's own watches have shown of a type, newest state by key. */
function cacheOf(
  client: Client,
  type: ResourceType,
): { readonly client: Client; get(key: string): KubeObject | undefined } {
  const cache = new Map<string, KubeObject>();
  const put = (object: KubeObject): void => {
    const { namespace, name = "" } = object.metadata;
    cache.set(keyText({ ...(namespace !== undefined && { namespace }), name }), object);
  };
  return {
    get: (key) => cache.get(key),
    client: {
      ...client,
      list: async (of, options) => {
        const list = await client.list(of, options);
        if (of === type) for (const item of list.items) put(item);
        return list as never;
      },
      watch: ((of, options) =>
        of === type ? tapped(client.watch(of, options), put, cache) : client.watch(of, options)) as Client["watch"],
    },
  };
}

async function* tapped(
  events: ReturnType<Client["watch"]>,
  put: (object: KubeObject) => void,
  cache: Map<string, KubeObject>,
): AsyncGenerator<unknown> {
  for await (const event of events) {
    if (event.type !== "BOOKMARK") {
      put(event.object);
      if (event.type === "DELETED")
        for (const [key, object] of cache) if (object.metadata.uid === event.object.metadata.uid) cache.delete(key);
    }
    yield event;
  }
}

/** Reads of a type are answered from what the watch has shown. */
function readingFromCache(client: Client, type: ResourceType): Client {
  const cache = cacheOf(client, type);
  return {
    ...cache.client,
    get: async (of, key) => {
      if (of !== type) return client.get(of, key);
      const known = cache.get(keyText(key));
      if (known === undefined) throw new ApiError(404, "NotFound", `${type.plural} ${key.name} not found`);
      return known as never;
    },
  };
}

export const mutants: readonly Mutant[] = [
  {
    name: "no precondition on pod patches",
    breaks: "law 4",
    client: (client) => changingPatches(client, pods, ({ uid: _uid, resourceVersion: _rv, ...rest }) => rest),
  },
  {
    name: "finalizer removed by index",
    breaks: "A.0, step 2",
    client: (client) => {
      const cache = cacheOf(client, pods);
      return {
        ...cache.client,
        patch: (type, key, patch, options) => {
          const known = cache.get(keyText(key)) as Pod | undefined;
          const changed = type === pods && known !== undefined ? byIndex(known, patch) : patch;
          return client.patch(type, key, changed, options);
        },
      };
    },
  },
  {
    name: "merge patch from a cached copy, without a UID, and blind when only labels change",
    breaks: "A.0, step 5",
    planOf: impatientPlanOf,
    client: (client) =>
      changingPatches(client, pods, ({ uid: _uid, resourceVersion, ...rest }) =>
        "finalizers" in rest && resourceVersion !== undefined ? { ...rest, resourceVersion } : rest,
      ),
  },
  {
    name: "demands before status",
    breaks: "law 1",
    parts: (_world, client) => ({
      openRun: (workflow, options) => {
        const run = openRun(workflow, options);
        return eager(run, client);
      },
    }),
  },
  {
    name: "no read-your-writes",
    breaks: "law 3",
    seenBy: "I2",
    client: (client) => ({
      ...client,
      create: async (type, object, options) => withoutUid(await client.create(type, object, options)),
      patch: async (type, key, patch, options) => withoutUid(await client.patch(type, key, patch, options)) as never,
    }),
  },
  {
    name: "orphan judged from a cache",
    breaks: "A-08",
    client: (client, _world, process) => readingFromCache(seeingWorkflowsLate(client, process), workflows),
  },
  {
    name: "task result final on the pod's event alone",
    breaks: "design 4",
    client: (client) => readingFromCache(client, workflowTaskResults),
  },
  {
    name: "completed guard by name",
    breaks: "A-09",
    parts: () => {
      const completed = new Set<string>();
      return {
        pass: (ports, key) => {
          const text = keyText(key);
          if (ports.caches.workflow(key)?.metadata.labels?.[labels.completed] === "true") completed.add(text);
          else if (completed.has(text)) return Promise.resolve(done);
          return pass(ports, key);
        },
      };
    },
  },
  {
    name: "intent dropped on 403",
    breaks: "A-04",
    parts: () => ({
      podPass: async (ports, signalled, uid) => {
        try {
          return await podPass(ports, signalled, uid);
        } catch (error) {
          if (error instanceof ApiError && error.code === 403) return done;
          throw error;
        }
      },
    }),
  },
  {
    name: "AlreadyExists always taken as done",
    breaks: "law 2",
    client: (client) => ({
      ...client,
      create: async (type, object, options) => {
        try {
          return await client.create(type, object, options);
        } catch (error) {
          if (type !== pods || !isAlreadyExists(error)) throw error;
          return object;
        }
      },
    }),
  },
  {
    name: "delay in memory only",
    breaks: "A-18",
    parts: () => {
      // As a queue of delayed deletes does: only who saw the pod at work knows when it is due.
      const seenAtWork = new Set<string>();
      return {
        podPass: async (ports, signalled, uid) => {
          const phase = ports.caches.pod(uid)?.status?.phase;
          const hasEnded = phase === "Succeeded" || phase === "Failed";
          if (!hasEnded) seenAtWork.add(uid);
          else if (!seenAtWork.has(uid)) return done;
          return podPass(ports, signalled, uid);
        },
      };
    },
  },
  {
    name: "lock by pod name, freed on unlock",
    breaks: "A.0, step 3",
    parts: () => ({ podPass: lockedByName() }),
  },
  {
    name: "name instead of UID",
    breaks: "law 4",
    planOf: impatientPlanOf,
    client: (client) => ({
      ...changingPatches(client, pods, ({ uid: _uid, ...rest }) => rest),
      delete: (type, key, options) => client.delete(type, key, type === pods ? withoutConditions(options) : options),
    }),
  },
  {
    name: "start from a stale list",
    breaks: "law 6",
    planOf: restlessPlanOf,
    client: (client) => ({
      ...client,
      list: (type, options) => client.list(type, { ...options, resourceVersion: "0" }),
    }),
  },
  {
    name: "a machine is called lost as soon as it is asked about",
    breaks: "A-22",
    planOf: losingPlanOf,
    parts: () => ({ podPass: (ports, signalled, uid) => podPass({ ...ports, hosts: allLost }, signalled, uid) }),
  },
  {
    name: "a late report of a lost machine is taken",
    breaks: "design 4",
    planOf: longPlanOf,
    parts: () => ({ openRun: forgetfulOpen }),
  },
  { name: "start without a start record", breaks: "design 6", records: "none" },
];

const allLost: NonNullable<PodPorts["hosts"]> = { stateOf: async () => ({ kind: "lost" }), forget: () => undefined };

/** Carries demands out as soon as they are decided, whatever becomes of the save. */
function eager(run: Run, client: Client): Run {
  const advance: Run["advance"] = (input) => {
    const decision = run.advance(input);
    const caches = { awaitView: () => undefined, taskResult: () => undefined };
    const ports = { client, caches, podInTheWay: () => undefined } as never;
    for (const demand of decision.demands) void carryOut(ports, demand, currentRunOf(run.workflow));
    return decision;
  };
  return new Proxy(run, {
    get: (target, name) => {
      if (name === "advance") return advance;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
