import { expect, test } from "vitest";
import type { ResourceRequirements } from "../model/kube/pod.js";
import { aPod, ended, running, waiting } from "./fixtures/pod.js";
import { resourcesDurationOf } from "./resources-duration.js";
import { viewPod } from "./view-of.js";

const now = Date.parse("2026-01-01T00:01:00Z");

function of(
  resources: ResourceRequirements,
  state = ended(0),
  pod: ResourceRequirements | undefined = undefined,
): object {
  const fixture = aPod({
    spec: { containers: [{ name: "main", resources }], ...(pod === undefined ? {} : { resources: pod }) },
    containers: { main: state },
  });
  return resourcesDurationOf(viewPod(fixture), now);
}

test.each<[string, ResourceRequirements, object]>([
  ["defaults", {}, { cpu: 1, memory: 10 }],
  ["requests", { requests: { cpu: "2", memory: "1Gi" } }, { cpu: 20, memory: 102 }],
  ["limits", { limits: { cpu: "500m" } }, { cpu: 5, memory: 10 }],
  ["requests win over limits", { limits: { cpu: 4 }, requests: { cpu: "1" } }, { cpu: 10, memory: 10 }],
  [
    "others",
    { limits: { "nvidia.com/gpu": 1, "ephemeral-storage": "20Gi" } },
    { cpu: 1, "ephemeral-storage": 20, memory: 10, "nvidia.com/gpu": 10 },
  ],
  ["what is beyond all bounds", { limits: { cpu: "1e999" } }, { cpu: 92_233_720_368_547_760_000, memory: 10 }],
  ["nonsense counts nothing", { limits: { cpu: "much" } }, { cpu: 0, memory: 10 }],
])("%s", (_name, resources, expected) => {
  expect(of(resources)).toEqual(expected);
});

test("what runs counts until now, what waits not at all", () => {
  expect(of({}, running())).toEqual({ cpu: 6, memory: 60 });
  expect(of({}, waiting("ContainerCreating"))).toEqual({ cpu: 0, memory: 0 });
});

test("pod-level resources count once, on the first container without its own", () => {
  expect(of({}, ended(0), { requests: { cpu: "3" } })).toEqual({ cpu: 30, memory: 10 });
});
