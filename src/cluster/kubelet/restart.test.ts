import { expect, test } from "vitest";
import type { ContainerStatus, Pod } from "../../core/model/kube/pod.js";
import { pods } from "../../core/model/resources.js";
import type { Client } from "../../kube/client.js";
import { TransportError } from "../../kube/errors.js";
import { SeededChance } from "../../kube/testing/seeded-chance.js";
import { VirtualClock } from "../../kube/testing/virtual-clock.js";
import { adoptedRecords } from "./adopt.js";
import { type Kubelet, startKubelet } from "./kubelet.js";
import type { FoundContainer, Runtime } from "./runtime/port.js";
import { defaultOutcome } from "./runtime/scripted/script.js";
import { ScriptedPod } from "./runtime/scripted/scripted-pod.js";
import { podOf, type ScriptedNode, scriptedNode } from "./testing/scripted-node.js";

const begunAt = Date.parse("2024-01-01T00:00:00Z");
const alive: FoundContainer = { name: "main", restartCount: 0, startedAt: begunAt, state: "alive" };
const probe = { exec: { command: ["x"] }, periodSeconds: 1 };

/** Its main container was begun by an earlier process, and never ends. */
class KeptPod extends ScriptedPod {
  override readonly found = [alive];

  override ended(): Promise<never> {
    return new Promise(() => undefined);
  }

  override probe(): Promise<boolean> {
    return Promise.resolve(true);
  }
}

function keptPod(clock: VirtualClock): Runtime["openPod"] {
  return () =>
    new Promise((resolve) => clock.after(500, () => resolve(new KeptPod({ clock, outcomeOf: () => defaultOutcome }))));
}

/** The kubelet's next process, on a machine that is slow to find a pod again. */
function startAgain(
  node: ScriptedNode,
  client: Client = node.client,
  openPod: Runtime["openPod"] = keptPod(node.clock),
): Promise<Kubelet> {
  const { clock } = node;
  return startKubelet({
    client,
    clock,
    chance: new SeededChance(2),
    runtime: { name: "kept", files: "none", start: () => Promise.resolve(), openPod, close: () => Promise.resolve() },
    builtinImages: new Map(),
    podsFolder: "/nonexistent/pods",
    claimsFolder: "/nonexistent/claims",
    maxPods: 1,
    onError: (error) => node.errors.push(error),
  });
}

test("a kubelet that comes back to a running pod has nothing to write", async () => {
  const node = await scriptedNode([{ duration: "never" }]);
  await node.create("a", {});
  await node.clock.advance(1000);
  const before = await node.read("a");
  await node.kubelet.close();
  const kubelet = await startAgain(node);
  await node.clock.advance(5000);
  expect(await node.read("a")).toEqual(before);
  await kubelet.close();
  await node.close();
});

test("a kubelet that comes back asks the probes again", async () => {
  const node = await scriptedNode([{ duration: "never", readyAfter: "1h" }]);
  await node.create("a", { containers: [{ name: "main", image: "i", readinessProbe: probe }] });
  await node.clock.advance(1000);
  const isReady = async (): Promise<boolean | undefined> =>
    (await node.read("a")).status?.containerStatuses?.[0]?.ready;
  expect(await isReady()).toBe(false);
  await node.kubelet.close();
  const kubelet = await startAgain(node);
  await node.clock.advance(450);
  expect(await isReady()).toBe(false);
  await node.clock.advance(2000);
  expect(await isReady()).toBe(true);
  await kubelet.close();
  await node.close();
});

function withDelete(client: Client, deletion: Client["delete"]): Client {
  return {
    get: (type, key) => client.get(type, key),
    list: (type, options) => client.list(type, options),
    watch: (type, options) => client.watch(type, options),
    create: (type, object, options) => client.create(type, object, options),
    update: (type, object, options) => client.update(type, object, options),
    patch: (type, key, patch, options) => client.patch(type, key, patch, options),
    delete: deletion,
  };
}

test("the deletion of a pod that had ended is asked for until the API answers", async () => {
  const node = await scriptedNode([{ duration: "never" }]);
  await node.create("a", {});
  await node.clock.advance(1000);
  await node.kubelet.close();
  const key = { namespace: "default", name: "a" };
  await node.client.delete(pods, key, { gracePeriodSeconds: 30 });
  const status = { phase: "Failed" } as const;
  await node.client.update(pods, { ...(await node.read("a")), status }, { subresource: "status" });
  let refusals = 3;
  const client = withDelete(node.client, async (type, key, options) => {
    if (refusals-- > 0) throw new TransportError("no answer");
    return node.client.delete(type, key, options);
  });
  const kubelet = await startAgain(node, client);
  await node.clock.advance(5000);
  expect((await node.client.list<Pod>(pods, { namespace: "default" })).items).toEqual([]);
  expect([node.errors.length, kubelet.held()]).toEqual([3, 0]);
  await kubelet.close();
  await node.close();
});

const exit = { exitCode: 1, reason: "Error", startedAt: begunAt, finishedAt: begunAt };
const terminated = {
  exitCode: 1,
  reason: "Error",
  startedAt: "2024-01-01T00:00:00Z",
  finishedAt: "2024-01-01T00:00:00Z",
};
const saved: ContainerStatus = {
  name: "main",
  image: "i",
  imageID: "",
  containerID: "x://1",
  ready: true,
  started: true,
  restartCount: 0,
  state: { running: { startedAt: "2024-01-01T00:00:00Z" } },
};

test.each<readonly [string, Partial<ContainerStatus>, FoundContainer, object]>([
  ["one that runs", {}, alive, { ready: true, started: true, containerID: "x://1", restartCount: 0 }],
  ["one that was not ready", { ready: false }, alive, { ready: false, started: true }],
  ["one that had not started", { started: false, ready: false }, alive, { ready: false, started: false }],
  [
    "one that was begun again unseen",
    { state: { terminated } },
    { ...alive, restartCount: 1 },
    { ready: false, started: false, restartCount: 1, lastExit: exit },
  ],
  [
    "one that ended unseen",
    { restartCount: 1, lastState: { terminated } },
    { ...alive, restartCount: 1, state: { exit } },
    { state: { kind: "terminated", exit }, containerID: "x://1", lastExit: exit, restartCount: 1 },
  ],
])("what is known of a container after a restart: %s", (_, status, found, expected) => {
  const containers = [{ name: "main", image: "i", readinessProbe: probe, startupProbe: probe }];
  const pod = { ...podOf("a", { containers }), status: { containerStatuses: [{ ...saved, ...status }] } };
  const record = adoptedRecords(pod, [found], { clock: new VirtualClock(), builtinImages: new Map() }).get("main");
  expect(record).toMatchObject(expected);
  if (!Object.hasOwn(expected, "lastExit")) expect(record).not.toHaveProperty("lastExit");
});

test("a container that ran, and of which this machine knows nothing any more, is lost: it does not begin twice", async () => {
  const node = await scriptedNode([{ duration: "never" }]);
  await node.create("a", {});
  await node.clock.advance(1000);
  await node.kubelet.close();
  const { clock } = node;
  const outcomeOf = () => defaultOutcome;
  const openPod: Runtime["openPod"] = () => Promise.resolve(new ScriptedPod({ clock, outcomeOf }));
  const kubelet = await startAgain(node, node.client, openPod);
  await node.clock.advance(1000);
  const { phase, containerStatuses } = (await node.read("a")).status ?? {};
  expect([phase, containerStatuses?.[0]?.state?.terminated?.reason]).toEqual(["Failed", "ContainerStatusUnknown"]);
  await kubelet.close();
  await node.close();
});
