/** Random workflows under random faults: none may break a promise. A failure names its seed: `npm run simulate -- --seed N`. */

import { expect, test } from "vitest";
import { story } from "./command.js";
import { planOf } from "./generate/plan.js";
import { run } from "./run.js";

const usual = { from: 1, count: 300 };
/** With each decision made a second time from nothing. */
const checked = { from: 500_001, count: 60 };

/** Numbers of the seeds with something broken, and what it was. */
async function broken(
  { from, count }: typeof usual,
  more: { readonly engineCheck?: "each pass" } = {},
): Promise<readonly string[]> {
  const found: string[] = [];
  for (let seed = from; seed < from + count; seed++) {
    const result = await run({ ...planOf(seed), ...more });
    for (const { invariant, message } of result.broken) found.push(`seed ${seed}: ${invariant}: ${message}`);
  }
  return found;
}

test("random workflows under faults break no promise and come to rest", async () => {
  expect(await broken(usual)).toEqual([]);
});

test("step by step the engine decides as it does at once", async () => {
  expect(await broken(checked, { engineCheck: "each pass" })).toEqual([]);
});

test("a seed repeats its run, byte for byte", async () => {
  for (const seed of [7, 25, 40]) {
    const [one, other] = [planOf(seed), planOf(seed)];
    expect(story(one, await run(one))).toBe(story(other, await run(other)));
  }
});
