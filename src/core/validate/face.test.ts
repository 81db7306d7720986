import { expect, test } from "vitest";
import type { Workflow } from "../model/argo/workflow.js";
import { decodeAs, locateProblems, readDocuments } from "../model/index.js";
import {
  firstArgoError,
  invalidSpecOf,
  invalidSpecOrNeed,
  type ValidateOptions,
  validateClusterWorkflowTemplate,
  validateCronWorkflow,
  validateResource,
  validateWorkflow,
  validateWorkflowTemplate,
} from "./index.js";
import { factsOf, resourcesOf } from "./testing/cases.js";

const unknown = { get: () => undefined };

function workflowOf(spec: string): Workflow {
  const [first] = resourcesOf(spec);
  if (first?.kind !== "Workflow") throw new Error("no workflow");
  return first;
}

const twoReferences = `
entrypoint: main
templates:
  - name: main
    steps:
      - - {name: a, templateRef: {name: x, template: t}, arguments: {parameters: [{name: p, value: v}]}}
        - {name: b, templateRef: {name: z, template: t, clusterScope: true}}
      - - {name: c, template: t, when: "{{steps.a.outputs.result}} == 1"}
  - {name: t, suspend: {}}`;

test("what is not known yet is asked for, and nothing is said about it", () => {
  const workflow = workflowOf(twoReferences);
  expect(validateWorkflow(workflow, { facts: unknown })).toEqual({
    problems: [],
    needs: [
      { kind: "workflow-template", namespace: "", name: "x" },
      { kind: "cluster-workflow-template", name: "z" },
    ],
    argoError: undefined,
  });
  expect(invalidSpecOrNeed(workflow, unknown)).toEqual({ kind: "workflow-template", namespace: "", name: "x" });
});

test("a workflow from a resource that is not known yet", () => {
  const workflow = workflowOf("workflowTemplateRef: {name: x}");
  const { problems, needs } = validateWorkflow(workflow, { facts: unknown });
  expect(problems).toEqual([]);
  expect(needs).toEqual([{ kind: "workflow-template", namespace: "", name: "x" }]);
});

test("the engine's word: the first that Argo finds, and what is missing counts", () => {
  const workflow = workflowOf(twoReferences);
  const missing = "templates.main.steps[0].a template reference x.t not found";
  expect(invalidSpecOf(workflow, unknown)).toBe(missing);
  expect(invalidSpecOrNeed(workflow, factsOf([]))).toBe(missing);
  const { problems } = validateWorkflow(workflow, { facts: factsOf([]) });
  expect(firstArgoError(problems)).toBe(missing);
});

test("what Argo does not find does not stop the engine", () => {
  const workflow = workflowOf(`
entrypoint: main
hooks: {exit: {template: nope}}
templates: [{name: main, suspend: {}}]`);
  const { problems, argoError } = validateWorkflow(workflow, { facts: factsOf([]) });
  expect(problems.map(({ severity, message }) => [severity, message])).toEqual([
    ["error", 'there is no template "nope"'],
  ]);
  expect([argoError, firstArgoError(problems), invalidSpecOf(workflow, unknown)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("lint asks for no values, submit and run do", () => {
  const workflow = workflowOf(`
entrypoint: main
arguments: {parameters: [{name: day}, {name: mode, enum: [a, b]}]}
templates: [{name: main, suspend: {}}]`);
  const codes = (mode: "lint" | "submit" | "run"): string[] =>
    validateWorkflow(workflow, { facts: factsOf([]), mode }).problems.map(({ message }) => message);
  expect(codes("lint")).toEqual([]);
  const needed = ['"day" has no value: add -p day=VALUE', '"mode" (a or b) has no value: add -p mode=a'];
  expect([codes("submit"), codes("run")]).toEqual([needed, needed]);
});

test("a template resource that is submitted needs the values of its own parameters", () => {
  const [resource] = resourcesOf(`kind: WorkflowTemplate
metadata: {name: x}
spec: {entrypoint: t, arguments: {parameters: [{name: day}]}, templates: [{name: t, suspend: {}}]}`);
  if (resource?.kind !== "WorkflowTemplate") throw new Error("no template");
  const count = (mode: "lint" | "submit"): number =>
    validateWorkflowTemplate(resource, { facts: factsOf([]), mode }).problems.length;
  expect([count("lint"), count("submit")]).toEqual([0, 1]);
});

test("problems find their place in the file", () => {
  const text = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: w}
spec:
  entrypoint: main
  templates:
    - name: main
      dag:
        tasks:
          - name: checkout
            template: go
          - name: unit
            template: test
            dependencies: [checkuot]
            arguments:
              parameters: [{name: sha, value: "{{steps.checkout.outputs.parameters.sha}}"}]
    - name: go
      outputs: {parameters: [{name: commit, valueFrom: {path: /c}}, {name: branch, valueFrom: {path: /b}}]}
      container: {image: i}
    - name: test
      inputs: {parameters: [{name: sha}]}
      container: {image: i}
`;
  const [document] = readDocuments(text, "ci.yaml").documents;
  if (document === undefined) throw new Error("no document");
  const { value } = decodeAs("Workflow", document);
  if (value === undefined) throw new Error("no value");
  const located = locateProblems(validateWorkflow(value, { facts: factsOf([]) }).problems, document);
  expect(
    located.map(({ position, code, message, hint }) => [position?.line, position?.column, code, message, hint]),
  ).toEqual([
    [14, 28, "no-template", 'there is no task "checkuot"', 'did you mean "checkout"?'],
    [
      16,
      47,
      "unresolved",
      "{{steps.checkout.outputs.parameters.sha}}",
      "this is a DAG: tasks.checkout…; checkout has the outputs commit, branch",
    ],
  ]);
});

test("each kind has its own rules, and validateResource knows which", () => {
  const options: ValidateOptions = { facts: factsOf([]) };
  const [cluster, cron, config] = resourcesOf(`kind: ClusterWorkflowTemplate
metadata: {name: x}
spec: {templates: [{name: t, container: {}}]}
---
kind: CronWorkflow
metadata: {name: x}
spec: {schedules: [], workflowSpec: {entrypoint: t, templates: [{name: t, suspend: {}}]}}
---
kind: WorkflowTaskResult
metadata: {name: x}`);
  if (cluster?.kind !== "ClusterWorkflowTemplate" || cron?.kind !== "CronWorkflow") throw new Error("other kinds");
  const ofCluster = validateClusterWorkflowTemplate(cluster, options);
  expect(ofCluster.argoError).toBe("templates.t templates.t.container.image may not be empty");
  expect(validateResource(cluster, options)).toEqual(ofCluster);
  const ofCron = validateCronWorkflow(cron, options);
  expect(ofCron.argoError).toBe("cron workflow must have at least one schedule");
  expect(validateResource(cron, options)).toEqual(ofCron);
  if (config === undefined) throw new Error("no third document");
  expect(validateResource(config, options)).toEqual({ problems: [], needs: [], argoError: undefined });
});
