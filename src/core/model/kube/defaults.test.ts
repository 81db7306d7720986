import { expect, test } from "vitest";
import { imagePullPolicyOf, withPodDefaults } from "./defaults.js";
import type { Pod } from "./pod.js";

test.each<[string, string]>([
  ["alpine", "Always"],
  ["alpine:latest", "Always"],
  ["alpine:3.20", "IfNotPresent"],
  ["registry:5000/a/b", "Always"],
  ["registry:5000/a/b:1", "IfNotPresent"],
  ["alpine@sha256:abc", "IfNotPresent"],
  ["", "Always"],
])("an image %j is pulled %s", (image, expected) => {
  expect(imagePullPolicyOf(image)).toBe(expected);
});

const pod: Pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p" },
  spec: {
    restartPolicy: "Never",
    containers: [
      { name: "main", image: "a:1", readinessProbe: { httpGet: { port: 80, path: "/x" }, periodSeconds: 2 } },
    ],
    volumes: [
      { name: "c", configMap: { name: "m" } },
      { name: "s", secret: { secretName: "s", defaultMode: 0o400 } },
      { name: "e", emptyDir: {} },
    ],
  },
};

test("a pod gets what the API server would set, and keeps what it says", () => {
  const { spec } = withPodDefaults(pod);
  expect(spec.restartPolicy).toBe("Never");
  expect(spec.terminationGracePeriodSeconds).toBe(30);
  expect(spec.containers[0]).toEqual({
    name: "main",
    image: "a:1",
    imagePullPolicy: "IfNotPresent",
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    readinessProbe: {
      httpGet: { port: 80, path: "/x", scheme: "HTTP" },
      timeoutSeconds: 1,
      periodSeconds: 2,
      successThreshold: 1,
      failureThreshold: 3,
    },
  });
  expect(spec.volumes).toEqual([
    { name: "c", configMap: { name: "m", defaultMode: 0o644 } },
    { name: "s", secret: { secretName: "s", defaultMode: 0o400 } },
    { name: "e", emptyDir: {} },
  ]);
});

test("defaults twice are defaults once", () => {
  expect(withPodDefaults(withPodDefaults(pod))).toEqual(withPodDefaults(pod));
});
