import { expect, test } from "vitest";
import type { WorkflowSpec } from "../../core/model/argo/workflow.js";
import { sketchWorkflow } from "../fakes/workflows.js";
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
  const names = new StepNames();
  const failed = failedSteps({
    workflow,
    items: buildTree({ workflow, podNotes: new Map(), lastLines: new Map() }),
    pods: [],
    stepName: (node) => names.of(workflow, node),
    tail: () => ({ lines: [], total: 0 }),
    home: undefined,
    nameOf: (file) => file,
    neverStarted: () => undefined,
  });
  expect(failed.map(({ name }) => name)).toEqual(["outer(0:a)/inner(0:x)", "outer(1:b)/inner(0:x)"]);
});
