/** I10: nonsense that lies there stops nobody: what is submitted beside it is served as ever. */

import { namespaces, workflows } from "../../../src/core/model/resources.js";
import { pod, workflow } from "../generate/builder.js";
import type { World } from "../world/world.js";

const NAME = "beside";
const beside = workflow(NAME, {
  entrypoint: "work",
  podGC: { strategy: "OnPodCompletion", deleteDelayDuration: "0s" },
  templates: [pod("work", ["ms=100"])],
});

/** In a world at rest this takes less than a second; but clocks may stand minutes apart, and podGC goes by both. */
const SERVED_MS = 3_600_000;
/** Faults that leave something malformed behind. */
const MALFORMED = /malformed|nonsense|\bstray\b|\bmark-result\b/;

/** Of a world at rest, which is so again afterwards. */
export async function othersAreServed(world: World): Promise<void> {
  if (world.watchdog.broken.length > 0 || !Object.keys(world.weather.kinds).some((kind) => MALFORMED.test(kind)))
    return;
  if (!(await hasNamespace(world))) return;
  await world.submit(beside);
  if (!(await world.runUntil(() => isServed(world), SERVED_MS)))
    world.watchdog.fail("I10", `a workflow beside malformed objects is ${phaseOf(world)} after ${SERVED_MS} ms`);
  await world.outside().delete(workflows, { namespace: "default", name: NAME }, { propagationPolicy: "Background" });
  await world.runUntil(() => phaseOf(world) === undefined, SERVED_MS);
}

function phaseOf(world: World): string | undefined {
  const one = world.truth.workflows().find(({ metadata }) => metadata.name === NAME);
  return one && (one.status?.phase ?? "new");
}

function isServed(world: World): boolean {
  const isThere = world.truth.pods().some(({ metadata }) => metadata.name === NAME);
  return phaseOf(world) === "Succeeded" && !isThere;
}

/** A fault may have taken it away, and all that was in it. */
async function hasNamespace(world: World): Promise<boolean> {
  const { items } = await world.outside().list(namespaces);
  return items.some(({ metadata }) => metadata.name === "default");
}
