/** Runs in which failed workflows are retried at every turn, over a slow network: names are used again all the time. */

import { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import type { Fault } from "../faults/fault.js";
import { pod as template, workflow } from "../generate/builder.js";
import { planOf } from "../generate/plan.js";
import type { Plan } from "../run.js";

const RETRIES = 40;

export function impatientPlanOf(seed: number): Plan {
  const plan = planOf(seed);
  const chance = new SeededChance(seed).fork("impatient");
  const failing = workflow("wf0", {
    entrypoint: "main",
    // The first pod is freed when it has ended, and labelled when the workflow has failed: two writes.
    podGC: { strategy: "OnWorkflowSuccess" },
    templates: [
      {
        name: "main",
        steps: [
          [
            { name: "early", template: "early" },
            { name: "late", template: "late" },
          ],
        ],
      },
      template("early", ["ms=20", "exit=1"]),
      template("late", [`ms=${50 + chance.below(300)}`, "exit=1"]),
    ],
  });
  const retries = Array.from({ length: RETRIES }, (_, index): Fault => {
    const ms = index * 100 + chance.below(100);
    return { at: "time", ms, act: { kind: "workflow", index: 0, operation: "retry" } };
  });
  const slow = Array.from({ length: 20 }, (_, index): Fault => {
    return { at: "write", role: "controller", nth: 4 * index + chance.below(4), fault: { kind: "slow", ms: 150 } };
  });
  return { ...plan, workflows: [failing], faults: [...retries, ...slow], latencyMaxMs: 5, controllers: 1 };
}
