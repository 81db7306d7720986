import { expect, test } from "vitest";
import { type ControllerSettings, readControllerConfig } from "./controller-config.js";
import { Drive, echo, plainOptions, workflowOf } from "./engine.fixture.js";

test.each<[string, Readonly<Record<string, string>>, ControllerSettings]>([
  ["nothing", {}, {}],
  ["an empty key", { workflowDefaults: "", config: "" }, {}],
  ["images are for others to read", { images: "{python: {cmd: [python3]}}" }, {}],
  [
    "defaults of workflows",
    { workflowDefaults: "metadata: {labels: {team: ml}}\nspec: {podGC: {strategy: OnPodSuccess}}" },
    {
      workflowDefaults: { metadata: { labels: { team: "ml" } }, spec: { podGC: { strategy: "OnPodSuccess" } } },
    },
  ],
  [
    "the default store",
    { artifactRepository: "s3: {bucket: b, endpoint: e, keyFormat: '{{pod.name}}'}" },
    {
      artifactRepository: { s3: { bucket: "b", endpoint: "e", keyFormat: "{{pod.name}}" } },
    },
  ],
  ["a delay", { podGCDeleteDelayDuration: "1m30s" }, { podGCDeleteDelayMs: 90_000 }],
  ["restarts, switched off", { failedPodRestart: "{enabled: false, maxRestarts: 5}" }, {}],
  ["restarts, as many as Argo's", { failedPodRestart: "{enabled: true}" }, { podRestartsMax: 3 }],
  [
    "all in one key",
    { config: "podGCDeleteDelayDuration: 1s\nfailedPodRestart: {enabled: true, maxRestarts: 1}" },
    {
      podGCDeleteDelayMs: 1000,
      podRestartsMax: 1,
    },
  ],
  [
    "a key of its own wins over the whole",
    { config: "podGCDeleteDelayDuration: 1s", podGCDeleteDelayDuration: "2s" },
    {
      podGCDeleteDelayMs: 2000,
    },
  ],
])("%s", (_, data, settings) => {
  expect(readControllerConfig(data)).toEqual({ settings, problems: [] });
});

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  [
    "no YAML",
    { workflowDefaults: "spec:\n  a: [" },
    ["error[yaml-syntax] data.workflowDefaults: data.workflowDefaults: line"],
  ],
  ["not the whole", { config: "just text" }, ["error[wrong-type] data.config: data.config: must be a map"]],
  [
    "a field that does not exist",
    { workflowDefaults: "spec: {podGc: {}}" },
    ["error[unknown-field] data.workflowDefaults.spec.podGc: data.workflowDefaults.spec.podGc: no such field"],
  ],
  [
    "a wrong type",
    { failedPodRestart: "{enabled: true, maxRestarts: many}" },
    ["error[wrong-type] data.failedPodRestart.maxRestarts: data.failedPodRestart.maxRestarts: "],
  ],
  [
    "a wrong duration",
    { config: "podGCDeleteDelayDuration: soon" },
    [
      'error[bad-value] data.config.podGCDeleteDelayDuration: data.config.podGCDeleteDelayDuration: time: invalid duration "soon"',
    ],
  ],
  [
    "a key that means nothing here",
    { sso: "issuer: https://example.invalid" },
    ["notice[ignored] data.sso: sso of the controller's configuration means nothing here"],
  ],
  [
    "a slip in a key",
    { workflowDefault: "spec: {}" },
    ["warning[unknown-field] data.workflowDefault: workflowDefault: the controller's configuration has no such key"],
  ],
  [
    "a lock for every workflow",
    { workflowDefaults: "spec: {synchronization: {mutexes: [{name: one}]}}" },
    ["error[not-yet] data.workflowDefaults.spec.synchronization"],
  ],
])("wrong: %s", (_, data, expected) => {
  const told = readControllerConfig(data).problems.map(
    ({ severity, code, path, message }) => `${severity}[${code}] ${path}: ${message}`,
  );
  expect(told).toHaveLength(expected.length);
  for (const [index, text] of expected.entries()) expect(told[index]?.slice(0, text.length)).toBe(text);
});

test("a workflow runs with the defaults below it, and is looked at with them", () => {
  const { settings } = readControllerConfig({ workflowDefaults: "spec: {entrypoint: echo, serviceAccountName: bot}" });
  const seen: unknown[] = [];
  const drive = new Drive(workflowOf({ templates: [echo] }), {
    ...plainOptions,
    ...settings,
    validate: ({ spec }) => {
      seen.push(spec.entrypoint);
      return undefined;
    },
  });
  expect(seen).toEqual(["echo"]);
  const [demand] = drive.demands;
  expect(demand).toMatchObject({ kind: "create-pod", pod: { spec: { serviceAccountName: "bot" } } });
});
