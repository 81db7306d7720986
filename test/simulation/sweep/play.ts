/** Plays a sample to its end and to rest, with a fault or without. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { typesByKind } from "../../../src/core/model/index.js";
import { act } from "../faults/acts.js";
import type { Fault } from "../faults/fault.js";
import { isAtRest, unrest } from "../invariants/rest.js";
import type { Broken } from "../invariants/watchdog.js";
import { HELP_EVERY_MS, help, REST_MAX_MS, stayQuiet } from "../run.js";
import type { Mutant } from "../world/mutant.js";
import { World } from "../world/world.js";
import { Ending } from "./ending.js";
import type { Sample } from "./sample.js";

export interface PlayOptions {
  readonly faults?: readonly Fault[];
  readonly staleBy?: number;
  readonly mutant?: Mutant;
  readonly engineCheck?: "each pass";
}

export interface Played {
  readonly world: World;
  readonly broken: readonly Broken[];
  readonly ending: Ending;
}

export async function play(sample: Sample, options: PlayOptions): Promise<Played> {
  if (sample.files === "none") return playIn(undefined, sample, options);
  const folder = await mkdtemp(join(tmpdir(), "tiphys-sweep-"));
  try {
    return await playIn(folder, sample, options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function playIn(folder: string | undefined, sample: Sample, options: PlayOptions): Promise<Played> {
  const { outcomeOf } = sample;
  const world = new World({
    ...options,
    latencyMaxMs: 1,
    ...(outcomeOf !== undefined && { outcomeOf }),
    ...(folder !== undefined && { folder }),
  });
  await world.start();
  for (const object of sample.others) {
    const metadata = { ...object.metadata, ...(isClusterWide(object.kind) ? {} : { namespace: "default" }) };
    await world.outside().create(typesByKind[object.kind], { ...object, metadata });
  }
  const ending = new Ending(world);
  await world.submit(sample.workflow);
  await comeToRest(world, ending, actsOn(world, sample));
  await stayQuiet(world);
  await ending.close();
  world.stop();
  return { world, broken: world.watchdog.broken, ending };
}

function isClusterWide(kind: keyof typeof typesByKind): boolean {
  return !typesByKind[kind].namespaced;
}

/** Answers whether all is done that people do to it. */
function actsOn(world: World, { acts }: Sample): () => boolean {
  let left = acts.length;
  for (const { ms, operation } of acts) {
    world.clock.after(ms, () => {
      void act(world, { kind: "workflow", index: 0, operation }).finally(() => left--);
    });
  }
  return () => left === 0;
}

/** What waits for a person is helped on. */
async function comeToRest(world: World, ending: Ending, isActed: () => boolean): Promise<void> {
  const isOver = (): boolean => {
    ending.look();
    return isActed() && isAtRest(world);
  };
  for (let passedMs = 0; passedMs < REST_MAX_MS && world.watchdog.broken.length === 0; passedMs += HELP_EVERY_MS) {
    if (await world.runUntil(isOver, HELP_EVERY_MS)) return;
    await help(world);
  }
  if (world.watchdog.broken.length === 0) world.watchdog.fail("I3", `no rest: ${unrest(world).join("; ")}`);
}
