import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Pod } from "../../core/model/kube/pod.js";
import { configMaps, pods } from "../../core/model/resources.js";
import { TransportError } from "../../kube/errors.js";
import { FakeCluster } from "../../kube/testing/fake-cluster.js";
import { SeededChance } from "../../kube/testing/seeded-chance.js";
import { VirtualClock } from "../../kube/testing/virtual-clock.js";
import { ConfigSource } from "./config-source.js";
import type { Runtime } from "./runtime/port.js";
import { defaultOutcome } from "./runtime/scripted/script.js";
import { ScriptedPod } from "./runtime/scripted/scripted-pod.js";
import { podOf, scriptedNode } from "./testing/scripted-node.js";

const key = (name: string) => ({ namespace: "default", name });

test.each([-3_600_000, 3_600_000])("a clock that is set while a pod is ended changes nothing: %i ms", async (jump) => {
  const node = await scriptedNode([{ duration: "never", onTerm: "ignore" }]);
  await node.create("a", { terminationGracePeriodSeconds: 30 });
  await node.clock.advance(1000);
  await node.client.delete(pods, key("a"));
  await node.clock.advance(10_000);
  node.clock.jumpWall(jump);
  await node.clock.advance(19_000);
  expect(node.kubelet.running).toBe(1);
  await node.clock.advance(2000);
  expect(node.kubelet.running).toBe(0);
  await node.close();
});

test("a clock that is put back does not give a pod more time than its deadline, nor its restarts a longer wait", async () => {
  const node = await scriptedNode([{ match: { pod: "a" }, duration: "never" }, { exitCode: 1 }]);
  await node.create("a", { activeDeadlineSeconds: 10 });
  await node.create("b", { restartPolicy: "OnFailure" });
  await node.clock.advance(5000);
  node.clock.jumpWall(-3_600_000);
  await node.clock.advance(6000);
  expect((await node.read("a")).status?.reason).toBe("DeadlineExceeded");
  expect((await node.read("b")).status?.containerStatuses?.[0]?.restartCount).toBe(2);
  await node.close();
});

test("a pod that nobody can make out takes no other along, and goes when it is deleted", async () => {
  const node = await scriptedNode([{ duration: "1s" }]);
  // As someone who speaks to the API may write it.
  const malformed: object = { initContainers: 5 };
  await node.create("malformed", malformed);
  await node.create("well", {});
  await node.clock.advance(5000);
  expect((await node.read("well")).status?.phase).toBe("Succeeded");
  expect(node.errors).toHaveLength(1);
  expect(node.kubelet.running).toBe(0);
  await node.client.delete(pods, key("malformed"), { gracePeriodSeconds: 0 });
  await node.clock.advance(5000);
  expect(node.kubelet.held()).toBe(0);
  await node.close();
});

test("a pod that goes while the API refuses its binding is cleared away", async () => {
  const removed: string[] = [];
  class NotedPod extends ScriptedPod {
    override remove(): Promise<void> {
      removed.push("removed");
      return super.remove();
    }
  }
  const clock = new VirtualClock();
  const done = () => Promise.resolve();
  const openPod: Runtime["openPod"] = () => Promise.resolve(new NotedPod({ clock, outcomeOf: () => defaultOutcome }));
  const client = new FakeCluster();
  client.fault = (verb) => {
    if (verb === "update") throw new TransportError("no answer");
  };
  const runtime = { name: "noted", files: "none", start: done, openPod, close: done } as const;
  const node = await scriptedNode([], { client, runtime });
  await client.create(pods, podOf("a", {}));
  await node.clock.advance(1000);
  await client.delete(pods, key("a"));
  await node.clock.advance(1000);
  expect(removed).toEqual(["removed"]);
  expect(node.kubelet.held()).toBe(0);
  await node.close();
});

const missing = { kind: "configmap", namespace: "default", name: "late", message: "" } as const;
const configMap = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: key(name) });

test("a ConfigMap that comes between the look and the wait is not waited for", async () => {
  const node = await scriptedNode([]);
  const source = new ConfigSource(node.client, { clock: node.clock, chance: new SeededChance(1) });
  // Somebody else waits: the kind is watched already.
  source.wait({ ...missing, name: "other" }, source.changes, () => undefined);
  await node.clock.advance(100);
  const since = source.changes;
  expect(await source.read("configmap", "default", "late")).toBeUndefined();
  await node.client.create(configMaps, configMap("late"));
  await node.clock.advance(100);
  const told: string[] = [];
  source.wait(missing, since, () => told.push("come"));
  const takeBack = source.wait(missing, since, () => told.push("taken back"));
  takeBack();
  await node.clock.advance(0);
  expect(told).toEqual(["come"]);
  source.wait(missing, source.changes, () => told.push("changed"));
  await node.clock.advance(100);
  expect(told).toEqual(["come"]);
  source.stop();
  await node.close();
});

test("the end of a built-in container is told though its log cannot be kept", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tiphys-kept-"));
  const clock = new VirtualClock();
  const done = () => Promise.resolve();
  const openPod: Runtime["openPod"] = async ({ folder: own }) => {
    // Where the log would go stands a file: as bad as a full disk.
    await writeFile(join(own, "containers"), "");
    return new ScriptedPod({ clock, outcomeOf: () => defaultOutcome });
  };
  const node = await scriptedNode([], {
    runtime: { name: "full", files: "disk", start: done, openPod, close: done },
    podsFolder: join(folder, "pods"),
    claimsFolder: join(folder, "claims"),
    builtinImages: new Map([
      [
        "said",
        async ({ log }) => {
          log("words");
          return { exitCode: 0 };
        },
      ],
    ]),
  });
  await node.create("a", { containers: [{ name: "main", image: "said" }] });
  while ((await node.read("a")).status?.phase !== "Succeeded") await node.clock.advance(100);
  expect(node.errors).toHaveLength(1);
  await node.close();
  await rm(folder, { recursive: true });
});

test("once the pods are seen, what an earlier process left of any other is ended", async () => {
  const clock = new VirtualClock();
  const done = () => Promise.resolve();
  const openPod: Runtime["openPod"] = () =>
    Promise.resolve(new ScriptedPod({ clock, outcomeOf: () => defaultOutcome }));
  const known: boolean[] = [];
  const client = new FakeCluster();
  const pod = await client.create<Pod>(pods, podOf("a", {}));
  const endOthers: Runtime["endOthers"] = async (isKnown) => {
    known.push(isKnown(pod.metadata.uid ?? ""), isKnown("gone"));
  };
  const runtime = { name: "left", files: "none", start: done, openPod, endOthers, close: done } as const;
  const node = await scriptedNode([], { client, runtime });
  expect(known).toEqual([true, false]);
  await node.close();
});
