import { expect, test } from "vitest";
import type { Container } from "../../core/model/kube/pod.js";
import type { ConfigData } from "./config-source.js";
import type { PodFacts } from "./downward.js";
import { resolveEnv } from "./env.js";
import { expandVariables } from "./expand.js";
import { podOf } from "./testing/scripted-node.js";

const pod = podOf("p", {});
const facts: PodFacts = {
  pod: { ...pod, metadata: { ...pod.metadata, uid: "u", labels: { b: "2", a: "1" } } },
  nodeName: "local",
  podIP: "10.0.0.1",
  capacity: { cpuMillis: 2000, memoryBytes: 2 ** 31 },
};

const objects: Readonly<Record<string, ConfigData>> = {
  "configmap/cm": new Map([
    ["k", Buffer.from("v")],
    ["not a name", Buffer.from("x")],
  ]),
  "secret/s": new Map([["password", Buffer.from("p")]]),
};

async function envOf(container: Partial<Container>) {
  const source = {
    read: (kind: string, _namespace: string, name: string) => Promise.resolve(objects[`${kind}/${name}`]),
  };
  const result = await resolveEnv({ name: "main", ...container }, facts, source);
  return result.ok ? Object.fromEntries(result.value) : result.error;
}

const from = (valueFrom: NonNullable<NonNullable<Container["env"]>[number]["valueFrom"]>) => ({
  env: [{ name: "X", valueFrom }],
});

test.each<[string, Partial<Container>, unknown]>([
  ["plain", { env: [{ name: "A", value: "1" }, { name: "B" }] }, { A: "1", B: "" }],
  [
    "earlier ones",
    {
      env: [
        { name: "A", value: "1" },
        { name: "B", value: "$(A)$(C)$$(A)" },
        { name: "C", value: "3" },
      ],
    },
    { A: "1", B: "1$(C)$(A)", C: "3" },
  ],
  [
    "envFrom, prefixed",
    { envFrom: [{ prefix: "P_", configMapRef: { name: "cm" } }, { secretRef: { name: "s" } }] },
    { P_k: "v", password: "p" },
  ],
  [
    "a name goes as far as the first parenthesis that closes",
    {
      env: [
        { name: "A", value: "1" },
        { name: "B", value: "$(X$(A)) $(A)" },
      ],
    },
    { A: "1", B: "$(X$(A)) 1" },
  ],
  ["env wins", { envFrom: [{ configMapRef: { name: "cm" } }], env: [{ name: "k", value: "own" }] }, { k: "own" }],
  ["a key", from({ secretKeyRef: { name: "s", key: "password" } }), { X: "p" }],
  ["an optional key", from({ configMapKeyRef: { name: "cm", key: "no", optional: true } }), {}],
  ["an optional object", { envFrom: [{ secretRef: { name: "no", optional: true } }] }, {}],
  ["a field", from({ fieldRef: { fieldPath: "metadata.labels['b']" } }), { X: "2" }],
  ["all labels", from({ fieldRef: { fieldPath: "metadata.labels" } }), { X: 'a="1"\nb="2"' }],
  ["pod IP", from({ fieldRef: { fieldPath: "status.podIP" } }), { X: "10.0.0.1" }],
  [
    "a limit",
    {
      ...from({ resourceFieldRef: { resource: "limits.memory", divisor: "1Mi" } }),
      resources: { limits: { memory: "64Mi" } },
    },
    { X: "64" },
  ],
  ["no limit: the machine's", from({ resourceFieldRef: { resource: "limits.cpu" } }), { X: "2" }],
  [
    "a request, rounded up",
    { ...from({ resourceFieldRef: { resource: "requests.cpu" } }), resources: { requests: { cpu: "1500m" } } },
    { X: "2" },
  ],
  [
    "an unknown field",
    from({ fieldRef: { fieldPath: "spec.nonsense" } }),
    { message: "unsupported fieldPath: spec.nonsense" },
  ],
])("%s", async (_, container, expected) => {
  expect(await envOf(container)).toEqual(expected);
});

test.each<[string, Partial<Container>, string]>([
  ["ConfigMap", from({ configMapKeyRef: { name: "no", key: "k" } }), 'configmap "no" not found'],
  ["Secret", { envFrom: [{ secretRef: { name: "no" } }] }, 'secret "no" not found'],
  ["key", from({ configMapKeyRef: { name: "cm", key: "no" } }), "couldn't find key no in ConfigMap default/cm"],
])("a missing %s is named as Kubernetes does", async (_, container, message) => {
  expect(await envOf(container)).toMatchObject({ missing: { message } });
});

test.each([
  ["$(A)", "1"],
  ["$$(A)", "$(A)"],
  ["$(B)", "$(B)"],
  ["$A ${A} $", "$A ${A} $"],
  ["$(A", "$(A"],
])("expands %s to %s", (text, expected) => {
  expect(expandVariables(text, (name) => (name === "A" ? "1" : undefined))).toBe(expected);
});
