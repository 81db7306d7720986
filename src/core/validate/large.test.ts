import { expect, test, vi } from "vitest";
import type { DAGTask, Template } from "../model/argo/template.js";
import type { Workflow } from "../model/argo/workflow.js";
import { validateWorkflow } from "./index.js";
import type { Validation } from "./options.js";

const COUNT = 10_000;

// Each takes well under a second; a busy machine may take its time.
vi.setConfig({ testTimeout: 60_000 });

const leaf: Template = {
  name: "leaf",
  inputs: { parameters: [{ name: "x" }] },
  outputs: { parameters: [{ name: "o", valueFrom: { path: "/o" } }] },
  container: { image: "i", args: ["{{inputs.parameters.x}}"] },
};

function answerTo(templates: readonly Template[]): Validation {
  const workflow: Workflow = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "w" },
    spec: { entrypoint: templates[0]?.name ?? "", templates },
  };
  return validateWorkflow(workflow, { facts: { get: () => null } });
}

function tasks(count: number, task: (index: number) => Partial<DAGTask> & { readonly x: string }): Template {
  const all = Array.from({ length: count }, (_one, index): DAGTask => {
    const { x, ...rest } = task(index);
    return { name: `t${index}`, template: "leaf", arguments: { parameters: [{ name: "x", value: x }] }, ...rest };
  });
  return { name: "main", dag: { tasks: all } };
}

function after(index: number): { readonly dependencies: readonly string[] } {
  return { dependencies: index === 0 ? [] : [`t${index - 1}`] };
}

test("a chain of tasks, each with the output of the first", () => {
  const main = tasks(COUNT, (index) => ({
    ...after(index),
    x: index === 0 ? "" : "{{tasks.t0.outputs.parameters.o}}",
  }));
  expect(answerTo([main, leaf]).problems).toEqual([]);
});

test("longer than a table of ancestors is made for", () => {
  const main = tasks(20_000, (index) => ({
    ...after(index),
    x: index < 3 ? "" : `{{tasks.t${index - 3}.outputs.parameters.o}}`,
  }));
  expect(answerTo([main, leaf]).problems).toEqual([]);
});

test("as many faults as tasks: the first are told, the others counted", () => {
  const main = tasks(COUNT, (index) => ({ x: `{{tasks.u${index}.outputs.result}}` }));
  const { problems, argoError } = answerTo([main, leaf]);
  expect(problems.length).toBe(201);
  expect(problems.at(-1)?.message).toBe("9800 more problems are not shown");
  expect(argoError).toBe("templates.main.tasks.t0 failed to resolve {{tasks.u0.outputs.result}}");
});

test("a circle of tasks", () => {
  const main = tasks(COUNT, (index) => ({ dependencies: [`t${(index + 1) % COUNT}`], x: "" }));
  const { problems } = answerTo([main, leaf]);
  expect(problems.map(({ code, argo }) => [code, argo])).toEqual([
    ["cycle", "templates.main sorting failed: graph with cycle"],
  ]);
});

test("templates that call one another ten thousand deep, and in circles", () => {
  const chain = Array.from({ length: COUNT }, (_one, index): Template => {
    return { name: `m${index}`, steps: [[{ name: "s", template: `m${index + 1}` }]] };
  });
  const last: Template = { name: `m${COUNT}`, container: { image: "i", args: ["{{inputs.parameters.x}}"] } };
  const { problems, argoError } = answerTo([...chain, last]);
  expect(problems.map(({ path }) => path)).toEqual([`spec.templates[${COUNT}].container.args[0]`]);
  expect(argoError?.startsWith("templates.m0.steps[0].s templates.m1.steps[0].s ")).toBe(true);
  const circle: Template = { name: `m${COUNT}`, steps: [[{ name: "s", template: "m0" }]] };
  expect(answerTo([...chain, circle]).problems).toEqual([]);
});

test("templates written in one another", () => {
  let inner: Template = { container: { image: "i", args: ["{{inputs.parameters.x}}"] } };
  for (let depth = 0; depth < 100; depth++) inner = { steps: [[{ name: "s", inline: inner }]] };
  const { problems } = answerTo([{ ...inner, name: "main" }]);
  expect(problems.map(({ code, message }) => [code, message])).toEqual([["unresolved", "{{inputs.parameters.x}}"]]);
});

test("every task of a wide DAG waits for many", () => {
  const main = tasks(1000, (index) => ({
    depends: Array.from({ length: Math.min(index, 20) }, (_one, back) => `t${index - 1 - back}.Succeeded`).join(" && "),
    x: index === 0 ? "" : "{{tasks.t0.status}}",
  }));
  expect(answerTo([main, leaf]).problems).toEqual([]);
});
