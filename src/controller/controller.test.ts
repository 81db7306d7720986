import { expect, test } from "vitest";
import { plainOptions } from "../core/engine/engine.fixture.js";
import type { Workflow } from "../core/model/argo/workflow.js";
import { pods, type ResourceType, workflows, workflowTaskResults } from "../core/model/resources.js";
import { TransportError } from "../kube/errors.js";
import { FakeCluster } from "../kube/testing/fake-cluster.js";
import { SeededChance } from "../kube/testing/seeded-chance.js";
import { VirtualClock } from "../kube/testing/virtual-clock.js";
import { type Controller, startController } from "./controller.js";

const workflow: Workflow = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Workflow",
  metadata: { namespace: "ns", name: "wf" },
  spec: {
    entrypoint: "main",
    templates: [{ name: "main", container: { image: "busybox", command: ["true"] } }],
  },
};

function controllerOf(cluster: FakeCluster, clock: VirtualClock): Controller {
  return startController({ client: cluster, clock, chance: new SeededChance(1), engine: plainOptions });
}

const writes = (cluster: FakeCluster): readonly string[] =>
  cluster.requests.filter((request) => /^(create|update|patch|delete) /.test(request));

test.each<ResourceType>([workflows, pods, workflowTaskResults])(
  "nothing is decided before the list of $plural is in",
  async (slow) => {
    const clock = new VirtualClock();
    const cluster = new FakeCluster();
    await cluster.create(workflows, workflow);
    const before = writes(cluster).length;
    let arrive: () => void = () => {};
    const isSlow = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    cluster.fault = (verb, type) => (verb === "list" && type === slow ? isSlow : undefined);
    const controller = controllerOf(cluster, clock);
    await clock.advance(5000);
    expect(writes(cluster).slice(before)).toEqual([]);
    arrive();
    expect(await controller.started).toBe(true);
    await clock.advance(0);
    expect(writes(cluster).slice(before)).not.toEqual([]);
    await controller.stop();
  },
);

test("a controller that is stopped before its first lists ends all the same, and leaves no timer", async () => {
  const clock = new VirtualClock();
  const cluster = new FakeCluster();
  cluster.fault = () => {
    throw new TransportError("refused");
  };
  const controller = controllerOf(cluster, clock);
  await clock.advance(1000);
  await controller.stop();
  expect(await controller.started).toBe(false);
  expect(clock.pending).toBe(0);
});
