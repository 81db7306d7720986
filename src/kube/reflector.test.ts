import { afterEach, expect, test } from "vitest";
import type { KubeObject } from "../core/model/kube/meta.js";
import { configMaps } from "../core/model/resources.js";
import { ApiError, TransportError } from "./errors.js";
import { Reflector, type ReflectorOptions } from "./reflector.js";
import { FakeCluster } from "./testing/fake-cluster.js";
import { SeededChance } from "./testing/seeded-chance.js";
import { settle, VirtualClock } from "./testing/virtual-clock.js";

interface Thing extends KubeObject {
  readonly data?: { readonly n: string };
}

let stop = new AbortController();
afterEach(() => stop.abort());

function thing(name: string, n = "0", labels: Record<string, string> = {}): Thing {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "ns", name, labels }, data: { n } };
}

/** A running reflector that writes down what it is told. */
function reflecting(options: Partial<ReflectorOptions<Thing>> = {}) {
  stop = new AbortController();
  const cluster = new FakeCluster();
  const clock = new VirtualClock();
  const failures: { error: unknown; retryMs: number }[] = [];
  const faults: unknown[] = [];
  const reflector = new Reflector<Thing>({
    client: cluster,
    type: configMaps,
    clock,
    chance: new SeededChance(1),
    observer: { failed: (error, retryMs) => failures.push({ error, retryMs }), faulted: (error) => faults.push(error) },
    ...options,
  });
  const told: string[] = [];
  reflector.addHandler({
    changed: (change) => told.push(`${change.type} ${change.object.metadata.name} ${change.object.data?.n}`),
    passed: ({ kind, revision }) => told.push(`${kind} ${revision}`),
  });
  const start = async (): Promise<void> => {
    void reflector.run(stop.signal);
    await settle();
  };
  const take = (): string[] => told.splice(0);
  return { cluster, clock, reflector, failures, faults, start, take };
}

test("lists in pages, then watches; handlers hear each change, and the store shows it by then", async () => {
  const { cluster, reflector, start, take } = reflecting({ pageSize: 2 });
  for (const name of ["a", "b", "c"]) await cluster.create(configMaps, thing(name));
  await start();
  expect(await reflector.synced).toBe(true);
  expect(cluster.requests.slice(3)).toEqual(["list configmaps", "list configmaps 3:2", "watch configmaps 3"]);
  expect(take()).toEqual(["added a 0", "added b 0", "added c 0", "list 3"]);

  const a = reflector.store.get("ns/a");
  await cluster.update(configMaps, { ...thing("a", "1"), metadata: { ...thing("a").metadata, ...a?.metadata } });
  await cluster.delete(configMaps, { namespace: "ns", name: "b" });
  await cluster.create(configMaps, thing("d"));
  await settle();
  expect(take()).toEqual(["updated a 1", "event 4", "deleted b 0", "event 5", "added d 0", "event 6"]);
  expect(reflector.revision).toBe("6");
  cluster.bookmark();
  await settle();
  expect(take()).toEqual(["bookmark 6"]);
});

test("the first list is consistent unless told otherwise", async () => {
  for (const [firstList, expected] of [
    [undefined, undefined],
    ["any", "0"],
  ] as const) {
    const asked: (string | undefined)[] = [];
    const { cluster, start } = reflecting({
      ...(firstList === undefined ? {} : { firstList }),
      client: {
        list: (type, options) => {
          asked.push(options?.resourceVersion);
          return new FakeCluster().list(type, options);
        },
        watch: (type, options) => cluster.watch(type, options),
      },
    });
    await start();
    expect(asked).toEqual([expected]);
  }
});

test("410: lists again; what came, changed and went meanwhile is told, deletes too", async () => {
  const { cluster, clock, start, take } = reflecting();
  for (const name of ["a", "b", "c"]) await cluster.create(configMaps, thing(name));
  await start();
  take();
  cluster.breakWatches(new ApiError(410, "Expired", "too old"));
  await cluster.delete(configMaps, { namespace: "ns", name: "a" });
  await cluster.delete(configMaps, { namespace: "ns", name: "b" });
  await cluster.create(configMaps, thing("b", "new"));
  await cluster.create(configMaps, thing("d"));
  cluster.compact();
  await clock.advance(1000);
  expect(take()).toEqual(["deleted b 0", "added b new", "added d 0", "deleted a 0", "list 7"]);
});

test("a lost connection: goes on from the last revision, without a list", async () => {
  const { cluster, clock, start, take } = reflecting();
  await start();
  await cluster.create(configMaps, thing("a"));
  await settle();
  cluster.breakWatches(new TransportError("reset"));
  await cluster.create(configMaps, thing("b"));
  await clock.advance(1000);
  expect(cluster.requests.filter((request) => request.startsWith("list"))).toHaveLength(1);
  expect(cluster.requests.at(-1)).toBe("watch configmaps 1");
  expect(take()).toEqual(["list 0", "added a 0", "event 1", "added b 0", "event 2"]);
});

test("a server that fails is asked less and less often, never in step, and again when it is back", async () => {
  const { cluster, clock, reflector, failures, start } = reflecting();
  let isDown = true;
  cluster.fault = () => {
    if (isDown) throw new TransportError("refused");
  };
  await start();
  await clock.advance(600_000);
  const waits = failures.map(({ retryMs }) => retryMs);
  expect(waits.length).toBeGreaterThan(20);
  expect(waits.length).toBeLessThan(60);
  expect(Math.max(...waits)).toBeLessThanOrEqual(30_000);
  expect(new Set(waits).size).toBe(waits.length);
  isDown = false;
  await clock.advance(30_000);
  expect(reflector.hasSynced).toBe(true);
});

test("a server that hangs up at once is not hammered", async () => {
  const { cluster, clock, start } = reflecting();
  await start();
  for (let index = 0; index < 100; index++) {
    cluster.breakWatches();
    await clock.advance(100);
  }
  expect(cluster.requests.length).toBeLessThan(20);
});

test("Retry-After is waited for", async () => {
  const { cluster, failures, start } = reflecting();
  cluster.fault = () => {
    throw new ApiError(429, "TooManyRequests", "slow down", 7);
  };
  await start();
  expect(failures[0]?.retryMs).toBe(7000);
});

test("a watch that says nothing for too long is begun anew", async () => {
  const { cluster, clock, start } = reflecting({ idleTimeoutMs: 1000 });
  await start();
  await clock.advance(600);
  cluster.bookmark();
  await clock.advance(900);
  expect(cluster.requests).toHaveLength(2);
  await clock.advance(2000);
  expect(cluster.requests.length).toBeGreaterThan(2);
  expect(cluster.watchers).toBe(1);
});

test("a watch that ignores the abort does not hold up the stop", async () => {
  stop = new AbortController();
  const cluster = new FakeCluster();
  const never: AsyncIterable<never> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      return: () => Promise.reject(new Error("late")),
    }),
  };
  const client = { list: cluster.list.bind(cluster), watch: () => never };
  const reflector = new Reflector({ client, type: configMaps, clock: new VirtualClock(), chance: new SeededChance(1) });
  const ended = reflector.run(stop.signal);
  await settle();
  stop.abort();
  await ended;
});

test("doubled and late events are ignored: no ghost comes back, nothing goes back in time", async () => {
  const { cluster, reflector, start, take } = reflecting();
  const created = await cluster.create(configMaps, thing("a"));
  await start();
  const changed = await cluster.update(configMaps, { ...created, data: { n: "1" } });
  await cluster.delete(configMaps, { namespace: "ns", name: "a" });
  await settle();
  take();
  cluster.inject({ type: "ADDED", object: created });
  cluster.inject({ type: "MODIFIED", object: changed });
  await settle();
  expect(take()).toEqual([]);
  expect(reflector.store.size).toBe(0);
});

test("a malformed object and a handler that throws harm nobody", async () => {
  const { cluster, reflector, faults, start, take } = reflecting();
  reflector.addHandler({
    changed: () => {
      throw new Error("handler");
    },
  });
  await start();
  cluster.inject({ type: "ADDED", object: { apiVersion: "v1", kind: "X", metadata: { resourceVersion: "5" } } });
  cluster.inject({ type: "ADDED", object: { apiVersion: "v1", kind: "X" } as Thing });
  cluster.inject({
    type: "ADDED",
    object: { ...thing("a"), metadata: { ...thing("a").metadata, uid: "u", resourceVersion: "6" } },
  });
  await settle();
  expect(take()).toEqual(["list 0", "event 5", "added a 0", "event 6"]);
  expect(faults.map(String)).toEqual([
    "TypeError: X without name or uid",
    "TypeError: X without name or uid",
    "Error: handler",
  ]);
});

test("strip takes away what nobody reads, before it is kept", async () => {
  const { cluster, reflector, start } = reflecting({
    strip: (object) => ({ ...object, metadata: { ...object.metadata, managedFields: [] } }),
  });
  await cluster.create(configMaps, {
    ...thing("a"),
    metadata: { ...thing("a").metadata, managedFields: [{ big: 1 }] },
  });
  await start();
  const kept = reflector.store.get("ns/a");
  expect(kept?.metadata.managedFields).toEqual([]);
  expect(Object.isFrozen(kept?.metadata)).toBe(true);
});

test("a handler that comes late is told of what there is", async () => {
  const { cluster, reflector, start } = reflecting();
  await cluster.create(configMaps, thing("a"));
  await start();
  const told: string[] = [];
  const remove = reflector.addHandler({ changed: ({ type, object }) => told.push(`${type} ${object.metadata.name}`) });
  expect(told).toEqual(["added a"]);
  remove();
  await cluster.create(configMaps, thing("b"));
  await settle();
  expect(told).toEqual(["added a"]);
});

test("an object that leaves the selector is a delete for this stream", async () => {
  const { cluster, start, take } = reflecting({ labelSelector: "app=x" });
  await cluster.create(configMaps, thing("a", "0", { app: "x" }));
  await cluster.create(configMaps, thing("b", "0", { app: "y" }));
  await start();
  expect(take()).toEqual(["added a 0", "list 2"]);
});

test("stopped before the first list: synced answers false", async () => {
  const { cluster, reflector, start } = reflecting();
  cluster.fault = () =>
    new Promise<void>((_resolve, reject) => stop.signal.addEventListener("abort", () => reject(new Error("stopped"))));
  await start();
  stop.abort();
  expect(await reflector.synced).toBe(false);
});

test("repeated errors of the watch end in a list", async () => {
  const { cluster, clock, start } = reflecting();
  await start();
  cluster.fault = (verb) => {
    if (verb === "watch") throw new ApiError(500, "InternalError", "oops");
  };
  cluster.breakWatches();
  await clock.advance(20_000);
  expect(cluster.requests.filter((request) => request === "list configmaps").length).toBeGreaterThan(1);
});
