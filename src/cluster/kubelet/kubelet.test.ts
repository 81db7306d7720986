import { expect, test } from "vitest";
import type { ContainerStatus, Pod } from "../../core/model/kube/pod.js";
import { configMaps, pods } from "../../core/model/resources.js";
import { ApiError, TransportError } from "../../kube/errors.js";
import { FakeCluster } from "../../kube/testing/fake-cluster.js";
import type { BuiltinImage } from "./builtin.js";
import { podOf, scriptedNode } from "./testing/scripted-node.js";

const unknownField = { name: "X", valueFrom: { fieldRef: { fieldPath: "spec.nonsense" } } };

const key = (name: string) => ({ namespace: "default", name });

function stateOf(pod: Pod, container = "main"): ContainerStatus["state"] {
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  return [...initContainerStatuses, ...containerStatuses].find((one) => one.name === container)?.state;
}

test("a pod runs to its end, and its times are the clock's", async () => {
  const node = await scriptedNode([{ match: { pod: "a" }, duration: "5s", stdout: ["one", "two"] }]);
  await node.create("a", {});
  await node.clock.advance(1000);
  expect((await node.read("a")).status?.phase).toBe("Running");
  expect((await node.read("a")).spec.nodeName).toBe("local");
  await node.clock.advance(4000);
  const pod = await node.read("a");
  expect(pod.status?.phase).toBe("Succeeded");
  expect(stateOf(pod)?.terminated).toMatchObject({
    exitCode: 0,
    reason: "Completed",
    startedAt: "2024-01-01T00:00:00Z",
    finishedAt: "2024-01-01T00:00:05Z",
  });
  const lines: string[] = [];
  for await (const block of node.kubelet.readLog(pod, "main")) lines.push(Buffer.from(block).toString());
  expect(lines.join("")).toBe("one\ntwo\n");
  expect(node.kubelet.running).toBe(0);
  await node.close();
});

test.each([
  ["its container cannot be made", { containers: [{ name: "main", image: "i", env: [unknownField] }] }],
  ["its volume is not there", { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "none" } }] }],
])("a kubelet that is closed leaves no timer of a pod that waits: %s", async (_, spec) => {
  const node = await scriptedNode([{ duration: "5s" }]);
  await node.create("a", spec);
  await node.clock.advance(500);
  expect((await node.read("a")).status?.phase).toBe("Pending");
  expect(node.clock.pending).toBeGreaterThan(0);
  await node.close();
  expect(node.clock.pending).toBe(0);
});

test("a pod's life is three writes: taken, running, ended", async () => {
  const node = await scriptedNode([{ duration: "5s" }]);
  const made = await node.create("a", {});
  const seen: string[] = [];
  const watching = (async () => {
    const { resourceVersion = "" } = made.metadata;
    for await (const event of node.client.watch<Pod>(pods, { resourceVersion })) {
      if (event.type === "BOOKMARK") continue;
      const { spec, status } = event.object;
      seen.push(`${spec.nodeName} ${status?.phase} ${Object.keys(stateOf(event.object) ?? {}).join()}`);
    }
  })();
  await node.clock.advance(6000);
  await node.close();
  await watching;
  expect(seen).toEqual(["local Pending ", "local Running running", "local Succeeded terminated"]);
});

test.each([
  ["exit code", { exitCode: 3 }, { exitCode: 3, reason: "Error" }],
  ["out of memory", { reason: "OOMKilled" }, { exitCode: 137, reason: "OOMKilled" }],
  ["message", { exitCode: 1, message: "why" }, { exitCode: 1, reason: "Error", message: "why" }],
  [
    "no start",
    { start: { reason: "StartError", message: "no" } },
    { exitCode: 128, reason: "StartError", message: "no" },
  ],
])("a failed container: %s", async (_, outcome, expected) => {
  const node = await scriptedNode([outcome]);
  await node.create("a", {});
  await node.clock.advance(100);
  const pod = await node.read("a");
  expect(pod.status?.phase).toBe("Failed");
  expect(stateOf(pod)?.terminated).toMatchObject(expected);
  await node.close();
});

test("init containers run in order, and a failed one fails the pod", async () => {
  const node = await scriptedNode([{ match: { container: "second" }, exitCode: 2 }, { duration: "1s" }]);
  await node.create("a", {
    initContainers: [
      { name: "first", image: "i" },
      { name: "second", image: "i" },
    ],
  });
  await node.clock.advance(500);
  expect(stateOf(await node.read("a"), "second")?.waiting).toEqual({ reason: "PodInitializing" });
  await node.clock.advance(1000);
  const pod = await node.read("a");
  expect(pod.status?.phase).toBe("Failed");
  expect(stateOf(pod, "second")?.terminated?.exitCode).toBe(2);
  expect(stateOf(pod)?.waiting).toEqual({ reason: "PodInitializing" });
  expect(pod.status?.conditions?.find((one) => one.type === "Initialized")?.message).toBe(
    "containers with incomplete status: [second]",
  );
  await node.close();
});

test("the deadline ends a pod with Kubernetes' words, after the grace period", async () => {
  const node = await scriptedNode([{ duration: "never", onTerm: "ignore" }]);
  await node.create("a", { activeDeadlineSeconds: 10, terminationGracePeriodSeconds: 5 });
  await node.clock.advance(14_900);
  // As since Kubernetes 1.27: not Failed before its containers have ended.
  expect((await node.read("a")).status?.phase).toBe("Running");
  await node.clock.advance(200);
  const { status } = await node.read("a");
  expect(status).toMatchObject({
    phase: "Failed",
    reason: "DeadlineExceeded",
    message: "Pod was active on the node longer than the specified deadline",
  });
  expect(stateOf(await node.read("a"))?.terminated?.exitCode).toBe(137);
  await node.close();
});

test("a deleted pod gets SIGTERM, and goes when its containers have ended", async () => {
  const node = await scriptedNode([{ duration: "never", termDelay: "2s" }]);
  const created = await node.create("a", {});
  await node.clock.advance(100);
  await node.client.delete(pods, key("a"), { gracePeriodSeconds: 30 });
  await node.clock.advance(1000);
  expect((await node.read("a")).metadata.uid).toBe(created.metadata.uid);
  await node.clock.advance(1500);
  await expect(node.read("a")).rejects.toThrow("not found");
  expect(node.kubelet.running).toBe(0);
  await node.close();
});

test("a deleted pod that a finalizer holds shows how it ended", async () => {
  const node = await scriptedNode([{ duration: "never" }]);
  const pod = await node.create("a", {});
  await node.clock.advance(100);
  const { resourceVersion: _, ...metadata } = (await node.read("a")).metadata;
  await node.client.patch(pods, key("a"), { type: "merge", body: { metadata: { finalizers: ["x.io/hold"] } } });
  await node.client.delete(pods, key("a"));
  await node.clock.advance(1000);
  const held = await node.read("a");
  expect(held.metadata.uid).toBe(metadata.uid);
  expect(pod.metadata.uid).toBe(metadata.uid);
  expect(held.status?.phase).toBe("Failed");
  expect(stateOf(held)?.terminated).toMatchObject({ exitCode: 143, reason: "Error" });
  await node.close();
});

test("slots: the others wait, oldest first, and say so", async () => {
  const node = await scriptedNode([{ duration: "1s" }], {
    maxPods: 1,
    takesSlot: (pod) => pod.metadata.name !== "daemon",
  });
  for (const name of ["daemon", "a", "b", "c"]) await node.create(name, {});
  await node.clock.advance(500);
  const waiting = await node.read("b");
  expect(waiting.status?.phase).toBe("Pending");
  expect(waiting.status?.conditions?.[0]).toMatchObject({ status: "False", message: "waits for a slot (1 of 1)" });
  const { nodeName } = (await node.read("daemon")).spec;
  expect(waiting.status?.nominatedNodeName).toBe(nodeName);
  expect(nodeName).not.toBeUndefined();
  expect((await node.read("daemon")).status?.phase).toBe("Running");
  await node.clock.advance(1000);
  const phases = async () => Promise.all(["a", "b", "c"].map(async (name) => (await node.read(name)).status?.phase));
  expect(await phases()).toEqual(["Succeeded", "Running", "Pending"]);
  await node.clock.advance(2000);
  expect(await phases()).toEqual(["Succeeded", "Succeeded", "Succeeded"]);
  await node.close();
});

test("a missing ConfigMap is named, and its coming lets the container start", async () => {
  const node = await scriptedNode([]);
  const env = [{ name: "K", valueFrom: { configMapKeyRef: { name: "cm", key: "k" } } }];
  await node.create("a", { containers: [{ name: "main", image: "i", env }] });
  await node.clock.advance(100);
  expect(stateOf(await node.read("a"))?.waiting).toEqual({
    reason: "CreateContainerConfigError",
    message: 'configmap "cm" not found',
  });
  await node.client.create(configMaps, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: key("cm"),
    data: { k: "v" },
  } as never);
  await node.clock.advance(100);
  expect((await node.read("a")).status?.phase).toBe("Succeeded");
  await node.close();
});

test("a missing Secret of a volume is named", async () => {
  const node = await scriptedNode([]);
  await node.create("a", { volumes: [{ name: "v", secret: { secretName: "s" } }] });
  await node.clock.advance(100);
  expect(stateOf(await node.read("a"))?.waiting?.message).toBe(
    'MountVolume.SetUp failed for volume "v" : secret "s" not found',
  );
  await node.close();
});

test("an evicted pod fails with the node's words", async () => {
  const node = await scriptedNode([{ duration: "3s", pod: { reason: "Evicted", message: "low on memory" } }]);
  await node.create("a", {});
  await node.clock.advance(3100);
  expect((await node.read("a")).status).toMatchObject({ phase: "Failed", reason: "Evicted", message: "low on memory" });
  await node.close();
});

test("a daemon is ready when its probe succeeds", async () => {
  const node = await scriptedNode([{ duration: "never", readyAfter: "3s" }]);
  const readinessProbe = { tcpSocket: { port: 80 }, periodSeconds: 1 };
  await node.create("a", { containers: [{ name: "main", image: "i", readinessProbe }] });
  const ready = async () => (await node.read("a")).status?.conditions?.find((one) => one.type === "Ready")?.status;
  await node.clock.advance(2500);
  expect(await ready()).toBe("False");
  await node.clock.advance(1000);
  expect(await ready()).toBe("True");
  await node.close();
});

test("a built-in image sees its neighbour's end, output and files", async () => {
  const seen: unknown[] = [];
  const wait: BuiltinImage = async (context) => {
    seen.push(await context.ended("main"));
    seen.push((await context.stdoutTail("main", 4)).toString());
    seen.push((await context.readFile("main", "/out", 4096))?.toString());
    context.log("done");
    return { exitCode: 0, message: "reported" };
  };
  const node = await scriptedNode(
    [{ duration: "1s", exitCode: 7, stdout: "a long text", files: { "/out": "value" } }],
    {
      builtinImages: new Map([["wait", wait]]),
    },
  );
  await node.create("a", {
    containers: [
      { name: "main", image: "i" },
      { name: "wait", image: "wait" },
    ],
  });
  await node.clock.advance(1500);
  expect(seen).toEqual([{ exitCode: 7 }, "text", "value"]);
  const pod = await node.read("a");
  expect(stateOf(pod, "wait")?.terminated).toMatchObject({ exitCode: 0, message: "reported" });
  expect(pod.status?.phase).toBe("Failed");
  await node.close();
});

test("a sidecar runs beside main and ends after it", async () => {
  const node = await scriptedNode([{ match: { container: "side" }, duration: "never" }, { duration: "2s" }]);
  await node.create("a", { initContainers: [{ name: "side", image: "i", restartPolicy: "Always" }] });
  await node.clock.advance(1000);
  expect(stateOf(await node.read("a"), "side")?.running).toBeDefined();
  await node.clock.advance(1500);
  const pod = await node.read("a");
  expect(pod.status?.phase).toBe("Succeeded");
  expect(stateOf(pod, "side")?.terminated?.exitCode).toBe(143);
  await node.close();
});

test("restartPolicy OnFailure: again at once, then after ten seconds", async () => {
  const node = await scriptedNode([
    { match: { invocation: 0 }, exitCode: 1 },
    { match: { invocation: 1 }, exitCode: 1 },
    { exitCode: 0 },
  ]);
  await node.create("a", { restartPolicy: "OnFailure" });
  await node.clock.advance(9000);
  expect((await node.read("a")).status?.phase).toBe("Running");
  await node.clock.advance(2000);
  const pod = await node.read("a");
  expect(pod.status?.phase).toBe("Succeeded");
  expect(pod.status?.containerStatuses?.[0]?.restartCount).toBe(2);
  await node.close();
});

test("a signal reaches a container, and the pod ends as that ends it", async () => {
  const node = await scriptedNode([{ duration: "never" }]);
  const pod = await node.create("a", {});
  await node.clock.advance(100);
  await node.kubelet.signal({ uid: pod.metadata.uid ?? "" }, "SIGTERM", ["main"]);
  await node.clock.advance(100);
  expect(stateOf(await node.read("a"))?.terminated?.exitCode).toBe(143);
  await node.close();
});

test("a pod that is gone from the API is killed", async () => {
  const node = await scriptedNode([{ duration: "never", onTerm: "ignore" }]);
  await node.create("a", {});
  await node.clock.advance(100);
  await node.client.delete(pods, key("a"), { gracePeriodSeconds: 0 });
  await node.clock.advance(10);
  expect(node.kubelet.running).toBe(0);
  await node.close();
});

test("a pod that is deleted by force but held is asked before it is killed", async () => {
  const node = await scriptedNode([{ duration: "never" }]);
  const made = await node.create("a", {});
  await node.client.patch(pods, key("a"), { type: "merge", body: { metadata: { finalizers: ["example.com/held"] } } });
  await node.clock.advance(100);
  await node.client.delete(pods, key("a"), { gracePeriodSeconds: 0, preconditions: { uid: made.metadata.uid ?? "" } });
  await node.clock.advance(100);
  expect(stateOf(await node.read("a"))?.terminated?.exitCode).toBe(143);
  await node.close();
});

test.each([
  ["the API does not answer", new TransportError("no answer")],
  ["somebody writes at the same time", new ApiError(409, "Conflict", "the object has been modified")],
])("the deletion of a pod that had ended before is ended, however often %s", async (_, error) => {
  const client = new FakeCluster();
  const deletion = { deletionTimestamp: "2024-01-01T00:00:30Z", deletionGracePeriodSeconds: 30 };
  const ended = podOf("a", {});
  await client.create(pods, { ...ended, metadata: { ...ended.metadata, ...deletion }, status: { phase: "Failed" } });
  let refusals = 2;
  client.fault = (verb) => {
    if (verb === "delete" && refusals-- > 0) throw error;
  };
  const node = await scriptedNode([], { client });
  await node.clock.advance(1000);
  expect((await client.list(pods)).items).toEqual([]);
  expect(node.errors).toHaveLength(2);
  expect(node.kubelet.held()).toBe(0);
  await node.close();
});

test("a thousand pods cost no timer but their own", async () => {
  const node = await scriptedNode([{ duration: "1s" }]);
  await Promise.all(Array.from({ length: 1000 }, (_, index) => node.create(`p${index}`, {})));
  await node.clock.advance(1100);
  const { items } = await node.client.list<Pod>(pods, { namespace: "default" });
  expect(items.every((pod) => pod.status?.phase === "Succeeded")).toBe(true);
  expect(node.kubelet.running).toBe(0);
  expect(node.errors).toEqual([]);
  await node.close();
});
