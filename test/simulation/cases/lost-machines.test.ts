/** Random runs in which the machine is silent for minutes while people delete pods: no promise is broken. */

import { expect, test } from "vitest";
import { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import type { Fault } from "../faults/fault.js";
import { planOf } from "../generate/plan.js";
import { type Plan, run } from "../run.js";

const SEEDS = 60;

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

test("machines that fall silent, pods that are deleted on them: nodes are lost, and nothing else is", async () => {
  let lost = 0;
  const broken: string[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const result = await run({ ...silentPlanOf(seed), engineCheck: seed % 3 === 0 ? "each pass" : "off" });
    if (result.world.history.print().includes("node lost")) lost++;
    for (const { invariant, message } of result.broken) broken.push(`seed ${seed}: ${invariant}: ${message}`);
  }
  expect(broken).toEqual([]);
  expect(lost).toBeGreaterThan(0);
});
