/** From a seed to a run with two controllers: the one that leads stands still, dies, or is cut off, at any point. */

import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import type { CallFault, Fault } from "../faults/fault.js";
import type { Plan } from "../run.js";
import { clusterFor, randomFaults } from "./faults.js";
import { randomWorkflow } from "./workflows.js";

const controllers = ["controller-a", "controller-b"] as const;

export function electionPlanOf(seed: number, podsMax = 8): Plan {
  const chance = new SeededChance(seed).fork("election");
  const pods = 1 + chance.below(podsMax);
  const workflows = [freeing(chance, randomWorkflow(chance, "wf0", { pods }))];
  // Half of the runs have no other faults, so that what an election does is seen by itself.
  const others = chance.below(2) === 0 ? [] : randomFaults(chance, { controllers, pods });
  const hostile = Array.from({ length: 1 + chance.below(3) }, () => handOver(chance, pods));
  return {
    seed,
    workflows,
    faults: [...hostile, ...others],
    latencyMaxMs: chance.pick([0, 1, 20, 300]) ?? 0,
    survival: chance.below(2) === 0 ? "die" : "live on",
    controllers: 2,
    ...clusterFor(others),
  };
}

/** In half of the runs pods go as soon as they may: then a create that arrives late finds their names free. */
function freeing(chance: SeededChance, workflow: Workflow): Workflow {
  if (chance.below(2) === 0) return workflow;
  const podGC = { strategy: "OnPodCompletion", deleteDelayDuration: "0s" } as const;
  return { ...workflow, spec: { ...workflow.spec, podGC } };
}

/** Shorter than, about as long as, and far longer than a lease of 15 s. */
const pausesMs = [3000, 9000, 14_000, 17_000, 25_000, 60_000] as const;

function handOver(chance: SeededChance, pods: number): Fault {
  const role = pick(chance, controllers);
  const ms = pick(chance, pausesMs);
  const nth = 1 + chance.below(3 * pods + 4);
  switch (chance.below(8)) {
    case 0:
    case 1:
      // Stopped right before a request leaves: it goes out, or not, when the process goes on.
      return { at: "write", role, nth, fault: { kind: "pause", ms } };
    case 2:
      return { at: "read", role, nth: 1 + chance.below(pods + 6), fault: { kind: "pause", ms } };
    case 3:
    case 4:
      return { at: "write", role, nth, fault: lateWrite(chance) };
    case 5:
      return { at: "time", ms: moment(chance), act: cutOff(chance, role, ms) };
    default:
      return { at: "time", ms: moment(chance), act: stops(chance, role, ms) };
  }
}

/** Under way while another takes over: a lease, and what is left of it, is how long a request may be. */
function lateWrite(chance: SeededChance): CallFault {
  const kind = pick(chance, ["slow", "last-words"] as const);
  return { kind, ms: pick(chance, [2000, 17_000, 18_500, 19_500]) };
}

type TimedAct = Extract<Fault, { at: "time" }>["act"];

/** From the lease alone, or from the API altogether. */
function cutOff(chance: SeededChance, role: string, ms: number): TimedAct {
  if (chance.below(3) === 0)
    return { kind: "refuse-all", role, plural: "leases", code: pick(chance, [409, 500, 503]), ms };
  return { kind: "cut-off", role, commit: pick(chance, ["before", "after"]), ms };
}

function stops(chance: SeededChance, role: string, ms: number): TimedAct {
  switch (chance.below(3)) {
    case 0:
      return { kind: "crash", role, downMs: ms };
    case 1:
      return { kind: "jump-clock", role, ms: pick(chance, [-ms, ms]) };
    default:
      return { kind: "pause", role, ms };
  }
}

/** Leases are taken over in tens of seconds. */
function moment(chance: SeededChance): number {
  return Math.floor(5 * 1.33 ** chance.below(36));
}

function pick<T>(chance: SeededChance, items: readonly T[]): T {
  return items[chance.below(items.length)] as T;
}
