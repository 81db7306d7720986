/** What other programs and people do beside us: it harms no workflow that it is not about (I10). */

import { expect, test } from "vitest";
import { pass } from "../../src/controller/pass.js";
import type { Act } from "./faults/fault.js";
import { pod, workflow } from "./generate/builder.js";
import { type Plan, run } from "./run.js";
import type { Mutant } from "./world/mutant.js";

const steps = workflow("steps", {
  entrypoint: "main",
  templates: [
    { name: "main", steps: [[{ name: "one", template: "work" }], [{ name: "two", template: "work" }]] },
    pod("work", ["ms=300", "out=/tmp/x:value"], {
      outputs: { parameters: [{ name: "x", valueFrom: { path: "/tmp/x" } }] },
    }),
  ],
});

function planWith(act: Act, ms = 100): Plan {
  return { seed: 1, workflows: [steps], faults: [{ at: "time", ms, act }] };
}

test.each<Act>([
  { kind: "stray", what: "pod-without-owner", index: 0 },
  { kind: "stray", what: "pod-of-nobody", index: 0 },
  { kind: "stray", what: "pod-too-many", index: 0 },
  { kind: "stray", what: "task-result", index: 0 },
  { kind: "mark-pod", mark: "malformed-labels", index: 0 },
  { kind: "mark-pod", mark: "malformed-annotations", index: 0 },
  { kind: "mark-pod", mark: "generation-nonsense", index: 0 },
  { kind: "workflow", operation: "malformed-labels", index: 0 },
  { kind: "workflow", operation: "malformed-annotations", index: 0 },
  { kind: "workflow", operation: "foreign-finalizer", index: 0 },
])("%j", async (act) => {
  const { broken, faults, world } = await run(planWith(act));
  expect([broken, faults]).toEqual([[], 1]);
  expect(world.truth.workflows().map(({ status }) => status?.phase)).toEqual(["Succeeded"]);
});

/** Nothing is looked at any more once a pod is there that nobody owns, as in a controller that it crashes at each start. */
const stoppedByStray: Mutant = {
  name: "a malformed object stops the others",
  breaks: "I10",
  parts: (world) => ({
    pass: (ports, key) => {
      const isStrange = world.truth.pods().some(({ metadata }) => metadata.ownerReferences === undefined);
      return isStrange ? Promise.reject(new Error("cannot read this")) : pass(ports, key);
    },
  }),
};

test("a controller that one malformed object stops is found, also where all else was over by then", async () => {
  const plan = planWith({ kind: "stray", what: "pod-without-owner", index: 0 }, 20_000);
  const { broken } = await run({ ...plan, mutant: stoppedByStray });
  expect(broken.map(({ invariant }) => invariant)).toEqual(["I10"]);
  expect((await run(plan)).broken).toEqual([]);
});

test("nonsense on a task result leaves what it says as it is", async () => {
  const { broken, faults, world } = await run(planWith({ kind: "mark-result", index: 0 }, 350));
  expect([broken, faults]).toEqual([[], 1]);
  const nodes = Object.values(world.truth.workflows()[0]?.status?.nodes ?? {});
  const outputs = nodes.filter(({ type }) => type === "Pod").map((node) => node.outputs?.parameters?.[0]?.value);
  expect(outputs).toEqual(["value", "value"]);
});

test("with its namespace all of a workflow goes", async () => {
  const { broken, faults, world } = await run(planWith({ kind: "delete-namespace" }));
  expect([broken, faults]).toEqual([[], 1]);
  expect([...world.truth.workflows(), ...world.truth.pods(), ...world.truth.taskResults()]).toEqual([]);
});
