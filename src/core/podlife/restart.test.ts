import { expect, test } from "vitest";
import type { NodeStatus } from "../model/argo/node.js";
import { aPod, ended, type PodFixture, waiting } from "./fixtures/pod.js";
import { assessGonePod } from "./lost.js";
import { restartOf } from "./restart.js";
import { viewPod } from "./view-of.js";

const node: NodeStatus = { id: "wf-1", name: "wf.a", displayName: "a", type: "Pod", phase: "Pending" };
const evicted = { phase: "Failed" as const, reason: "Evicted", message: "low on memory" };
const never = { main: waiting("ContainerCreating") };

test.each<[string, PodFixture, number, boolean]>([
  ["evicted before main began", { status: evicted, containers: never }, 0, true],
  ["shut down before main began", { status: { ...evicted, reason: "NodeShutdown" }, containers: never }, 2, true],
  ["often enough", { status: evicted, containers: never }, 3, false],
  ["main had begun", { status: evicted, containers: { main: ended(143) } }, 0, false],
  ["another reason", { status: { ...evicted, reason: "DeadlineExceeded" }, containers: never }, 0, false],
  ["no reason", { status: { phase: "Failed" }, containers: never }, 0, false],
  ["not failed", { status: { ...evicted, phase: "Pending" }, containers: never }, 0, false],
])("%s", (_name, fixture, restarts, again) => {
  const before = { ...node, failedPodRestarts: restarts };
  const result = restartOf(viewPod(aPod(fixture)), before, undefined, { maxRestarts: 3 });
  expect(result !== undefined).toBe(again);
  if (result !== undefined) {
    expect(result.failedPodRestarts).toBe(restarts + 1);
    expect(result.restartingPodUID).toBe("pod-uid");
    expect(result.message).toBe(`Pod auto-restarting due to ${fixture.status?.reason}: low on memory`);
  }
});

test("a gone pod: what ran is lost, what did not is made again", () => {
  expect(assessGonePod({ ...node, phase: "Running" })).toEqual({ phase: "Error", message: "pod deleted" });
  expect(assessGonePod(node)).toBeUndefined();
});
