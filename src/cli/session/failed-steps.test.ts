import { expect, test } from "vitest";
import type { NodePhase } from "../../core/model/argo/node.js";
import type { Workflow, WorkflowSpec } from "../../core/model/argo/workflow.js";
import { readDocuments } from "../../core/model/index.js";
import { sketchWorkflow } from "../fakes/workflows.js";
import type { SpecHome } from "../load/references.js";
import type { FailedStep } from "../print/summary.js";
import { buildTree } from "../print/tree/build.js";
import { failedSteps } from "./failed-steps.js";
import { StepNames } from "./step-names.js";

const spec: WorkflowSpec = {
  entrypoint: "main",
  templates: [
    { name: "main", steps: [[{ name: "outer", template: "group", withItems: ["a", "b"] }]] },
    { name: "group", steps: [[{ name: "inner", template: "work", withItems: ["x"] }]] },
    { name: "work", container: { image: "alpine", command: ["false"] } },
  ],
};

test("what failed in a loop within a loop says in which item, as its lines did", () => {
  const outer = ["outer(0:a)", "outer(1:b)"] as const;
  const workflow = sketchWorkflow({
    spec,
    status: { phase: "Failed" },
    nodes: [
      { name: "wf", type: "Steps", phase: "Failed", templateName: "main", children: ["wf[0]"] },
      {
        name: "wf[0]",
        type: "StepGroup",
        phase: "Failed",
        boundaryID: "wf",
        children: outer.map((name) => `wf[0].${name}`),
      },
      ...outer.flatMap(
        (name) =>
          [
            {
              name: `wf[0].${name}`,
              displayName: name,
              type: "Steps",
              phase: "Failed",
              templateName: "group",
              boundaryID: "wf",
              children: [`wf[0].${name}[0]`],
            },
            {
              name: `wf[0].${name}[0]`,
              displayName: "[0]",
              type: "StepGroup",
              phase: "Failed",
              boundaryID: `wf[0].${name}`,
              children: [`wf[0].${name}[0].inner(0:x)`],
            },
            {
              name: `wf[0].${name}[0].inner(0:x)`,
              displayName: "inner(0:x)",
              type: "Pod",
              phase: "Failed",
              templateName: "work",
              boundaryID: `wf[0].${name}`,
            },
          ] as const,
      ),
    ],
  });
  expect(failedOf(workflow).map(({ name }) => name)).toEqual(["outer(0:a)/inner(0:x)", "outer(1:b)/inner(0:x)"]);
});

test.each<[NodePhase, readonly string[]]>([
  ["Failed", ["main: withParam is no list"]],
  ["Running", []],
])("what fails between its steps is the entrypoint, where it is %s", (phase, expected) => {
  const [message, children] = ["withParam is no list", ["wf[0]"]];
  const workflow = sketchWorkflow({
    spec,
    status: { phase: "Failed", message },
    nodes: [
      { name: "wf", type: "Steps", phase, templateName: "main", message, children },
      { name: "wf[0]", type: "StepGroup", phase: "Succeeded", boundaryID: "wf" },
    ],
  });
  expect(failedOf(workflow).map(({ name, reason }) => `${name}: ${reason}`)).toEqual(expected);
});

test("an output without its file is told by where the step was to write it, and where that was asked for", () => {
  const [document] = readDocuments(missingReport, "report.yaml").documents;
  if (document === undefined) throw new Error("there is one");
  const work = (document.value as unknown as Workflow).spec;
  const message = "wait: exit 64: open /var/run/argo/outputs/artifacts/tmp/report.tgz: no such file or directory;";
  const workflow = sketchWorkflow({
    spec: work,
    status: { phase: "Error" },
    nodes: [{ name: "wf", type: "Pod", phase: "Error", templateName: "work", message }],
  });
  const [step] = failedOf(workflow, { spec: work, document, path: "spec" });
  expect(step?.position).toMatchObject({ file: "./report.yaml", line: 6, column: 7 });
  expect(step?.hint).toBe(
    'the step left no file /tmp/report for its output artifact "report" (./report.yaml:9:13); ' +
      "with optional: true the step does without it",
  );
});

const missingReport = `kind: Workflow
spec:
  entrypoint: work
  templates:
    - name: work
      container: { image: alpine, command: ["true"] }
      outputs:
        artifacts:
          - path: /tmp/report
            name: report
`;

function failedOf(workflow: Workflow, home?: SpecHome): readonly FailedStep[] {
  const names = new StepNames();
  return failedSteps({
    workflow,
    items: buildTree({ workflow, podNotes: new Map(), lastLines: new Map() }),
    pods: [],
    stepName: (node) => names.of(workflow, node),
    tail: () => ({ lines: [], total: 0 }),
    home,
    nameOf: (file) => `./${file}`,
    neverStarted: () => undefined,
  });
}
