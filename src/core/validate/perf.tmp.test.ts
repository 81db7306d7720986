import { test } from "vitest";
import { validateWorkflow } from "./index.js";

const facts = { get: () => null };
function wf(spec: any): any {
  return { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", metadata: { name: "w" }, spec };
}
const leaf = {
  name: "leaf",
  inputs: { parameters: [{ name: "x" }] },
  container: { image: "a", args: ["{{inputs.parameters.x}}"] },
  outputs: { parameters: [{ name: "o", valueFrom: { path: "/o" } }] },
};
function time(name: string, spec: any) {
  const t = performance.now();
  const v = validateWorkflow(wf(spec), { facts });
  console.log(
    name,
    Math.round(performance.now() - t),
    "ms",
    v.problems.length,
    v.argoError?.slice(0, 200),
    v.problems[0]?.path.slice(0, 100),
  );
}
test("perf", () => {
  const chain = (n: number, ref: (i: number) => string) => ({
    entrypoint: "main",
    templates: [
      leaf,
      {
        name: "main",
        dag: {
          tasks: Array.from({ length: n }, (_, i) => ({
            name: `t${i}`,
            template: "leaf",
            ...(i ? { dependencies: [`t${i - 1}`] } : {}),
            arguments: { parameters: [{ name: "x", value: ref(i) }] },
          })),
        },
      },
    ],
  });
  time(
    "chain prev",
    chain(10000, (i) => (i ? `{{tasks.t${i - 1}.outputs.parameters.o}}` : "a")),
  );
  time(
    "chain first",
    chain(10000, (i) => (i ? `{{tasks.t0.outputs.parameters.o}}` : "a")),
  );
  time(
    "all unresolved",
    chain(10000, (i) => `{{tasks.zz${i}.outputs.parameters.o}}`),
  );
  time("wide", {
    entrypoint: "main",
    templates: [
      leaf,
      {
        name: "main",
        dag: {
          tasks: Array.from({ length: 10000 }, (_, i) => ({
            name: `t${i}`,
            template: "leaf",
            depends: i > 5 ? `t${i % 5}.Succeeded && t${(i + 1) % 5}` : undefined,
            arguments: { parameters: [{ name: "x", value: "{{=sprig.upper('a')}}" }] },
          })),
        },
      },
    ],
  });
  time("steps", {
    entrypoint: "main",
    templates: [
      leaf,
      {
        name: "main",
        steps: Array.from({ length: 10000 }, (_, i) => [
          { name: `t${i}`, template: "leaf", arguments: { parameters: [{ name: "x", value: "{{workflow.name}}" }] } },
        ]),
      },
    ],
  });
  time("depth", {
    entrypoint: "m0",
    templates: [
      ...Array.from({ length: 10000 }, (_, i) => ({ name: `m${i}`, steps: [[{ name: "s", template: `m${i + 1}` }]] })),
      { name: "m10000", container: { image: "a", args: ["{{inputs.parameters.nope}}"] } },
    ],
  });
  time("cycle", {
    entrypoint: "main",
    templates: [
      leaf,
      {
        name: "main",
        dag: {
          tasks: Array.from({ length: 10000 }, (_, i) => ({
            name: `t${i}`,
            template: "leaf",
            dependencies: [`t${(i + 1) % 10000}`],
          })),
        },
      },
    ],
  });
  let inline: any = { container: { image: "a", args: ["{{inputs.parameters.nope}}"] } };
  for (let i = 0; i < 120; i++) inline = { steps: [[{ name: "s", inline }]] };
  time("inline", { entrypoint: "main", templates: [{ name: "main", ...inline }] });
  time("recursion", { entrypoint: "main", templates: [{ name: "main", steps: [[{ name: "s", template: "main" }]] }] });
});
