import { expect, test } from "vitest";
import type { NodeStatus } from "../model/argo/node.js";
import type { Workflow, WorkflowSpec } from "../model/argo/workflow.js";
import { retryWithSpec } from "./retry-spec.js";

const now = Date.parse("2026-01-01T01:00:00Z");

/** A step beside the others; all have succeeded. */
function step(id: string, more: Partial<NodeStatus>): NodeStatus {
  return { id, name: `wf[0].${id}`, displayName: id, type: "Pod", phase: "Succeeded", templateName: "", ...more };
}

const steps = [
  step("ref", { templateRef: { name: "lib", template: "a" } }),
  step("deep", { templateName: "deep", templateScope: "namespaced/lib" }),
  step("own", { templateName: "own", templateScope: "local/wf" }),
];
const entry = step("wf", { name: "wf", type: "Steps", templateName: "main", children: ["group"] });
const group = step("group", { name: "wf[0]", type: "StepGroup", children: ["ref", "deep", "own"] });

function retriedAs(spec: WorkflowSpec, changed: readonly string[]) {
  const nodes = Object.fromEntries([entry, group, ...steps].map((node) => [node.id, node]));
  const workflow: Workflow = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "wf" },
    spec,
    status: { phase: "Succeeded", nodes, storedTemplates: { "namespaced/lib/a": {}, "namespaced/lib/deep": {} } },
  };
  const result = retryWithSpec(workflow, spec, { now, changedTemplates: new Set(changed) });
  if (!result.ok) return result.error;
  const { runAgain, workflow: next } = result.value;
  return { runAgain, kept: Object.keys(next.status?.storedTemplates ?? {}) };
}

const nothing = "nothing to run again: the workflow succeeded, and no template or input changed";

const own: WorkflowSpec = {
  entrypoint: "main",
  templates: [
    { name: "main", steps: [steps.map(({ id }) => ({ name: id, template: "own" }))] },
    { name: "own", container: { image: "b" } },
  ],
};

test.each([
  [["namespaced/lib/a"], { runAgain: ["ref"], kept: ["namespaced/lib/deep"] }],
  [["namespaced/lib/deep"], { runAgain: ["deep"], kept: ["namespaced/lib/a"] }],
  [["cluster/lib/a", "namespaced/lib/none"], nothing],
])("with %j changed, what they ran runs again and is looked up anew, and nothing else", (changed, expected) => {
  expect(retriedAs(own, changed)).toEqual(expected);
});

test("a workflow that is of a template resource is compared with that resource", () => {
  const of: WorkflowSpec = { workflowTemplateRef: { name: "two" } };
  expect(retriedAs(of, ["namespaced/two/own"])).toMatchObject({ runAgain: ["own"] });
  expect(retriedAs(of, [])).toBe(nothing);
});
