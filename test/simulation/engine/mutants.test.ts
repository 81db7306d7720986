/** The game must be able to fail: each broken engine is found, within so many seeds. */

import { expect, test } from "vitest";
import type { Broken } from "../invariants/watchdog.js";
import { type EngineMutant, engineMutants } from "./mutants.js";
import { enginePlanOf } from "./plan.js";
import { play } from "./play.js";

const SEEDS_MAX = 40;

interface Found {
  readonly seed: number;
  readonly broken: Broken;
}

function find({ open }: EngineMutant): Found | undefined {
  for (let seed = 1; seed <= SEEDS_MAX; seed++) {
    const [broken] = play(enginePlanOf(seed), open).broken;
    if (broken !== undefined) return { seed, broken };
  }
  return undefined;
}

test.each(engineMutants.map((mutant) => [mutant.name, mutant] as const))("%s", (name, mutant) => {
  const found = find(mutant);
  expect(found, `${name} survived ${SEEDS_MAX} seeds`).toBeDefined();
  console.log(`${name}: seed ${found?.seed}, ${found?.broken.invariant}: ${found?.broken.message}`);
});
