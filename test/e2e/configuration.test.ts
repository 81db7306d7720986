/** Argo's own controller configuration, given as a file: what of it counts on one machine. */

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { User } from "./program.js";

/** Where it begins, what follows it, and what its images run: all of that its cluster knows. */
const workflow = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata:
  name: configured
spec:
  templates:
    - name: main
      outputs:
        artifacts:
          - name: greeting
            path: /tmp/greeting
      container:
        image: registry.corp.example/greeter:1
        args: ['echo hello {{workflow.parameters.who}} | tee /tmp/greeting']
`;

const configuration = `apiVersion: v1
kind: ConfigMap
metadata:
  name: workflow-controller-configmap
  namespace: argo
data:
  images: |
    registry.corp.example/greeter:1:
      entrypoint: [sh, -c]
  workflowDefaults: |
    metadata:
      labels:
        team: ml
    spec:
      entrypoint: main
      onExit: bye
      arguments:
        parameters:
          - name: who
            value: world
      templates:
        - name: bye
          container:
            image: busybox
            command: [echo, bye]
  artifactRepository: |
    s3:
      bucket: greetings
      endpoint: minio:9000
      keyFormat: "all/{{workflow.name}}"
  sso: |
    issuer: https://example.invalid
  podGcDeleteDelayDuration: 1s
`;

let user: User;

beforeEach(() => {
  user = new User();
  user.file("workflow.yaml", workflow);
  user.file("configuration.yaml", configuration);
});
afterEach(() => user.dispose());

test("defaults, images and the store are obeyed; what means nothing here, and what is no key, is said", async () => {
  const run = await user.tiphys(["run", "workflow.yaml", "--with", "configuration.yaml", "--runtime", "host"]);
  expect(run.stdout).toMatch(/^configured +│ hello world$|^main +│ hello world$/m);
  expect(run.stdout).toMatch(/^onExit +│ bye$/m);
  expect(run.stderr).toContain("ignored on this machine: sso");
  expect(run.stderr).toContain('did you mean "podGCDeleteDelayDuration"?');
  expect(run.code).toBe(0);
  expect(readdirSync(join(user.home, "artifacts/s3/greetings/all/configured"))).toEqual(["greeting.tgz"]);
  const { stdout } = await user.tiphys(["get", "configured", "-o", "json"]);
  expect(JSON.parse(stdout)).toMatchObject({ metadata: { labels: { team: "ml" } }, status: { phase: "Succeeded" } });
});

test.each([
  [
    "is no YAML",
    "labels:",
    "labels: [",
    /configuration\.yaml:\d+:\d+ {2}error\[yaml-syntax\] {2}data\.workflowDefaults: line \d+: /,
  ],
  [
    "has no such field",
    "onExit:",
    "onexit:",
    /error\[unknown-field\] {2}data\.workflowDefaults\.spec\.onexit: .*\n.*did you mean "onExit"/s,
  ],
])("one that %s starts nothing", async (_, right, wrong, message) => {
  user.file("configuration.yaml", configuration.replace(right, wrong));
  const run = await user.tiphys(["run", "workflow.yaml", "--with", "configuration.yaml", "--runtime", "host"]);
  expect(run.stderr).toMatch(message);
  expect(run.code).toBe(2);
  expect(existsSync(join(user.home, "runs"))).toBe(false);
});

const repositories = `apiVersion: v1
kind: ConfigMap
metadata:
  name: artifact-repositories
  annotations:
    workflows.argoproj.io/default-artifact-repository: team
data:
  other: |
    s3: {bucket: others, endpoint: "minio:9000"}
  team: |
    s3: {bucket: team, endpoint: "minio:9000", keyFormat: "{{workflow.name}}"}
`;

test("a workflow that names no store has that of its namespace's config map, before the configuration's", async () => {
  user.file("repositories.yaml", repositories);
  const given = ["--with", "configuration.yaml", "--with", "repositories.yaml"];
  const run = await user.tiphys(["run", "workflow.yaml", ...given, "--runtime", "host"]);
  expect(run.code).toBe(0);
  expect(readdirSync(join(user.home, "artifacts/s3"))).toEqual(["team"]);
  expect(readdirSync(join(user.home, "artifacts/s3/team/configured"))).toEqual(["greeting.tgz"]);
  const { stdout } = await user.tiphys(["get", "configured", "-o", "json"]);
  expect(JSON.parse(stdout).status.artifactRepositoryRef).toMatchObject({
    configMap: "artifact-repositories",
    key: "team",
  });
});
