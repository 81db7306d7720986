import { expect, test } from "vitest";
import { labels } from "../core/model/argo/names.js";
import type { Workflow } from "../core/model/argo/workflow.js";
import { workflows } from "../core/model/resources.js";
import { FakeCluster } from "../kube/testing/fake-cluster.js";
import { VirtualClock } from "../kube/testing/virtual-clock.js";
import type { Caches } from "./caches.js";
import { ttlPass } from "./ttl.js";

const key = { namespace: "ns", name: "wf" };

/** A workflow that ended as the clock's time begins, and is to go a minute later. */
async function ended(more: { readonly podsStayUntil?: number; readonly changed?: "since it was seen" } = {}) {
  const clock = new VirtualClock();
  const cluster = new FakeCluster();
  const workflow = await cluster.create<Workflow>(workflows, {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { ...key, labels: { [labels.completed]: "true" } },
    spec: { ttlStrategy: { secondsAfterCompletion: 60 } },
    status: { phase: "Succeeded", finishedAt: new Date(clock.now()).toISOString() },
  });
  if (more.changed !== undefined) await cluster.update(workflows, { ...workflow, spec: { suspend: true } });
  const caches: Pick<Caches, "workflow" | "isCurrent"> = { workflow: () => workflow, isCurrent: () => true };
  const ports = { client: cluster, clock, caches: caches as Caches, podsStayUntil: more.podsStayUntil ?? 0 };
  const left = async () => (await cluster.list(workflows)).items.length;
  const look = async () => {
    const startMs = clock.now() - clock.monotonic();
    const outcome = await ttlPass(ports, key);
    const wakeAt = outcome.kind === "done" && outcome.wakeAt !== undefined ? outcome.wakeAt - startMs : undefined;
    return { wakeAt, left: await left() };
  };
  return { clock, look, left };
}

test("deletes when the time has come, a second late, and not before", async () => {
  const { clock, look } = await ended();
  expect(await look()).toEqual({ wakeAt: 61_000, left: 1 });
  await clock.advance(61_000);
  expect(await look()).toEqual({ wakeAt: undefined, left: 0 });
});

test("soon after a takeover nothing is deleted: its pods would go with it", async () => {
  const { clock, look } = await ended({ podsStayUntil: 70_000 });
  await clock.advance(65_000);
  expect(await look()).toEqual({ wakeAt: 70_000, left: 1 });
  await clock.advance(5000);
  expect(await look()).toEqual({ wakeAt: undefined, left: 0 });
});

test("a workflow that was changed since it was seen stays, and is looked at again (lessons A-19)", async () => {
  const { clock, look, left } = await ended({ changed: "since it was seen" });
  await clock.advance(61_000);
  await expect(look()).rejects.toThrow("has been modified");
  expect(await left()).toBe(1);
});
