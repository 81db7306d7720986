import { expect, test } from "vitest";
import type { KubeObject } from "../core/model/kube/meta.js";
import { configMaps } from "../core/model/resources.js";
import { withBudget } from "./budget.js";
import { FakeCluster } from "./testing/fake-cluster.js";
import { VirtualClock } from "./testing/virtual-clock.js";
import { TokenBucket } from "./workqueue/token-bucket.js";

const named = (name: string): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace: "ns", name },
});

test("a lane that has spent its budget waits, and another lane does not", async () => {
  const clock = new VirtualClock();
  const cluster = new FakeCluster();
  const lane = () => withBudget(cluster, new TokenBucket({ clock, ratePerSecond: 10, burst: 5 }));
  const [cleanup, passes] = [lane(), lane()];
  const writes = Array.from({ length: 100 }, (_, index) => cleanup.create(configMaps, named(`c${index}`)));
  await clock.advance(0);
  expect(cluster.requests).toHaveLength(5);
  await passes.create(configMaps, named("p"));
  expect(cluster.requests).toHaveLength(6);
  await clock.advance(1000);
  expect(cluster.requests).toHaveLength(16);
  await clock.advance(10_000);
  await Promise.all(writes);
  expect(cluster.requests).toHaveLength(101);
});

test("every kind of write and every get is paid for; the stop ends the waiting", async () => {
  const clock = new VirtualClock();
  const cluster = new FakeCluster();
  const stop = new AbortController();
  const bucket = new TokenBucket({ clock, ratePerSecond: 0.001, burst: 5, signal: stop.signal });
  const client = withBudget(cluster, bucket);
  const key = { namespace: "ns", name: "a" };
  const created = await client.create(configMaps, named("a"));
  await client.update(configMaps, created);
  await client.patch(configMaps, key, { type: "merge", body: {} });
  await client.get(configMaps, key);
  await client.delete(configMaps, key);
  await client.list(configMaps);
  const waiting = client.create(configMaps, named("b"));
  stop.abort(new Error("stopping"));
  await expect(waiting).rejects.toThrow("stopping");
  expect(cluster.requests).toHaveLength(6);
});
