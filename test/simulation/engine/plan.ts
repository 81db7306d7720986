/** From a seed to one workflow and what happens to it: data, so that a run is repeated from it, and made smaller. */

import type { EngineOptions } from "../../../src/core/engine/index.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import { planOf, usualLimits } from "../generate/plan.js";
import { type ActName, usualActs } from "./acts.js";
import { meaner } from "./meaner.js";

export interface EnginePlan {
  readonly seed: number;
  readonly workflow: Workflow;
  readonly acts: readonly PlannedAct[];
  readonly options: Pick<EngineOptions, "podRestartsMax" | "disruption">;
}

export interface PlannedAct {
  readonly act: ActName;
  /** Of all that is left to chance in it, so that leaving out one act does not change another. */
  readonly seed: number;
}

const ACTS_MAX = 60;

export function enginePlanOf(seed: number, podsMax = usualLimits.podsMax): EnginePlan {
  const chance = new SeededChance(seed).fork("engine");
  const [workflow] = planOf(seed, { ...usualLimits, podsMax }).workflows;
  if (workflow === undefined) throw new Error(`seed ${seed} plans no workflow`);
  const acts = Array.from({ length: 5 + chance.below(ACTS_MAX) }, (_, index) => ({
    act: usualActs[chance.below(usualActs.length)] ?? "turn",
    seed: seed * 1000 + index,
  }));
  return {
    seed,
    workflow: meaner(chance, workflow),
    acts,
    options: {
      podRestartsMax: chance.below(3),
      disruption: chance.below(2) === 0 ? "Failed" : "Error",
    },
  };
}
