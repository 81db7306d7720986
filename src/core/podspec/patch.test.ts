import { expect, test } from "vitest";
import type { Pod, PodSpec } from "../model/kube/pod.js";
import { patchPod } from "./patch.js";

const main = { name: "main", image: "a", resources: { limits: { cpu: "1" } } };
const spec: PodSpec = { containers: [main, { name: "side", image: "b" }] };
const pod: Pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec };

const yaml = `
containers:
  - name: main
    resources:
      limits:
        memory: 1Gi
terminationGracePeriodSeconds: 7
`;
const json = '{"containers":[{"name":"main","resources":{"limits":{"cpu":2}}}]}';

test.each<[string, readonly (string | undefined)[], Partial<PodSpec>]>([
  ["none", [undefined, "", " \n"], {}],
  [
    "YAML",
    [yaml],
    {
      terminationGracePeriodSeconds: 7,
      containers: [
        { ...main, resources: { limits: { cpu: "1", memory: "1Gi" } } },
        { name: "side", image: "b" },
      ],
    },
  ],
  [
    "the template's after the workflow's",
    [yaml, json],
    {
      terminationGracePeriodSeconds: 7,
      containers: [
        { ...main, resources: { limits: { cpu: 2, memory: "1Gi" } } },
        { name: "side", image: "b" },
      ],
    },
  ],
  ["fields that do not exist are passed over", ['{"nothing": 1}'], {}],
])("%s", (_title, patches, changed) => {
  expect(patchPod(pod, patches)).toEqual({ ok: true, value: { ...pod, spec: { ...spec, ...changed } } });
});

test.each([
  ["[1]", 'invalid podSpecPatch "[1]": expected one object'],
  ["a: 1\n---\nb: 2", 'invalid podSpecPatch "a: 1\n---\nb: 2": expected one object'],
  ['{"containers": 3}', /^invalid podSpecPatch "{"containers": 3}": spec\.containers: /],
  ['{"containers": [{"image": "x"}]}', /^invalid podSpecPatch ".*": spec\.containers\[2\]/],
  ["{", /^invalid podSpecPatch "{": /],
])("%j is refused", (patch, error) => {
  const patched = patchPod(pod, [patch]);
  expect(patched.ok ? "" : patched.error).toMatch(error);
});
