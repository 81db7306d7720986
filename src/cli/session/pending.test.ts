import { expect, test } from "vitest";
import type { Pod } from "../../core/model/kube/pod.js";
import { VirtualClock } from "../../kube/testing/virtual-clock.js";
import { PendingWatch } from "./pending.js";

function pod(uid: string, reason: string, message: string): Pod {
  const waiting = { reason, message };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { uid, name: uid, namespace: "ns" },
    spec: { containers: [] },
    status: {
      phase: "Pending",
      containerStatuses: [{ name: "main", image: "", imageID: "", ready: false, restartCount: 0, state: { waiting } }],
    },
  };
}

function setup(timeoutMs: number | undefined) {
  const clock = new VirtualClock();
  const expired: string[] = [];
  const began: string[] = [];
  const steps: string[] = [];
  const watch = new PendingWatch(clock, timeoutMs, {
    waits: (reason, { metadata }) => began.push(`${metadata.name}: ${reason}`),
    expired: (reason, waiting) => {
      expired.push(reason);
      for (const [nodeId, note] of waiting) steps.push(`${nodeId}: ${note}`);
    },
  });
  return { clock, expired, began, steps, watch };
}

test("what stays missing ends the run with its reason, after the time and not before", async () => {
  const { clock, expired, began, steps, watch } = setup(30_000);
  watch.look([pod("a", "ContainerCreating", 'secret "db" not found')]);
  await clock.advance(29_000);
  const later = pod("b", "ContainerCreating", 'configmap "app" not found');
  watch.look([pod("a", "ContainerCreating", 'secret "db" not found: still'), later]);
  expect(expired).toEqual([]);
  await clock.advance(1_000);
  expect(began).toEqual(['a: secret "db" not found', 'b: configmap "app" not found']);
  expect(expired).toEqual(['secret "db" not found: still']);
  expect(steps).toEqual(['ns/a: secret "db" not found: still', 'ns/b: configmap "app" not found']);
});

test("slots, images and what came in time do not count", async () => {
  const { clock, expired, watch } = setup(30_000);
  watch.look([
    pod("a", "ContainerCreating", "waits for a slot (8 of 8)"),
    pod("b", "ContainerCreating", "pulling 43 %"),
    pod("c", "CreateContainerConfigError", "key x is missing"),
  ]);
  await clock.advance(20_000);
  watch.look([pod("a", "ContainerCreating", "waits for a slot (8 of 8)")]);
  await clock.advance(100_000);
  expect(expired).toEqual([]);
});

test("whoever only watches gives nothing up; a watch that stopped neither", async () => {
  const missing = pod("a", "CreateContainerConfigError", "key x is missing");
  const watcher = setup(undefined);
  watcher.watch.look([missing]);
  const stopped = setup(10);
  stopped.watch.look([missing]);
  stopped.watch.stop();
  await watcher.clock.advance(1e6);
  await stopped.clock.advance(1e6);
  expect([...watcher.expired, ...stopped.expired]).toEqual([]);
});
