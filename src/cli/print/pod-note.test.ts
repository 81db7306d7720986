import { expect, test } from "vitest";
import type { ContainerStatus, PodStatus } from "../../core/model/kube/pod.js";
import { podNote } from "./pod-note.js";

function main(state: ContainerStatus["state"], ready = false): ContainerStatus {
  return { name: "main", ready, restartCount: 0, image: "i", imageID: "", ...(state === undefined ? {} : { state }) };
}

const running = { running: { startedAt: "2026-11-30T06:00:00Z" } };

test.each<[string, PodStatus]>([
  ["", { phase: "Pending" }],
  ["", { phase: "Pending", containerStatuses: [main({ waiting: { reason: "ContainerCreating" } })] }],
  [
    "pulling 43 %",
    { phase: "Pending", containerStatuses: [main({ waiting: { reason: "P", message: "pulling 43 %" } })] },
  ],
  [
    "waits for a slot (8 of 8)",
    {
      phase: "Pending",
      conditions: [{ type: "PodScheduled", status: "False", message: "waits for a slot (8 of 8)" }],
    },
  ],
  ["waits until it is ready", { phase: "Running", containerStatuses: [main(running)] }],
  ["", { phase: "Running", containerStatuses: [main(running, true)] }],
  ["", { phase: "Succeeded", containerStatuses: [main({ terminated: { exitCode: 0 } })] }],
])("%s", (note, status) => {
  const container = { name: "main", readinessProbe: { httpGet: { path: "/", port: 80 } } };
  expect(podNote({ apiVersion: "v1", kind: "Pod", metadata: {}, spec: { containers: [container] }, status })).toBe(
    note,
  );
});

test("without a readiness probe there is nothing to wait for", () => {
  const status = { phase: "Running" as const, containerStatuses: [main(running)] };
  const spec = { containers: [{ name: "main" }] };
  expect(podNote({ apiVersion: "v1", kind: "Pod", metadata: {}, spec, status })).toBe("");
});
