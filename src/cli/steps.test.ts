import { expect, test } from "vitest";
import { sketchWorkflow } from "./fakes/workflows.js";
import { findSteps, lastFailed, stepsOf } from "./steps.js";

const loops = sketchWorkflow({
  spec: {},
  nodes: [
    { name: "wf", type: "Steps", phase: "Failed" },
    ...["outer(0:a)", "outer(1:b)"].flatMap(
      (outer) =>
        [
          { name: `wf[0].${outer}`, displayName: outer, type: "Steps", phase: "Failed", boundaryID: "wf" },
          {
            name: `wf[0].${outer}[0].inner(0:x)`,
            displayName: "inner(0:x)",
            type: "Pod",
            phase: "Failed",
            templateName: "work",
            boundaryID: `wf[0].${outer}`,
          },
        ] as const,
    ),
  ],
});
const [a, b] = ["wf[0].outer(0:a)[0].inner(0:x)", "wf[0].outer(1:b)[0].inner(0:x)"];

test.each([
  ["what its lines are labelled with", "outer(1:b)/inner(0:x)", [b]],
  ["its node", "wf[0].outer(0:a)[0].inner(0:x)", [a]],
  ["its display name: all that have it", "inner(0:x)", [a, b]],
  ["the loop", "inner", [a, b]],
  ["its template", "work", [a, b]],
] as const)("a step is found by %s", (_, name, ids) => {
  expect(findSteps(loops, name).map(({ node }) => node.id)).toEqual(ids);
});

test("what is named by nothing says what there is", () => {
  expect(() => findSteps(loops, "iner")).toThrow('wf has no step "iner"');
});

test("steps that began in one second stand in the order in which one led to the other", () => {
  const pod = (name: string, children: readonly string[]) =>
    ({ name, displayName: name, type: "Pod", phase: "Failed", startedAt: "2026-01-01T00:00:00Z", children }) as const;
  const names = ["zeta", "beta", "alpha"];
  const workflow = sketchWorkflow({
    spec: {},
    nodes: [pod("alpha", []), pod("zeta", ["beta"]), pod("beta", ["alpha"])],
  });
  expect(stepsOf(workflow).map(({ node }) => node.name)).toEqual(names);
  expect(lastFailed(workflow)?.node.name).toBe("alpha");
});
