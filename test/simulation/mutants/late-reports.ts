/** An engine that forgets, when a workflow is opened anew, which nodes were lost with their machine: that reports later. */

import { openRun } from "../../../src/core/engine/index.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import { isLostWithHost } from "../../../src/core/podlife/index.js";
import { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import type { Fault } from "../faults/fault.js";
import { pod as template, workflow } from "../generate/builder.js";
import { losingPlanOf } from "../generate/losing.js";
import type { Plan } from "../run.js";

/** The workflow goes on for long after one of its steps was lost, and is opened anew meanwhile. */
export function longPlanOf(seed: number): Plan {
  const plan = losingPlanOf(seed);
  const chance = new SeededChance(seed).fork("long");
  const steps = [
    [
      { name: "short", template: "short" },
      { name: "long", template: "long" },
    ],
  ];
  const long = workflow("wf0", {
    entrypoint: "main",
    templates: [
      { name: "main", steps },
      template("short", [`ms=${1000 + chance.below(60_000)}`]),
      template("long", ["ms=600000"]),
    ],
  });
  const crash: Fault = {
    at: "time",
    ms: 60_000 + chance.below(120_000),
    act: { kind: "crash", role: plan.controllers === 2 ? "controller-a" : "controller", downMs: 100 },
  };
  return { ...plan, workflows: [long], faults: [...plan.faults, crash] };
}

export const forgetfulOpen: typeof openRun = (of, options) => openRun(withoutLost(of), options);

function withoutLost(of: Workflow): Workflow {
  const all = Object.values(of.status?.nodes ?? {});
  if (!all.some(isLostWithHost)) return of;
  const nodes = all.map((node) => [node.id, isLostWithHost(node) ? { ...node, message: "Unknown" } : node] as const);
  return { ...of, status: { ...of.status, nodes: Object.fromEntries(nodes) } };
}
