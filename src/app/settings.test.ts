import { expect, test } from "vitest";
import { annotations } from "../core/model/argo/names.js";
import type { ContainerStatus, Pod, PodStatus } from "../core/model/kube/pod.js";
import { hasFailed } from "./settings.js";

function ended(name: string, exitCode: number): ContainerStatus {
  const state = { terminated: { exitCode, reason: exitCode === 0 ? "Completed" : "Error" } };
  return { name, image: "img", imageID: "", ready: false, restartCount: 0, state };
}

function podOf(codes: Readonly<Record<string, number>>, metadata: Pod["metadata"] = {}, status: PodStatus = {}): Pod {
  const containerStatuses = Object.entries(codes).map(([name, code]) => ended(name, code));
  const phase = Object.values(codes).every((code) => code === 0) ? "Succeeded" : "Failed";
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", namespace: "default", ...metadata },
    spec: { containers: containerStatuses.map(({ name }) => ({ name, image: "img" })) },
    status: { phase, containerStatuses, ...status },
  };
}

const outOfMemory: ContainerStatus = {
  ...ended("main", 137),
  state: { terminated: { exitCode: 137, reason: "OOMKilled" } },
};
const daemon = { annotations: { [annotations.daemon]: "true" } };
const deleted = { deletionTimestamp: "2026-01-02T03:04:05Z" };

test.each<[string, Pod, boolean]>([
  ["it ended well", podOf({ main: 0, wait: 0 }), false],
  ["its main container failed", podOf({ main: 3, wait: 0 }), true],
  ["a sidecar was ended when the work was done", podOf({ main: 0, wait: 0, side: 143, other: 137 }), false],
  ["nobody watched over it", podOf({ main: 0, side: 137 }), false],
  ["a sidecar failed", podOf({ main: 0, wait: 0, side: 1 }), true],
  ["the step was stopped", podOf({ main: 143, wait: 0 }, deleted), true],
  ["its time was over", podOf({ main: 0, side: 137 }, {}, { message: "Pod was active on the node too long" }), true],
  ["a daemon was ended", podOf({ main: 143, side: 0 }, daemon), false],
  ["a daemon failed", podOf({ main: 1 }, daemon), true],
  ["a daemon was thrown out", podOf({ main: 137 }, daemon, { message: "Pod ephemeral local storage usage" }), true],
  ["a daemon took too much memory", podOf({ main: 137 }, daemon, { containerStatuses: [outOfMemory] }), true],
  ["one of several main containers was killed", podOf({ a: 0, b: 137, wait: 0 }), true],
])("the files of a failed step are kept: %s", (_, pod, expected) => {
  expect(hasFailed(pod)).toBe(expected);
});
