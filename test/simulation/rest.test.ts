/** When a world counts as being at rest: too early would break runs that are right, too late would hide some that are not. */

import { expect, test } from "vitest";
import { losingPlanOf } from "./generate/losing.js";
import { unrest } from "./invariants/rest.js";
import { run } from "./run.js";
import { World } from "./world/world.js";

test("who stands still, or a kubelet that is down, is waited for; a controller that is down has nothing to do", async () => {
  const world = new World({});
  await world.start();
  try {
    await world.pass(100);
    expect(unrest(world)).toEqual([]);
    world.pause("controller", 1000);
    world.pause("kubelet", 2000);
    expect(unrest(world)).toEqual(["kubelet stands still", "controller stands still"]);
    await world.pass(3000);
    expect(unrest(world)).toEqual([]);
    world.crash("kubelet", 1000);
    world.crash("controller", 3000);
    expect(unrest(world)).toEqual(["the kubelet is down"]);
    await world.pass(2000);
    expect(unrest(world)).toEqual([]);
  } finally {
    world.stop();
  }
});

test("an executor that still reports for a pod that is gone, once its machine is back, is waited for", async () => {
  expect((await run(losingPlanOf(9002877))).broken).toEqual([]);
});

test("a machine that comes back while another has taken its place has its kubelet to itself", async () => {
  expect((await run(losingPlanOf(9307590))).broken).toEqual([]);
});

test("what is planned for later than faults go on by themselves comes before all has to be quiet", async () => {
  expect((await run(losingPlanOf(9311034))).broken).toEqual([]);
});
