/** Runs in which the controller dies again and again: most of what it does follows a start. */

import { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import type { Fault } from "../faults/fault.js";
import { planOf } from "../generate/plan.js";
import type { Plan } from "../run.js";

const CRASHES = 12;

export function restlessPlanOf(seed: number): Plan {
  const plan = planOf(seed);
  const chance = new SeededChance(seed).fork("restless");
  const crashes = Array.from({ length: CRASHES }, (_, index): Fault => {
    const ms = 300 * index + chance.below(300);
    return { at: "time", ms, act: { kind: "crash", role: "controller", downMs: 1 + chance.below(20) } };
  });
  return { ...plan, faults: [...plan.faults, ...crashes] };
}
