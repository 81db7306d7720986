/** One run: a plan is played to its end, and then the world has to come to rest. */

import type { Workflow } from "../../src/core/model/argo/workflow.js";
import { pods, workflows } from "../../src/core/model/resources.js";
import { keyOf } from "../../src/kube/key.js";
import { act } from "./faults/acts.js";
import type { Fault } from "./faults/fault.js";
import { operate } from "./faults/operations.js";
import { held, isAtRest, unrest } from "./invariants/rest.js";
import { othersAreServed } from "./invariants/served.js";
import type { Broken } from "./invariants/watchdog.js";
import { World, type WorldOptions } from "./world/world.js";

export interface Plan extends Partial<Omit<WorldOptions, "faults" | "seed">> {
  readonly seed: number;
  readonly workflows: readonly Workflow[];
  readonly faults: readonly Fault[];
}

export interface RunResult {
  readonly world: World;
  readonly broken: readonly Broken[];
  /** Faults that came about. */
  readonly faults: number;
  /** The same by kind. */
  readonly kinds: Readonly<Record<string, number>>;
}

/** How long faults go on at most, but for acts that are planned for later. */
const STORM_MS = 120_000;
/** From the end of the last fault to rest: backoffs of a minute, watches that are found idle after minutes. */
export const REST_MAX_MS = 3_600_000;
/** How long nothing more may be written. */
const QUIET_MS = 600_000;
export const HELP_EVERY_MS = 60_000;

export async function run(plan: Plan): Promise<RunResult> {
  const { workflows: submitted, ...options } = plan;
  const world = new World(options);
  const acts = plan.faults.filter((fault) => fault.at === "time");
  let actsLeft = acts.length;
  await world.start();
  for (const { ms, act: what } of acts) {
    world.clock.after(ms, () => {
      actsLeft--;
      void act(world, what);
    });
  }
  for (const workflow of submitted) await world.submit(workflow);
  // None of them may come once all is quiet.
  const stormMs = Math.max(STORM_MS, ...acts.map(({ ms }) => ms));
  await world.runUntil(() => actsLeft === 0 && isAtRest(world), stormMs);
  await finish(world);
  await othersAreServed(world);
  world.stop();
  const { kinds } = world.weather;
  const faults = Object.values(kinds).reduce((sum, count) => sum + count, 0);
  return { world, broken: world.watchdog.broken, faults, kinds };
}

/** The end of every run: the faults are over, the world comes to rest, and nothing more is written. */
export async function finish(world: World): Promise<void> {
  await calm(world);
  await comeToRest(world);
  await stayQuiet(world);
}

/** The faults are over: what others hold is let go, and everything runs. */
async function calm(world: World): Promise<void> {
  if (world.watchdog.broken.length > 0) return;
  world.history.add("world", () => "the faults are over");
  world.weather.clear();
  await world.runUntil(() => world.api.isUp, STORM_MS);
}

async function comeToRest(world: World): Promise<void> {
  for (let passedMs = 0; passedMs < REST_MAX_MS && world.watchdog.broken.length === 0; passedMs += HELP_EVERY_MS) {
    await help(world);
    if (await world.runUntil(() => isAtRest(world), HELP_EVERY_MS)) return;
  }
  if (world.watchdog.broken.length === 0) world.watchdog.fail("I3", `no rest: ${unrest(world).join("; ")}`);
}

/** What only people can do: resume what is suspended, take foreign finalizers off. */
export async function help(world: World): Promise<void> {
  for (const index of world.truth.workflows().keys()) await resumeSuspended(world, index).catch(() => undefined);
  for (const type of [pods, workflows]) {
    const objects = type === pods ? world.truth.pods() : world.truth.workflows();
    for (const object of objects) {
      const finalizers = object.metadata.finalizers ?? [];
      const ours = finalizers.filter((one) => !one.startsWith("foreign.example/"));
      if (ours.length === finalizers.length) continue;
      const body = { metadata: { resourceVersion: object.metadata.resourceVersion ?? "", finalizers: ours } };
      await world
        .outside()
        .patch(type, keyOf(object), { type: "merge", body })
        .catch(() => undefined);
    }
  }
}

async function resumeSuspended(world: World, index: number): Promise<void> {
  const { spec, status } = world.workflowAt(index) ?? {};
  const waits = Object.values(status?.nodes ?? {}).some(({ type, phase }) => type === "Suspend" && phase === "Running");
  // Of any other, a resume would change nothing.
  if (waits || spec?.suspend !== undefined) await operate(world, index, "resume");
}

export async function stayQuiet(world: World): Promise<void> {
  if (world.watchdog.broken.length > 0) return;
  // The last answers are under way; soon after a takeover pods stay for as long as a lease.
  await world.pass(world.options.controllers === 2 ? 60_000 : 5_000);
  const writes = world.writes;
  // Leases are renewed all the time: that would be most of what there is to simulate.
  await world.pass(world.options.controllers === 2 ? QUIET_MS / 4 : QUIET_MS);
  if (world.writes > writes) world.watchdog.fail("quiet", `${world.writes - writes} writes at rest`);
  for (const message of held(world)) world.watchdog.fail("I9", message);
}
