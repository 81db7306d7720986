/** From a seed to a whole run. */

import { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import type { Plan } from "../run.js";
import { clusterFor, randomFaults } from "./faults.js";
import { randomWorkflow } from "./workflows.js";

export interface PlanLimits {
  /** Pods of one workflow, about. */
  readonly podsMax: number;
  readonly elections: "never" | "sometimes";
}

export const usualLimits: PlanLimits = { podsMax: 10, elections: "never" };

const BIG_ODDS = 400;

export function planOf(seed: number, limits: PlanLimits = usualLimits): Plan {
  const chance = new SeededChance(seed).fork("plan");
  const count = chance.below(6) === 0 ? 2 : 1;
  // Now and then one with hundreds of nodes.
  const pods = 1 + (chance.below(BIG_ODDS) === 0 ? 60 + chance.below(90) : chance.below(limits.podsMax));
  const workflows = Array.from({ length: count }, (_, index) => randomWorkflow(chance, `wf${index}`, { pods }));
  const controllers = limits.elections === "sometimes" && chance.below(8) === 0 ? 2 : 1;
  const roles = controllers === 1 ? ["controller"] : ["controller-a", "controller-b"];
  const faults = randomFaults(chance, { controllers: roles, pods: pods * count });
  return {
    seed,
    workflows,
    faults,
    latencyMaxMs: chance.pick([0, 1, 3, 20]) ?? 0,
    survival: chance.below(2) === 0 ? "die" : "live on",
    controllers,
    binding: seed % 2 === 0 ? "controller" : "kubelet",
    ...clusterFor(faults),
  };
}
