/** Looks for the first seed that shows a mutant to be broken. */

import { planOf } from "../generate/plan.js";
import type { Broken } from "../invariants/watchdog.js";
import { run } from "../run.js";
import type { Mutant } from "../world/mutant.js";

export interface Found {
  readonly seed: number;
  readonly broken: Broken;
}

/** `blind`: invariants that are not looked at. Undefined: it survived. */
export async function findMutant(
  mutant: Mutant,
  seedsMax: number,
  blind: readonly string[] = [],
): Promise<Found | undefined> {
  for (let seed = 1; seed <= seedsMax; seed++) {
    const {
      broken: [broken],
    } = await run({ ...(mutant.planOf ?? planOf)(seed), mutant, blind });
    if (broken !== undefined) return { seed, broken };
  }
  return undefined;
}
