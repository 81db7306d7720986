import { expect, test } from "vitest";
import type { Template } from "../model/argo/template.js";
import type { Json } from "../std/json.js";
import { kindOf } from "./kind.js";
import { lackingOutputs, noStubOutputs, readStubOutputs, type StubOutputs, stubFiles, stubTemplate } from "./stub.js";

const outputs: Template["outputs"] = {
  parameters: [
    { name: "given", valueFrom: { path: "/own/given" } },
    { name: "filed", valueFrom: { path: "/own/filed" } },
    { name: "defaulted", valueFrom: { path: "/own/defaulted", default: "d" } },
    { name: "computed", valueFrom: { expression: "steps.a.outputs.result" }, globalName: "g" },
    { name: "fixed", value: "v" },
  ],
  artifacts: [
    { name: "model", path: "/own/model", s3: { bucket: "b", key: "latest" } },
    { name: "maybe", path: "/own/maybe", optional: true },
  ],
};

const given: StubOutputs = {
  parameters: { given: "1", computed: "2" },
  artifacts: { model: "weights" },
  files: { "/own/filed": "3" },
  result: undefined,
};

test.each<[string, Partial<Template>]>([
  ["http", { http: { url: "https://example.invalid" } }],
  ["suspend", { suspend: {} }],
  ["plugin", { plugin: { hello: {} } }],
  ["steps", { steps: [[{ name: "a", template: "other" }]] }],
  ["dag", { dag: { tasks: [{ name: "a", template: "other" }] } }],
  ["resource", { resource: { action: "create", manifest: "…" } }],
  ["container", { container: { image: "gpu" }, nodeSelector: { gpu: "8" }, synchronization: { mutexes: [{}] } }],
])("a template of kind %s becomes one container, and keeps nothing that would hold it up", (_, work) => {
  const template: Template = { name: "train", outputs, retryStrategy: { limit: 2 }, timeout: "1s", ...work };
  const stub = stubTemplate(template, given);
  expect(kindOf(stub)).toBe("container");
  expect(Object.keys(stub).toSorted()).toEqual(["container", "metadata", "name", "outputs", "retryStrategy"]);
  expect(stub.metadata?.annotations).toEqual({ "tiphys.dev/stub": "true" });
});

test("each output is a file that was given, or one that does not exist beside its default", () => {
  const stub = stubTemplate({ name: "train", outputs, container: {} }, given);
  expect(stub.outputs).toEqual({
    parameters: [
      { name: "given", valueFrom: { path: "/tiphys/outputs/parameters/given" } },
      { name: "filed", valueFrom: { path: "/own/filed" } },
      { name: "defaulted", valueFrom: { path: "/own/defaulted", default: "d" } },
      { name: "computed", valueFrom: { path: "/tiphys/outputs/parameters/computed" }, globalName: "g" },
      { name: "fixed", value: "v" },
    ],
    artifacts: [
      { name: "model", path: "/tiphys/outputs/artifacts/model" },
      { name: "maybe", path: "/own/maybe", optional: true },
    ],
  });
  expect(stubFiles(given)).toEqual({
    "/own/filed": "3",
    "/tiphys/outputs/parameters/given": "1",
    "/tiphys/outputs/parameters/computed": "2",
    "/tiphys/outputs/artifacts/model": "weights",
  });
  expect(lackingOutputs({ outputs }, given)).toEqual({ parameters: [], artifacts: [] });
  expect(lackingOutputs({ outputs }, noStubOutputs)).toEqual({
    parameters: ["given", "filed", "computed"],
    artifacts: ["model"],
  });
});

test("input parameters stay, input artifacts and ConfigMaps are not asked for", () => {
  const inputs: Template["inputs"] = {
    parameters: [
      { name: "lr" },
      { name: "env", valueFrom: { configMapKeyRef: { name: "app", key: "env" } } },
      { name: "zone", valueFrom: { default: "a", configMapKeyRef: { name: "app", key: "zone" } } },
    ],
    artifacts: [{ name: "data", path: "/data" }],
  };
  expect(stubTemplate({ inputs, container: {} }, noStubOutputs).inputs).toEqual({
    parameters: [{ name: "lr" }, { name: "env", default: "" }, { name: "zone", default: "a" }],
  });
});

test.each<[string, Json, Partial<StubOutputs> | readonly string[]]>([
  ["nothing", null, {}],
  [
    "scalars are text, lists and maps JSON",
    { parameters: { a: 1, b: true, c: [1, { d: "x" }] } },
    {
      parameters: { a: "1", b: "true", c: '[1,{"d":"x"}]' },
    },
  ],
  ["a result", { result: 7, exitCode: 0 }, { result: "7" }],
  ["a list", [], [""]],
  ["tables that are none", { parameters: 1, artifacts: [], files: "x" }, ["parameters", "artifacts", "files"]],
])("reading %s", (_, value, expected) => {
  const read = readStubOutputs(value);
  if (read.ok) expect(read.value).toEqual({ ...noStubOutputs, ...expected });
  else expect(read.error.map(({ path }) => path)).toEqual(expected);
});
