/** Runs in which machines are lost, one after the other, while people delete pods: more of both than elsewhere. */

import { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import type { Fault } from "../faults/fault.js";
import type { Plan } from "../run.js";
import { electionPlanOf } from "./elections.js";
import { clusterFor, randomLoss } from "./faults.js";
import { planOf, usualLimits } from "./plan.js";

const ELECTION_ODDS = 6;

export function losingPlanOf(seed: number, podsMax = usualLimits.podsMax): Plan {
  const chance = new SeededChance(seed).fork("losing");
  // Some with two controllers, and hand-overs between them.
  const hasElection = chance.below(ELECTION_ODDS) === 0;
  const plan = hasElection ? electionPlanOf(seed, podsMax) : planOf(seed, { ...usualLimits, podsMax });
  const losses = Array.from({ length: 1 + chance.below(3) }, () => randomLoss(chance));
  const deletions = Array.from({ length: chance.below(4) }, () => deletion(chance));
  const faults = [...plan.faults, ...losses, ...deletions];
  return { ...plan, faults, ...clusterFor(faults) };
}

/** Also long after a machine has fallen silent. */
function deletion(chance: SeededChance): Fault {
  const ms = Math.floor(5 * 1.3 ** chance.below(44));
  const graceSeconds = chance.pick([undefined, undefined, 0, 2, 600]);
  return { at: "time", ms, act: { kind: "delete-pod", index: chance.below(50), graceSeconds } };
}
