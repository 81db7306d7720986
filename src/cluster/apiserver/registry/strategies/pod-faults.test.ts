import { expect, test } from "vitest";
import type { JsonObject } from "../../../../core/std/json.js";
import { newPodFaults } from "./pod-faults.js";

const path = "spec.containers[0]";
const mode = "must be a number between 0 and 0777 (octal), both inclusive";

function faultsOf(container: JsonObject, spec: JsonObject = {}): readonly string[] {
  return newPodFaults({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p" },
    spec: { ...spec, containers: [{ name: "main", ...container }] },
  } as Parameters<typeof newPodFaults>[0]);
}

test("what a pod may be made of is no fault", () => {
  const container = {
    env: [
      { name: "A.b-1", value: "" },
      { name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
    ],
    ports: [{ containerPort: 65_535 }],
    volumeMounts: [
      { name: "v", mountPath: "/a", subPath: "b/..c" },
      { name: "v", mountPath: "/b" },
    ],
    imagePullPolicy: "Never",
  };
  const volumes = [{ name: "v", configMap: { name: "c", defaultMode: 0o777, items: [{ key: "k", path: "a/b" }] } }];
  expect(faultsOf(container, { volumes, restartPolicy: "Never", activeDeadlineSeconds: 1 })).toEqual([]);
});

test.each<[string, JsonObject, readonly string[]]>([
  ["of no volume", { name: "v", mountPath: "/a" }, ['[0].name: Not found: "v"']],
  ["without a name", { mountPath: "/a" }, ["[0].name: Required value"]],
  ["without a path", { name: "own" }, ["[0].mountPath: Required value"]],
  [
    "by an absolute subPath",
    { name: "own", mountPath: "/a", subPath: "/x" },
    ['[0].subPath: Invalid value: "/x": must be a relative path'],
  ],
  [
    "that leads out",
    { name: "own", mountPath: "/a", subPath: "a/../../x" },
    [`[0].subPath: Invalid value: "a/../../x": must not contain '..'`],
  ],
])("a mount %s", (_what, mount, faults) => {
  const volumes = [{ name: "own", emptyDir: {} }];
  expect(faultsOf({ volumeMounts: [mount] }, { volumes })).toEqual(faults.map((one) => `${path}.volumeMounts${one}`));
});

test("two mounts at one path", () => {
  const mounts = ["a", "b"].map((name) => ({ name, mountPath: "/x" }));
  const volumes = ["a", "b"].map((name) => ({ name, emptyDir: {} }));
  expect(faultsOf({ volumeMounts: mounts }, { volumes })).toEqual([
    `${path}.volumeMounts[1].mountPath: Invalid value: "/x": must be unique`,
  ]);
});

test.each<[JsonObject, readonly string[]]>([
  [
    { ports: [{ containerPort: 0 }] },
    ["ports[0].containerPort: Invalid value: 0: must be between 1 and 65535, inclusive"],
  ],
  [{ env: [{ value: "x" }] }, ["env[0].name: Required value"]],
  [
    { env: [{ name: "a=b" }] },
    [
      "env[0].name: Invalid value: \"a=b\": a valid environment variable name must consist only of printable ASCII characters other than '='",
    ],
  ],
  [
    { env: [{ name: "a", value: "b", valueFrom: {} }] },
    ['env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty'],
  ],
  [
    { imagePullPolicy: "Sometimes" },
    ['imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"'],
  ],
])("a container with %j", (container, faults) => {
  expect(faultsOf(container)).toEqual(faults.map((one) => `${path}.${one}`));
});

test.each<[JsonObject, readonly string[]]>([
  [{ emptyDir: {}, configMap: { name: "c" } }, ["emptyDir: Forbidden: may not specify more than 1 volume type"]],
  [{ secret: { secretName: "s", defaultMode: 0o1000 } }, [`secret.defaultMode: Invalid value: 512: ${mode}`]],
  [{ secret: {} }, ["secret.secretName: Required value"]],
  [
    { configMap: { name: "c", items: [{ key: "k", path: "../x" }] } },
    [`configMap.items[0].path: Invalid value: "../x": must not contain '..'`],
  ],
  [
    { configMap: { name: "c", items: [{ key: "k", path: "x", mode: -1 }] } },
    [`configMap.items[0].mode: Invalid value: -1: ${mode}`],
  ],
  [
    { projected: { sources: [{ secret: { items: [{ key: "k", path: "/x" }] } }] } },
    ['projected.sources[0].secret.items[0].path: Invalid value: "/x": must be a relative path'],
  ],
])("a volume with %j", (source, faults) => {
  const volumes = [{ name: "v", ...source }];
  expect(faultsOf({}, { volumes })).toEqual(faults.map((one) => `spec.volumes[0].${one}`));
});

test("what holds for the whole pod", () => {
  expect(faultsOf({}, { restartPolicy: "Maybe", activeDeadlineSeconds: 0 })).toEqual([
    'spec.restartPolicy: Unsupported value: "Maybe": supported values: "Always", "OnFailure", "Never"',
    "spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive",
  ]);
});
