import { expect, test } from "vitest";
import { plainOptions } from "../core/engine/engine.fixture.js";
import { openRun } from "../core/engine/index.js";
import type { Workflow } from "../core/model/argo/workflow.js";
import { pods, workflows } from "../core/model/resources.js";
import type { Client } from "../kube/client.js";
import { TransportError } from "../kube/errors.js";
import { keyOf } from "../kube/key.js";
import { FakeCluster } from "../kube/testing/fake-cluster.js";
import { settle, VirtualClock } from "../kube/testing/virtual-clock.js";
import { OpenRuns } from "./open-runs.js";
import { type PassPorts, pass } from "./pass.js";
import { TaskResultReader } from "./task-results.js";
import { cachesOf } from "./testing/caches.js";

const workflow: Workflow = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Workflow",
  metadata: { namespace: "ns", name: "wf" },
  spec: {
    entrypoint: "main",
    templates: [{ name: "main", container: { image: "busybox", command: ["true"] } }],
  },
};

function patchingBy(cluster: FakeCluster, patch: (...call: Parameters<Client["patch"]>) => Promise<unknown>): Client {
  return {
    get: (type, key) => cluster.get(type, key),
    list: (type, options) => cluster.list(type, options),
    watch: (type, options) => cluster.watch(type, options),
    create: (type, object) => cluster.create(type, object),
    update: (type, object) => cluster.update(type, object),
    delete: (type, key, options) => cluster.delete(type, key, options),
    patch: (...call) => patch(...call) as never,
  };
}

/** Patches are done, but the first answer is lost. */
function losingOneAnswer(cluster: FakeCluster): Client {
  let lost = 1;
  return patchingBy(cluster, async (type, key, patch) => {
    const answer = await cluster.patch(type, key, patch);
    if (lost-- > 0) throw new TransportError("no answer");
    return answer;
  });
}

function portsOn(client: Client, cached: () => Workflow, told: string[] = []): PassPorts {
  const caches = cachesOf({ workflow: cached });
  const clock = new VirtualClock();
  return {
    client,
    clock,
    caches,
    runs: new OpenRuns(),
    results: new TaskResultReader(client, clock, caches),
    podInTheWay: () => undefined,
    open: (one) => openRun(one, plainOptions),
    opened: () => told.push("opened"),
    saved: () => told.push("saved"),
  };
}

/** Tells that a patch has its place, and answers it only when `answer` says how. */
function ordering(cluster: FakeCluster, answer: Promise<void>): Client {
  return patchingBy(cluster, async (type, key, patch, options) => {
    options?.onOrdered?.();
    await answer;
    return cluster.patch(type, key, patch);
  });
}

const podNames = async (cluster: FakeCluster): Promise<readonly (string | undefined)[]> =>
  (await cluster.list(pods)).items.map(({ metadata }) => metadata.name);

test("what a save demands is sent as soon as the save has its place, and not once more when it is durable", async () => {
  const cluster = new FakeCluster();
  const created = await cluster.create(workflows, workflow);
  const told: string[] = [];
  let durable: () => void = () => undefined;
  const answer = new Promise<void>((resolve) => {
    durable = resolve;
  });
  const passed = pass(
    portsOn(ordering(cluster, answer), () => created, told),
    keyOf(created),
  );
  await settle();
  expect([await podNames(cluster), told]).toEqual([["wf"], ["opened"]]);
  const { create } = cluster;
  cluster.create = () => Promise.reject(new Error("created twice"));
  durable();
  expect(await passed).toMatchObject({ kind: "done" });
  expect(told).toEqual(["opened", "saved"]);
  cluster.create = create;
});

test("a save that had its place and was lost leaves no run behind that believes in it", async () => {
  const cluster = new FakeCluster();
  const created = await cluster.create(workflows, workflow);
  const answer = Promise.reject(new TransportError("the store failed"));
  const ports = portsOn(ordering(cluster, answer), () => created);
  await expect(pass(ports, keyOf(created))).rejects.toThrow("the store failed");
  expect(ports.runs.size).toBe(0);
});

test("a save that was done without an answer is acted upon when it is seen: pods are told, demands carried out", async () => {
  const cluster = new FakeCluster();
  const client = losingOneAnswer(cluster);
  let cached = await cluster.create(workflows, workflow);
  const key = keyOf(cached);
  const told: string[] = [];
  const ports = portsOn(client, () => cached, told);
  await expect(pass(ports, key)).rejects.toThrow("no answer");
  expect(told).toEqual(["opened"]);
  expect(await podNames(cluster)).toEqual([]);
  cached = await cluster.get<Workflow>(workflows, key);
  await pass(ports, key);
  expect(told).toEqual(["opened", "opened"]);
  expect(await podNames(cluster)).toEqual(["wf"]);
});
