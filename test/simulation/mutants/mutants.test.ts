/**
 * The simulator must be able to fail: each mutant is found, within so many seeds. All but one are looked for by what
 * they do, with I2 (which sees a missing precondition in the write itself) not looked at.
 */

import { expect, test } from "vitest";
import { mutants } from "./all.js";
import { findMutant } from "./find.js";

const SEEDS_MAX = 2000;

test.each(mutants.map((mutant) => [mutant.name, mutant] as const))("%s", async (name, mutant) => {
  const found = await findMutant(mutant, SEEDS_MAX, mutant.seenBy === "I2" ? [] : ["I2"]);
  expect(found, `${name} survived ${SEEDS_MAX} seeds`).toBeDefined();
  console.log(`${name}: seed ${found?.seed}, ${found?.broken.invariant}: ${found?.broken.message}`);
});
