import { expect, test } from "vitest";
import type { NodeStatus } from "../model/argo/node.js";
import type { Workflow } from "../model/argo/workflow.js";
import { templateOfNode } from "./of-node.js";

const named = (name: string): { readonly name: string } => ({ name });

const workflow: Workflow = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Workflow",
  metadata: { name: "wf" },
  spec: { templates: [named("own")] },
  status: {
    storedTemplates: {
      "namespaced/lib/far": named("far"),
      "cluster/lib/far": named("cluster-far"),
      "namespaced/lib/beside": named("beside"),
    },
  },
};

const byReference: Workflow = {
  ...workflow,
  spec: {},
  status: { storedWorkflowTemplateSpec: { templates: [named("own")] } },
};

test.each<[string, Workflow, Partial<NodeStatus>, string | undefined]>([
  ["its own", workflow, { templateName: "own", templateScope: "local/wf" }, "own"],
  ["a referenced one", workflow, { templateRef: { name: "lib", template: "far" }, templateScope: "local/wf" }, "far"],
  [
    "one of the cluster",
    workflow,
    { templateRef: { name: "lib", template: "far", clusterScope: true } },
    "cluster-far",
  ],
  ["a neighbour of a referenced one", workflow, { templateName: "beside", templateScope: "namespaced/lib" }, "beside"],
  ["of the template that the workflow names", byReference, { templateName: "own", templateScope: "local/" }, "own"],
  ["written in place", workflow, { templateScope: "local/wf" }, undefined],
  ["a name that every object has", workflow, { templateName: "x", templateScope: "constructor" }, undefined],
])("the template of a node: %s", (_, of, node, expected) => {
  const whole: NodeStatus = { id: "n", name: "n", displayName: "n", type: "Pod", ...node };
  expect(templateOfNode(of, whole)?.name).toBe(expected);
});
