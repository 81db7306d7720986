import { expect, test } from "vitest";
import type { NodeStatus } from "../../core/model/argo/node.js";
import type { Workflow } from "../../core/model/argo/workflow.js";
import { StepNames } from "./step-names.js";

function node(name: string, displayName: string, boundaryID?: string): NodeStatus {
  return { id: name, name, displayName, type: "Pod", ...(boundaryID === undefined ? {} : { boundaryID }) };
}

const nodes = [
  node("wf", "wf"),
  node("wf[0].outer(0:a)", "outer(0:a)", "wf"),
  node("wf[0].outer(1:b)", "outer(1:b)", "wf"),
  node("wf[0].outer(0:a)[0].inner(0:x.y)", "inner(0:x.y)", "wf[0].outer(0:a)"),
  node("wf[0].outer(1:b)[0].inner(0:x.y)", "inner(0:x.y)", "wf[0].outer(1:b)"),
  node("wf[0].outer(0:a)[0].group", "group", "wf[0].outer(0:a)"),
  node("wf[0].outer(0:a)[0].group[0].deep", "deep", "wf[0].outer(0:a)[0].group"),
  node("wf[1].left", "left", "wf"),
  node("wf[1].right", "right", "wf"),
  node("wf[1].left[0].build", "build", "wf[1].left"),
  node("wf[1].right[0].build", "build", "wf[1].right"),
  node("wf[2].again(0)", "again(0)", "wf"),
  node("wf[2].again(1)", "again(1)", "wf"),
  node("wf[3].pipe(0)", "pipe(0)", "wf"),
  node("wf[3].pipe(1)", "pipe(1)", "wf"),
  node("wf[3].pipe(0)[0].part", "part", "wf[3].pipe(0)"),
  node("wf[3].pipe(1)[0].part", "part", "wf[3].pipe(1)"),
  node("wf.onExit", "wf.onExit"),
];

function workflow(namespace: string): Workflow {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "wf", namespace },
    spec: { entrypoint: "main" },
    status: { nodes: Object.fromEntries(nodes.map((one) => [one.id, one])) },
  };
}

test.each([
  ["of a workflow of one step, its template", ["wf"], ["main"]],
  ["a step by its name", ["wf[1].left[0].build"], ["build"]],
  ["the second of a name says where it is", ["wf[1].left[0].build", "wf[1].right[0].build"], ["build", "right/build"]],
  ["an item of a loop in a loop names both", ["wf[0].outer(0:a)[0].inner(0:x.y)"], ["outer(0:a)/inner(0:x.y)"]],
  [
    "and its twin in the next item is another",
    ["wf[0].outer(0:a)[0].inner(0:x.y)", "wf[0].outer(1:b)[0].inner(0:x.y)"],
    ["outer(0:a)/inner(0:x.y)", "outer(1:b)/inner(0:x.y)"],
  ],
  [
    "a step inside an item names the item, not what lies between",
    ["wf[0].outer(0:a)[0].group[0].deep"],
    ["outer(0:a)/deep"],
  ],
  ["attempts of a step are one step", ["wf[2].again(0)", "wf[2].again(1)"], ["again", "again"]],
  ["so are those of what is around it", ["wf[3].pipe(0)[0].part", "wf[3].pipe(1)[0].part"], ["part", "part"]],
  ["the exit handler is onExit", ["wf.onExit"], ["onExit"]],
])("%s", (_, steps, names) => {
  const known = new StepNames();
  const of = (id: string): string => known.of(workflow("a"), nodes.find((one) => one.id === id) ?? node("?", "?"));
  expect(steps.map(of)).toEqual(names);
  expect(steps.map(of)).toEqual(names);
});

test("a namesake in another namespace takes no names away", () => {
  const known = new StepNames();
  const step = node("wf[1].left[0].build", "build", "wf[1].left");
  expect([known.of(workflow("a"), step), known.of(workflow("b"), step)]).toEqual(["build", "build"]);
});
