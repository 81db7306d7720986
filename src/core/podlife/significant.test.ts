import { expect, test } from "vitest";
import type { Pod } from "../model/kube/pod.js";
import { aPod, ended, running, waiting } from "./fixtures/pod.js";
import { concernsNode, significantChange } from "./significant.js";
import { viewPod } from "./view-of.js";

const before = aPod({ containers: { main: running(), wait: running() } });

function changed(change: (pod: Pod) => Pod): boolean {
  return significantChange(viewPod(before), viewPod(change(before)));
}

const metadata = (fields: object) => (pod: Pod) => ({ ...pod, metadata: { ...pod.metadata, ...fields } });
const status = (fields: object) => (pod: Pod) => ({ ...pod, status: { ...pod.status, ...fields } });
const states = (containers: Parameters<typeof aPod>[0]) => (pod: Pod) => ({
  ...pod,
  status: aPod(containers).status ?? {},
});

test.each<[string, (pod: Pod) => Pod]>([
  ["another pod", metadata({ uid: "other" })],
  ["phase", status({ phase: "Failed" })],
  ["message", status({ message: "evicted" })],
  ["IP", status({ podIP: "10.0.0.2" })],
  ["deletion", metadata({ deletionTimestamp: "2026-01-01T00:00:30Z" })],
  ["a label", metadata({ labels: { x: "y" } })],
  ["an annotation", metadata({ annotations: { x: "y" } })],
  ["a finalizer", metadata({ finalizers: [] })],
  ["the owner", metadata({ ownerReferences: [] })],
  ["its machine", (pod) => ({ ...pod, spec: { ...pod.spec, nodeName: "node-2" } })],
  ["a condition", status({ conditions: [{ type: "Ready", status: "True" }] })],
  ["main ended", states({ containers: { main: ended(0), wait: running() } })],
  ["another waiting reason", states({ containers: { main: waiting("ImagePullBackOff"), wait: running() } })],
  ["one container more", states({ containers: { main: running(), wait: running(), side: running() } })],
  [
    "an init container",
    states({ containers: { main: running(), wait: running() }, initContainers: { init: ended(0) } }),
  ],
])("%s decides", (_name, change) => {
  expect(changed(change)).toBe(true);
});

test.each<[string, (pod: Pod) => Pod]>([
  ["nothing", (pod) => pod],
  ["a new resourceVersion", metadata({ resourceVersion: "8" })],
  ["managed fields", metadata({ managedFields: [{ manager: "kubelet" }] })],
  ["a condition's times", status({ conditions: [], startTime: "2026-01-01T00:00:00Z" })],
  [
    "an image ID",
    status({ containerStatuses: before.status?.containerStatuses?.map((one) => ({ ...one, imageID: "sha" })) }),
  ],
])("%s does not", (_name, change) => {
  expect(changed(change)).toBe(false);
});

test.each<[string, (pod: Pod) => Pod, boolean]>([
  ["a label", metadata({ labels: { x: "y" } }), false],
  ["a finalizer", metadata({ finalizers: [] }), false],
  ["an annotation", metadata({ annotations: { x: "y" } }), true],
  ["phase", status({ phase: "Failed" }), true],
  ["another pod", metadata({ uid: "other" }), true],
])("%s: whether its node is concerned", (_name, change, expected) => {
  expect(concernsNode(viewPod(before), viewPod(change(before)))).toBe(expected);
});
