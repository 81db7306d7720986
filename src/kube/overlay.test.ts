import { afterEach, expect, test } from "vitest";
import type { KubeObject } from "../core/model/kube/meta.js";
import { configMaps, pods } from "../core/model/resources.js";
import { ApiError } from "./errors.js";
import { Overlay } from "./overlay.js";
import { recordingWrites } from "./recording-client.js";
import { Reflector } from "./reflector.js";
import { FakeCluster } from "./testing/fake-cluster.js";
import { SeededChance } from "./testing/seeded-chance.js";
import { settle, VirtualClock } from "./testing/virtual-clock.js";

let stop = new AbortController();
afterEach(() => stop.abort());

function thing(name: string, labels: Record<string, string> = {}): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "ns", name, labels } };
}

/** Two streams of one type, the second with a selector; writes go through the overlay. */
async function world() {
  stop = new AbortController();
  const cluster = new FakeCluster();
  const clock = new VirtualClock();
  const overlay = new Overlay();
  const client = recordingWrites(cluster, overlay);
  const common = { client: cluster, type: configMaps, clock, chance: new SeededChance(1) };
  const all = new Reflector(common);
  const some = new Reflector({ ...common, labelSelector: "app=x" });
  for (const stream of [all, some]) {
    overlay.follow(stream);
    void stream.run(stop.signal);
  }
  await settle();
  const released: string[] = [];
  overlay.onCurrent(({ type, key, isAwaited }) =>
    released.push(`${type.plural} ${key}${isAwaited ? ", awaited" : ""}`),
  );
  return { cluster, clock, overlay, client, released };
}

test("a write is not current until every stream has shown it", async () => {
  const { overlay, client, released } = await world();
  // The answer comes before the streams' events do.
  const object = await client.create(configMaps, thing("a", { app: "x" }));
  const uid = object.metadata.uid ?? "";
  expect(overlay.isCurrent(configMaps, uid)).toBe(false);
  expect(overlay.isCurrent(pods, uid)).toBe(true);
  await settle();
  expect(overlay.isCurrent(configMaps, uid)).toBe(true);
  expect([...released].sort()).toEqual(["configmaps ns/a", "configmaps ns/a, awaited"]);
  expect(overlay.size).toBe(0);
});

test("whoever was told that it is not current is awaited, also over a further write", async () => {
  const { overlay, client, released } = await world();
  const object = await client.create(configMaps, thing("a", { app: "x" }));
  await settle();
  expect(released).toEqual(["configmaps ns/a", "configmaps ns/a"]);
  const patched = client.patch(
    configMaps,
    { namespace: "ns", name: "a" },
    { type: "merge", body: { data: { n: "1" } } },
  );
  await patched;
  expect(overlay.isCurrent(configMaps, object.metadata.uid ?? "")).toBe(false);
  await client.patch(configMaps, { namespace: "ns", name: "a" }, { type: "merge", body: { data: { n: "2" } } });
  await settle();
  expect(released.filter((one) => one.endsWith("awaited"))).toHaveLength(1);
});

test("a stream that never shows the object passes it with a bookmark", async () => {
  const { cluster, overlay, client } = await world();
  const { metadata } = await client.create(configMaps, thing("a"));
  await settle();
  expect(overlay.isCurrent(configMaps, metadata.uid ?? "")).toBe(false);
  cluster.bookmark();
  await settle();
  expect(overlay.isCurrent(configMaps, metadata.uid ?? "")).toBe(true);
});

test("a stream that never shows the object passes it with another's event", async () => {
  const { overlay, client } = await world();
  const { metadata } = await client.create(configMaps, thing("a"));
  await client.create(configMaps, thing("b", { app: "x" }));
  await settle();
  expect(overlay.isCurrent(configMaps, metadata.uid ?? "")).toBe(true);
  expect(overlay.size).toBe(0);
});

test("a list passes what was written before it", async () => {
  const { cluster, clock, overlay, client } = await world();
  cluster.breakWatches(new ApiError(410, "Expired", "too old"));
  const { metadata } = await client.create(configMaps, thing("a"));
  expect(overlay.isCurrent(configMaps, metadata.uid ?? "")).toBe(false);
  cluster.compact();
  await clock.advance(1000);
  expect(overlay.isCurrent(configMaps, metadata.uid ?? "")).toBe(true);
});

test("a delete is waited for as well", async () => {
  const { cluster, overlay, client } = await world();
  const { metadata } = await client.create(configMaps, thing("a", { app: "x" }));
  await settle();
  const preconditions = { uid: metadata.uid ?? "" };
  await client.delete(configMaps, { namespace: "ns", name: "a" }, { preconditions });
  expect(overlay.isCurrent(configMaps, preconditions.uid)).toBe(false);
  await settle();
  expect(overlay.isCurrent(configMaps, preconditions.uid)).toBe(true);
  expect(cluster.requests.at(-1)).toBe("delete configmaps ns/a");
});

test("the delete of what no stream shows is not waited for", async () => {
  const { overlay } = await world();
  overlay.deleted(configMaps, "unknown", "ns/a");
  expect(overlay.size).toBe(0);
});

test("a write that the stream has overtaken is current at once, and an older answer does not replace a newer", async () => {
  const { overlay, client } = await world();
  const first = await client.create(configMaps, thing("a", { app: "x" }));
  const second = await client.update(configMaps, {
    ...first,
    metadata: { ...first.metadata, labels: { app: "x", b: "c" } },
  });
  overlay.wrote(configMaps, first);
  await settle();
  expect(overlay.isCurrent(configMaps, second.metadata.uid ?? "")).toBe(true);
  overlay.wrote(configMaps, second);
  expect(overlay.size).toBe(0);
});

test("a restored backup: entries that no stream will ever pass go with the older list", async () => {
  const { cluster, clock, overlay, client } = await world();
  for (const name of ["a", "b", "c"]) await client.create(configMaps, thing(name, { app: "x" }));
  await settle();
  cluster.breakWatches(new ApiError(410, "Expired", "too old"));
  const { metadata } = await client.create(configMaps, thing("d"));
  cluster.rewind(1);
  await clock.advance(1000);
  expect(overlay.isCurrent(configMaps, metadata.uid ?? "")).toBe(true);
});

test("a live read that is older than our write tells the same", async () => {
  const { overlay, client, cluster } = await world();
  const first = await client.create(configMaps, thing("a"));
  await client.update(configMaps, { ...first });
  const uid = first.metadata.uid ?? "";
  const serialBefore = overlay.serial - 2;
  overlay.readLive(configMaps, first, serialBefore);
  expect(overlay.isCurrent(configMaps, uid), "a read begun before the write proves nothing").toBe(false);
  cluster.get = () => Promise.resolve(first as never);
  await client.get(configMaps, { namespace: "ns", name: "a" });
  expect(overlay.isCurrent(configMaps, uid)).toBe(true);
});

test("a dry run is no write", async () => {
  const { overlay, client } = await world();
  await client.create(configMaps, thing("a"), { dryRun: true });
  expect(overlay.size).toBe(0);
});
