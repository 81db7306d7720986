import { expect, test } from "vitest";
import { podFinalizer } from "../core/model/argo/names.js";
import type { Pod } from "../core/model/kube/pod.js";
import { pods } from "../core/model/resources.js";
import { ApiError } from "../kube/errors.js";
import { FakeCluster, type Verb } from "../kube/testing/fake-cluster.js";
import { type Released, releasePods } from "./release.js";

const foreign = ["example.com/first", "example.com/last"] as const;

async function clusterWith(pods_: Readonly<Record<string, readonly string[]>>): Promise<FakeCluster> {
  const cluster = new FakeCluster();
  for (const [key, finalizers] of Object.entries(pods_)) {
    const [namespace = "", name = ""] = key.split("/");
    const pod: Pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { namespace, name, finalizers, labels: { colour: "blue" } },
      spec: { containers: [] },
    };
    await cluster.create(pods, pod);
  }
  cluster.requests.length = 0;
  return cluster;
}

async function told(released: AsyncIterable<Released>): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const { pod, outcome, error } of released)
    lines.push(`${pod.metadata.name} ${outcome}${error instanceof Error ? `: ${error.message}` : ""}`);
  return lines;
}

async function finalizers(cluster: FakeCluster): Promise<Readonly<Record<string, readonly string[] | undefined>>> {
  const { items } = await cluster.list<Pod>(pods);
  return Object.fromEntries(items.map(({ metadata }) => [metadata.name ?? "", metadata.finalizers]));
}

test("our finalizer goes, those of others stay in their order; pods without it are not written", async () => {
  const cluster = await clusterWith({
    "ns/ours": [podFinalizer],
    "ns/between": [foreign[0], podFinalizer, foreign[1]],
    "ns/free": [],
    "other/far": [podFinalizer],
  });
  expect(await told(releasePods(cluster))).toEqual(["ours freed", "between freed", "far freed"]);
  expect(await finalizers(cluster)).toEqual({ ours: [], between: foreign, free: [], far: [] });
  expect(cluster.requests.filter((request) => request.startsWith("patch"))).toHaveLength(3);
  expect(await told(releasePods(cluster))).toEqual([]);
});

test("only the namespace that is named", async () => {
  const cluster = await clusterWith({ "ns/a": [podFinalizer], "other/b": [podFinalizer] });
  expect(await told(releasePods(cluster, { namespace: "ns" }))).toEqual(["a freed"]);
  expect(await finalizers(cluster)).toEqual({ a: [], b: [podFinalizer] });
});

/** Calls `act` before the first request of that verb. */
function before(cluster: FakeCluster, verb: Verb, act: () => Promise<unknown>): void {
  let isDone = false;
  cluster.fault = async (asked) => {
    if (asked !== verb || isDone) return;
    isDone = true;
    await act();
  };
}

test("a pod that someone changed meanwhile is read again, and what he put on it stays", async () => {
  const cluster = await clusterWith({ "ns/a": [podFinalizer] });
  before(cluster, "patch", async () => {
    const pod = await cluster.get<Pod>(pods, { namespace: "ns", name: "a" });
    await cluster.update(pods, { ...pod, metadata: { ...pod.metadata, finalizers: [foreign[0], podFinalizer] } });
  });
  expect(await told(releasePods(cluster))).toEqual(["a freed"]);
  expect(await finalizers(cluster)).toEqual({ a: [foreign[0]] });
});

test("a pod that is another by now is left alone until it is seen itself", async () => {
  const cluster = await clusterWith({ "ns/a": [podFinalizer] });
  const seen = await cluster.get<Pod>(pods, { namespace: "ns", name: "a" });
  before(cluster, "patch", async () => {
    await cluster.delete(pods, { namespace: "ns", name: "a" });
    const { uid: _uid, resourceVersion: _revision, ...metadata } = seen.metadata;
    await cluster.create(pods, { ...seen, metadata });
  });
  expect(await told(releasePods(cluster))).toEqual(["a gone", "a freed"]);
});

test("one that is refused does not keep the others, and is not asked again", async () => {
  const cluster = await clusterWith({ "ns/a": [podFinalizer], "ns/b": [podFinalizer] });
  cluster.fault = (verb, _type, key) => {
    if (verb === "patch" && key === "ns/a") throw new ApiError(403, "Forbidden", "an admission hook says no");
  };
  expect(await told(releasePods(cluster))).toEqual(["a refused: an admission hook says no", "b freed"]);
  expect(await finalizers(cluster)).toEqual({ a: [podFinalizer], b: [] });
});
