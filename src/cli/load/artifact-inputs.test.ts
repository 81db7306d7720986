import { expect, test } from "vitest";
import type { WorkflowSpec } from "../../core/model/argo/workflow.js";
import { type ArtifactSettings, missingArtifacts } from "./artifact-inputs.js";
import { reach } from "./references.js";

const off: ArtifactSettings = { given: new Set(), remote: "off", folder: "/nowhere" };

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
    "train.data: s3://ml/raw/day.csv is not here, remote stores are off | --artifact train.data=day.csv",
  ]);
  expect(told(spec(), { remote: "local" })[0]).toContain("and neither is /nowhere/s3/ml/raw/day.csv");
});

test("given by flag, passed by the caller, optional, or written by the run itself: not missing", () => {
  expect(told(spec(), { given: new Set(["data"]) })).toEqual([]);
  expect(told(spec(), { given: new Set(["train.data"]) })).toEqual([]);
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
