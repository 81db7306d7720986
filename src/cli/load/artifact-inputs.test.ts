import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { WorkflowSpec } from "../../core/model/argo/workflow.js";
import { type ArtifactSettings, missingArtifacts } from "./artifact-inputs.js";
import { reach } from "./references.js";

const off: ArtifactSettings = { given: [], folder: "/nowhere", repository: "place" };

function spec(more: Partial<WorkflowSpec> = {}): WorkflowSpec {
  const data = { name: "data", path: "/data", s3: { bucket: "ml", key: "raw/day.csv" } };
  return {
    entrypoint: "main",
    templates: [
      { name: "main", steps: [[{ name: "a", template: "train" }]] },
      { name: "train", inputs: { artifacts: [data] }, container: { image: "python" } },
      { name: "unused", inputs: { artifacts: [data] }, container: { image: "python" } },
    ],
    ...more,
  };
}

function told(workflow: WorkflowSpec, settings: Partial<ArtifactSettings> = {}): readonly string[] {
  const found = reach({
    home: { spec: workflow, document: undefined, path: "spec" },
    entrypoint: undefined,
    stubs: new Set(),
    lookup: () => undefined,
  });
  return missingArtifacts(found, { ...off, ...settings }).map(({ message, hint }) => `${message} | ${hint}`);
}

test("a remote input that can be reached is missing, once, with the flag that gives it", () => {
  expect(told(spec())).toEqual([
    "train.data: s3://ml/raw/day.csv is not here, remote stores are off | --artifact train.data=day.csv\nor put it where a run looks: /nowhere/s3/ml/raw/day.csv",
  ]);
});

test("given by flag, passed by the caller, optional, or written by the run itself: not missing", () => {
  expect(told(spec(), { given: [{ template: null, name: "data" }] })).toEqual([]);
  expect(told(spec(), { given: [{ template: "train", name: "data" }] })).toEqual([]);
  const [main, train, unused] = spec().templates ?? [];
  const passed = { name: "data", from: "{{steps.x.outputs.artifacts.y}}" };
  const caller = { name: "main", steps: [[{ name: "a", template: "train", arguments: { artifacts: [passed] } }]] };
  expect(told({ ...spec(), templates: [caller, train ?? {}] })).toEqual([]);
  const writer = {
    name: "w",
    outputs: { artifacts: [{ name: "o", path: "/o", s3: { bucket: "ml", key: "raw/day.csv" } }] },
    container: { image: "x" },
  };
  const both = { name: "main", steps: [[{ name: "w", template: "w" }], [{ name: "a", template: "train" }]] };
  expect(told({ ...spec(), templates: [both, train ?? {}, writer] })).toEqual([]);
  const twice = { name: "main", steps: [[...(caller.steps[0] ?? []), { name: "b", template: "train" }]] };
  expect(told({ ...spec(), templates: [twice, train ?? {}, main ?? {}, unused ?? {}] })).toHaveLength(1);
});

test("what lies in the folder that stands for the store is there", () => {
  const folder = mkdtempSync(join(tmpdir(), "tiphys-artifacts-"));
  try {
    mkdirSync(join(folder, "s3/ml/raw"), { recursive: true });
    writeFileSync(join(folder, "s3/ml/raw/day.csv"), "a,b\n");
    expect(told(spec(), { folder })).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a key without a bucket: nothing but the run fills its store, unless one is configured", () => {
  const data = { name: "data", path: "/data", s3: { key: "raw/day.csv" } };
  const train = { name: "main", inputs: { artifacts: [data] }, container: { image: "python" } };
  expect(told(spec({ templates: [train] }))).toEqual([
    "main.data: raw/day.csv is not here, it names no bucket, and a run begins with an empty store | --artifact main.data=day.csv",
  ]);
  expect(told(spec({ templates: [train] }), { repository: "configured" })).toEqual([]);
});
