import { expect, test } from "vitest";
import type { Json } from "../../core/std/json.js";
import type { Stub } from "../ports.js";
import { loadResources } from "./resources.js";
import { standInResources, stubProblems } from "./stubs.js";

const file = `apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: {name: ml}
spec:
  templates:
  - name: train
    outputs: {parameters: [{name: accuracy, valueFrom: {path: /a}}], artifacts: [{name: model, path: /m}]}
    container: {image: gpu}
  - name: notify
    http: {url: "https://example.invalid"}
`;
const { resources } = loadResources([{ file: "ml.yaml", text: file, origin: "file" }], {
  toRun: true,
  manner: "strict",
});

function stub(template: string, outcome: Json = null): Stub {
  return { template, outcome, file: outcome === null ? null : "/stub.yaml" };
}

function told(one: Stub): readonly string[] {
  return stubProblems([one], resources, []).map(({ message, hint = "", position }) =>
    [`${position === undefined ? "" : `${position.line}: `}${message}`, hint].join(" | "),
  );
}

const whole = { parameters: { accuracy: 1 }, artifacts: { model: "w" } };

test.each<[string, Stub, readonly string[]]>([
  ["a template without outputs needs no file", stub("notify"), []],
  ["all outputs given", stub("train", whole), []],
  ["outputs as files at their paths", stub("train", { files: { "/a": "1", "/m": "w" } }), []],
  ["one that fails", stub("train", { exitCode: 1 }), []],
  ["a slip in the name", stub("trian"), ['--stub trian: no template has that name | did you mean "train"?']],
  [
    "no file",
    stub("train"),
    [
      '7: the stub of "train" gives its output parameter accuracy no value and no default | --stub train=FILE, with parameters: {accuracy: …}',
      '7: the stub of "train" gives its output artifact model no value | --stub train=FILE, with artifacts: {model: …}',
    ],
  ],
  [
    "an output too many",
    stub("train", { ...whole, parameters: { accuracy: 1, loss: 2 } }),
    ['/stub.yaml: parameters.loss: template "train" has no such output | it has accuracy'],
  ],
  ["the wrong shape", stub("train", { parameters: [] }), ["/stub.yaml: parameters: must be a map | "]],
])("%s", (_, given, expected) => {
  expect(told(given)).toEqual(expected);
});

test("a resource of which only stubs are called is made up, with the outputs of their files", () => {
  const refs = [
    { kind: "WorkflowTemplate", name: "lib", template: "build" },
    { kind: "WorkflowTemplate", name: "lib", template: "notify" },
    { kind: "ClusterWorkflowTemplate", name: "all", template: "build" },
  ] as const;
  const made = standInResources(refs, [stub("build", { parameters: { sha: "abc" } }), stub("notify")], "ml");
  const template = (name: string, parameters: readonly object[]): object =>
    expect.objectContaining({ name, outputs: { parameters, artifacts: [] } });
  const build = template("build", [{ name: "sha", valueFrom: { path: "/tiphys/outputs/parameters/sha" } }]);
  expect(made).toMatchObject([
    {
      kind: "WorkflowTemplate",
      metadata: { name: "lib", namespace: "ml" },
      spec: { templates: [build, template("notify", [])] },
    },
    { kind: "ClusterWorkflowTemplate", metadata: { name: "all" }, spec: { templates: [build] } },
  ]);
});
