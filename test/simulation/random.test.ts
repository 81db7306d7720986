/** Random workflows under random faults: none may break a promise. A failure names its seed: `npm run simulate -- --seed N`. */

import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { speedText, story } from "./command.js";
import { planOf } from "./generate/plan.js";
import { type Batch, type PlayOptions, type Tally, tallyText, usualPlay } from "./parallel/batch.js";
import { Pool } from "./parallel/pool.js";
import { run } from "./run.js";

/** Over 9,500 workflows; with those below, over 10,000. */
const usual = { from: 1, count: 8300 };
/** With each decision made a second time from nothing. */
const checked = { from: 500_001, count: 500 };
const checkedPlay = { ...usualPlay, engineCheck: "each pass" } as const;

const threads = Math.min(4, availableParallelism());

async function played(batch: Batch, play: PlayOptions): Promise<Tally> {
  const pool = await Pool.open({ threads, play });
  const startedAt = performance.now();
  try {
    const tally = await pool.play(
      batch,
      () => true,
      () => undefined,
    );
    console.log(`${tallyText(tally)}; ${speedText(tally, performance.now() - startedAt, threads)}`);
    return tally;
  } finally {
    await pool.close();
  }
}

test("random workflows under faults break no promise and come to rest", async () => {
  const { broken, workflows } = await played(usual, usualPlay);
  expect(broken).toEqual([]);
  expect(workflows).toBeGreaterThan(9500);
});

test("step by step the engine decides as it does at once", async () => {
  const { broken, workflows } = await played(checked, checkedPlay);
  expect(broken).toEqual([]);
  expect(workflows).toBeGreaterThan(500);
});

test("a seed repeats its run, byte for byte", async () => {
  for (const seed of [7, 25, 40]) {
    const [one, other] = [planOf(seed), planOf(seed)];
    expect(story(one, await run(one))).toBe(story(other, await run(other)));
  }
});
