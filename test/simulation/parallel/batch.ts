/** Many seeds, one after the other: what came of them all. */

import { enginePlanOf } from "../engine/plan.js";
import { play } from "../engine/play.js";
import { electionPlanOf } from "../generate/elections.js";
import { losingPlanOf } from "../generate/losing.js";
import { planOf, usualLimits } from "../generate/plan.js";
import type { Broken } from "../invariants/watchdog.js";
import { type Plan, run } from "../run.js";

/** How seeds become runs. */
export interface PlayOptions {
  /** Pods of one workflow, about. */
  readonly podsMax: number;
  readonly engineCheck: "each pass" | "off";
  readonly plans: "usual" | "elections" | "losses" | "engine";
}

export const usualPlay: PlayOptions = { podsMax: usualLimits.podsMax, engineCheck: "off", plans: "usual" };

/** Seeds that follow one another. */
export interface Batch {
  readonly from: number;
  readonly count: number;
}

export interface BrokenSeed {
  readonly seed: number;
  readonly messages: readonly string[];
}

export interface Tally {
  readonly workflows: number;
  /** Of all of them, as far as they got. */
  readonly nodes: number;
  /** Faults that came about; of the engine alone: changes that it was told. */
  readonly faults: number;
  /** The same by kind. */
  readonly kinds: Readonly<Record<string, number>>;
  readonly broken: readonly BrokenSeed[];
}

export const noTally: Tally = { workflows: 0, nodes: 0, faults: 0, kinds: {}, broken: [] };

export function planFor(seed: number, { podsMax, engineCheck, plans }: PlayOptions): Plan {
  return { ...madePlan(seed, podsMax, plans), engineCheck };
}

function madePlan(seed: number, podsMax: number, plans: PlayOptions["plans"]): Plan {
  if (plans === "elections") return electionPlanOf(seed, podsMax);
  return plans === "losses" ? losingPlanOf(seed, podsMax) : planOf(seed, { ...usualLimits, podsMax });
}

export async function playBatch({ from, count }: Batch, options: PlayOptions): Promise<Tally> {
  let tally = noTally;
  for (let seed = from; seed < from + count; seed++) {
    tally = sumOf(tally, options.plans === "engine" ? engineTally(seed, options) : await worldTally(seed, options));
  }
  return tally;
}

async function worldTally(seed: number, options: PlayOptions): Promise<Tally> {
  const plan = planFor(seed, options);
  const { world, broken, faults, kinds } = await run(plan);
  const { nodes } = world.truth;
  return { workflows: plan.workflows.length, nodes, faults, kinds, broken: brokenOf(seed, broken) };
}

function engineTally(seed: number, { podsMax }: PlayOptions): Tally {
  const game = play(enginePlanOf(seed, podsMax));
  const { told, broken } = game;
  const changes = Object.values(told).reduce((sum, count) => sum + count, 0);
  return { workflows: 1, nodes: game.nodes().length, faults: changes, kinds: told, broken: brokenOf(seed, broken) };
}

function brokenOf(seed: number, broken: readonly Broken[]): readonly BrokenSeed[] {
  const messages = broken.map(({ invariant, message }) => `${invariant}: ${message}`);
  return messages.length === 0 ? [] : [{ seed, messages }];
}

export function sumOf(one: Tally, other: Tally): Tally {
  const kinds: Record<string, number> = { ...one.kinds };
  for (const [kind, count] of Object.entries(other.kinds)) kinds[kind] = (kinds[kind] ?? 0) + count;
  return {
    workflows: one.workflows + other.workflows,
    nodes: one.nodes + other.nodes,
    faults: one.faults + other.faults,
    kinds,
    broken: [...one.broken, ...other.broken],
  };
}

/** `12 workflows, 34 faults, 0 broken`: broken are runs, by their seeds. */
export function tallyText({ workflows, faults, broken }: Tally, what: "faults" | "changes" = "faults"): string {
  return `${workflows} workflows, ${faults} ${what}, ${broken.length} broken`;
}

/** What broke, one seed a line, with the number that repeats it. */
export function brokenText({ broken }: Tally): string {
  return broken.map(({ seed, messages }) => `seed ${seed}: ${messages.join("\n    ")}\n`).join("");
}

/** Each kind of fault with how often it came about, in the order of their names. */
export function kindsText({ kinds }: Tally): string {
  const names = Object.keys(kinds).sort();
  return names.map((name) => `${String(kinds[name] ?? 0).padStart(8)}  ${name}\n`).join("");
}
