/** Random workflows, played by the engine alone. A failure names its seed: `npm run simulate -- --engine --seed N`. */

import { expect, test } from "vitest";
import { brokenText, type Tally, tallyText, usualPlay } from "../parallel/batch.js";
import { Pool } from "../parallel/pool.js";
import { enginePlanOf } from "./plan.js";
import { play } from "./play.js";
import { engineStory } from "./story.js";

const seeds = { from: 1, count: 250 };

async function played(): Promise<Tally> {
  const pool = await Pool.open({ threads: 1, play: { ...usualPlay, plans: "engine" } });
  try {
    return await pool.play(
      seeds,
      () => true,
      () => undefined,
    );
  } finally {
    await pool.close();
  }
}

test("whatever happens to a workflow, each decision keeps the promises, and it ends", async () => {
  const tally = await played();
  console.log(tallyText(tally, "changes"));
  expect(brokenText(tally)).toBe("");
  expect(tally.workflows).toBe(seeds.count);
  // Of each kind of change enough to mean something.
  for (const kind of ["pod", "pod-gone", "task-result", "workflow", "outcome", "observed"])
    expect(tally.kinds[kind], kind).toBeGreaterThan(seeds.count);
});

test("a seed repeats its run, byte for byte", () => {
  for (const seed of [7, 25, 40]) {
    const [one, other] = [enginePlanOf(seed), enginePlanOf(seed)];
    expect(engineStory(one, play(one))).toBe(engineStory(other, play(other)));
  }
});
