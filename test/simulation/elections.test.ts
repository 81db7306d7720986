/** Two controllers that stand for election: `npm run simulate -- --elections --seed N` repeats a run. */

import { expect, test } from "vitest";
import type { Workflow } from "../../src/core/model/argo/workflow.js";
import { electionPlanOf } from "./generate/elections.js";
import type { Broken } from "./invariants/watchdog.js";
import { electionMutants } from "./mutants/elections.js";
import { type Plan, run } from "./run.js";
import { World } from "./world/world.js";

const SEEDS = 80;
const MUTANT_SEEDS_MAX = 1000;

test("the leader stops, stands still, or is cut off, at any point: no promise is broken", async () => {
  const broken: string[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const result = await run(electionPlanOf(seed));
    for (const { invariant, message } of result.broken) broken.push(`seed ${seed}: ${invariant}: ${message}`);
  }
  expect(broken).toEqual([]);
});

async function find(
  make: (seed: number) => Plan,
): Promise<{ readonly seed: number; readonly broken: Broken } | undefined> {
  for (let seed = 1; seed <= MUTANT_SEEDS_MAX; seed++) {
    const {
      broken: [broken],
    } = await run(make(seed));
    if (broken !== undefined) return { seed, broken };
  }
  return undefined;
}

/** Also by what comes of it, not only by the rule that says who may write. */
const sought = electionMutants.flatMap((mutant) => [
  { mutant, blind: [], how: "seeing who writes" },
  ...(mutant.fence === "none" ? [{ mutant, blind: ["fence"], how: "seeing only what comes of it" }] : []),
]);

test.each(sought)("$mutant.name is found, $how", async ({ mutant, blind }) => {
  const found = await find((seed) => ({ ...electionPlanOf(seed, 2), mutant, blind }));
  expect(found, `${mutant.name} survived ${MUTANT_SEEDS_MAX} seeds`).toBeDefined();
  console.log(`${mutant.name}: seed ${found?.seed}, ${found?.broken.invariant}: ${found?.broken.message}`);
});

const oneStep: Workflow = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Workflow",
  metadata: { name: "wf", namespace: "default" },
  spec: {
    entrypoint: "main",
    podGC: { strategy: "OnPodCompletion", deleteDelayDuration: "0s" },
    templates: [{ name: "main", container: { image: "busybox", command: ["sim"], args: ["ms=100"] } }],
  },
};

/** A world in which one of two has come to lead, and which. */
async function led(): Promise<{ readonly world: World; readonly leader: "controller-a" | "controller-b" }> {
  const world = new World({ seed: 1, controllers: 2 });
  await world.start();
  await world.pass(5000);
  return { world, leader: world.leaseHolder === "controller-a" ? "controller-a" : "controller-b" };
}

test("a create that was under way while another took over finds the pod still there: main starts once", async () => {
  const { world: before, leader } = await led();
  before.stop();
  const { world, broken } = await run({
    seed: 1,
    workflows: [oneStep],
    controllers: 2,
    faults: [{ at: "write", role: leader, nth: 2, fault: { kind: "last-words", ms: 19_000 } }],
  });
  expect(broken).toEqual([]);
  expect(world.machine.starts.map(({ container }) => container.name)).toEqual(["main"]);
  expect(world.history.print()).toContain('create pods default/wf {"labels"');
  expect(world.history.print()).toContain("already exists");
});

test("a stop in order gives the lease back: the other one leads within its next look", async () => {
  const { world, leader } = await led();
  const other = leader === "controller-a" ? "controller-b" : "controller-a";
  expect(world.leaseHolder).toBe(leader);
  const first = world.components.controllers()[leader === "controller-a" ? 0 : 1];
  const stopped = first?.stop();
  await world.pass(3000);
  await stopped;
  expect(world.leaseHolder).toBe(other);
  expect(await first?.started).toBe(true);
  await world.submit(oneStep);
  await world.pass(60_000);
  expect(world.truth.workflows().map(({ status }) => status?.phase)).toEqual(["Succeeded"]);
  expect(world.truth.pods()).toEqual([]);
  world.stop();
});
