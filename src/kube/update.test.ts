import { expect, test } from "vitest";
import type { KubeObject } from "../core/model/kube/meta.js";
import { configMaps } from "../core/model/resources.js";
import { TransportError } from "./errors.js";
import { deletePrecondition, withPrecondition } from "./precondition.js";
import { FakeCluster } from "./testing/fake-cluster.js";
import { patchOnConflict, updateOnConflict } from "./update.js";

interface Counter extends KubeObject {
  readonly data: { readonly n: string };
}

const key = { namespace: "ns", name: "a" };
const target = { type: configMaps, key };
const fresh: Counter = { apiVersion: "v1", kind: "ConfigMap", metadata: key, data: { n: "0" } };
const increment = (object: Counter): Counter => ({ ...object, data: { n: String(Number(object.data.n) + 1) } });

test("many writers at once: every decision is made from what it replaces, none is lost", async () => {
  const cluster = new FakeCluster();
  const from = await cluster.create(configMaps, fresh);
  await Promise.all(
    Array.from({ length: 8 }, () => updateOnConflict(cluster, target, increment, { from, attemptsMax: 100 })),
  );
  expect((await cluster.get<Counter>(configMaps, key)).data.n).toBe("8");
});

test("patches decide again as well", async () => {
  const cluster = new FakeCluster();
  const from = await cluster.create(configMaps, fresh);
  const decide = (object: Counter) => ({ type: "merge", body: { data: { n: `${object.data.n}x` } } }) as const;
  await Promise.all(Array.from({ length: 5 }, () => patchOnConflict(cluster, target, decide, { from })));
  expect((await cluster.get<Counter>(configMaps, key)).data.n).toBe("0xxxxx");
});

test("nothing to change: no write", async () => {
  const cluster = new FakeCluster();
  await cluster.create(configMaps, fresh);
  const result = await updateOnConflict<Counter>(cluster, target, () => undefined);
  expect(result).toMatchObject({ outcome: "unchanged", object: { data: { n: "0" } } });
  expect(cluster.requests).toEqual(["create configmaps ns/a", "get configmaps ns/a"]);
});

test("gone, or replaced by another of the same name: nothing is written", async () => {
  const cluster = new FakeCluster();
  const first = await cluster.create(configMaps, fresh);
  await cluster.delete(configMaps, key);
  expect(await updateOnConflict<Counter>(cluster, target, increment)).toEqual({ outcome: "gone" });
  await cluster.create(configMaps, fresh);
  expect(await updateOnConflict<Counter>(cluster, target, increment, { from: first })).toEqual({ outcome: "gone" });
  expect((await cluster.get<Counter>(configMaps, key)).data.n).toBe("0");
});

test("a decision cannot write its way around the precondition", async () => {
  const cluster = new FakeCluster();
  const first = await cluster.create(configMaps, fresh);
  await cluster.update(configMaps, increment(first));
  const result = await updateOnConflict<Counter>(
    cluster,
    target,
    (object) => ({ ...increment(object), metadata: { ...key } }),
    { from: first },
  );
  expect(result).toMatchObject({ outcome: "written", object: { data: { n: "2" } } });
});

test("after so many conflicts the last one is thrown; no answer is thrown at once", async () => {
  const cluster = new FakeCluster();
  await cluster.create(configMaps, fresh);
  let decisions = 0;
  const racing = updateOnConflict<Counter>(
    {
      ...bound(cluster),
      get: async (type, at) => {
        const seen = await cluster.get<Counter>(type, at);
        await cluster.update(configMaps, increment(seen));
        return seen as never;
      },
    },
    target,
    (object) => {
      decisions++;
      return increment(object);
    },
    { attemptsMax: 4 },
  );
  await expect(racing).rejects.toMatchObject({ code: 409, reason: "Conflict" });
  expect(decisions).toBe(4);
  cluster.requests.length = 0;
  cluster.fault = (verb) => {
    if (verb === "update") throw new TransportError("reset");
  };
  await expect(updateOnConflict<Counter>(cluster, target, increment)).rejects.toThrow("reset");
  expect(cluster.requests).toEqual(["get configmaps ns/a", "update configmaps ns/a"]);
});

test("preconditions", () => {
  const seen: KubeObject = { apiVersion: "v1", kind: "Pod", metadata: { name: "p", uid: "u", resourceVersion: "7" } };
  expect(withPrecondition({ type: "merge", body: { metadata: { labels: { a: "b" }, uid: "x" } } }, seen)).toEqual({
    type: "merge",
    body: { metadata: { labels: { a: "b" }, uid: "u", resourceVersion: "7" } },
  });
  expect(withPrecondition({ type: "json", body: [{ op: "remove", path: "/a" }] }, seen).body).toEqual([
    { op: "add", path: "/metadata/uid", value: "u" },
    { op: "add", path: "/metadata/resourceVersion", value: "7" },
    { op: "remove", path: "/a" },
  ]);
  expect(deletePrecondition(seen)).toEqual({ preconditions: { uid: "u", resourceVersion: "7" } });
  expect(() => deletePrecondition({ ...seen, metadata: { name: "p" } })).toThrow("was not read from the API");
});

function bound(cluster: FakeCluster) {
  return {
    get: cluster.get.bind(cluster),
    list: cluster.list.bind(cluster),
    watch: cluster.watch.bind(cluster),
    create: cluster.create.bind(cluster),
    update: cluster.update.bind(cluster),
    patch: cluster.patch.bind(cluster),
    delete: cluster.delete.bind(cluster),
  };
}
