/** Random runs in which machines are silent for minutes or for good while people delete pods: no promise is broken. */

import { expect, test } from "vitest";
import { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import type { Fault } from "../faults/fault.js";
import { losingPlanOf } from "../generate/losing.js";
import { planOf } from "../generate/plan.js";
import { type Plan, run } from "../run.js";

/** The only machine, whose kubelet is gone for minutes. */
function silentPlanOf(seed: number): Plan {
  const plan = planOf(seed);
  const chance = new SeededChance(seed).fork("silent machine");
  const deletion = (ms: number, graceSeconds: number | undefined): Fault => {
    return { at: "time", ms, act: { kind: "delete-pod", index: chance.below(5), graceSeconds } };
  };
  const downMs = 60_000 + chance.below(200_000);
  const faults: readonly Fault[] = [
    { at: "time", ms: chance.below(3000), act: { kind: "crash", role: "kubelet", downMs } },
    deletion(200 + chance.below(4000), chance.below(2) === 0 ? undefined : 5),
    deletion(200 + chance.below(60_000), undefined),
  ];
  return { ...plan, faults: [...plan.faults, ...faults], controller: { hosts: "leased" } };
}

test.each([
  { what: "the only machine falls silent", make: silentPlanOf, seeds: 60 },
  { what: "machines are lost, and others come", make: losingPlanOf, seeds: 120 },
])("$what, pods are deleted on it: nodes are lost, and nothing else is", async ({ make, seeds }) => {
  let lost = 0;
  const broken: string[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    const result = await run({ ...make(seed), engineCheck: seed % 3 === 0 ? "each pass" : "off" });
    if (result.world.history.print().includes("node lost")) lost++;
    for (const { invariant, message } of result.broken) broken.push(`seed ${seed}: ${invariant}: ${message}`);
  }
  expect(broken).toEqual([]);
  expect(lost).toBeGreaterThan(seeds / 20);
});
