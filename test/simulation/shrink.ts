/** Finds the smallest workflow and fault list that still breaks the same promise. */

import type { Workflow } from "../../src/core/model/argo/workflow.js";
import type { Broken } from "./invariants/watchdog.js";
import { type Plan, type RunResult, run } from "./run.js";

/** A shrink that takes longer helps nobody. */
const TRIES_MAX = 500;

export interface Shrunk<P, R> {
  readonly plan: P;
  readonly result: R;
}

export interface Shrinking<P, R> {
  /** Bold cuts first. */
  smaller(plan: P): Iterable<P>;
  /** Undefined when nothing is broken, or something else than in `like`. */
  broken(plan: P, like: R): Promise<R | undefined>;
  readonly triesMax: number;
}

/** `result` is what `plan` came to, with something broken. */
export function shrink(plan: Plan, result: RunResult): Promise<Shrunk<Plan, RunResult>> {
  return smallest({ plan, result }, { smaller, broken, triesMax: TRIES_MAX });
}

export async function smallest<P, R>(found: Shrunk<P, R>, shrinking: Shrinking<P, R>): Promise<Shrunk<P, R>> {
  const { triesMax } = shrinking;
  let best = found;
  let tries = 0;
  for (let isSmaller = true; isSmaller && tries < triesMax; ) {
    isSmaller = false;
    for (const candidate of shrinking.smaller(best.plan)) {
      if (++tries > triesMax) break;
      const attempt = await shrinking.broken(candidate, best.result);
      if (attempt === undefined) continue;
      best = { plan: candidate, result: attempt };
      isSmaller = true;
      break;
    }
  }
  return best;
}

async function broken(plan: Plan, like: RunResult): Promise<RunResult | undefined> {
  const result = await run(plan).catch(() => undefined);
  return result !== undefined && kindOf(result) === kindOf(like) ? result : undefined;
}

/** What was broken, without names and numbers: a shrunk run must fail for the same reason. */
export function kindOf({ broken: [first] }: { readonly broken: readonly Broken[] }): string {
  if (first === undefined) return "";
  return `${first.invariant} ${first.message.replace(/\S*\d\S*/g, "#").slice(0, 80)}`;
}

function* smaller(plan: Plan): Generator<Plan> {
  yield* withoutFaults(plan);
  if (plan.workflows.length > 1)
    for (const index of plan.workflows.keys()) yield { ...plan, workflows: without(plan.workflows, index) };
  if (plan.latencyMaxMs !== 0) yield { ...plan, latencyMaxMs: 0 };
  if (plan.survival === "die") yield { ...plan, survival: "live on" };
  for (const [index, workflow] of plan.workflows.entries()) {
    for (const spec of cuts(workflow.spec)) {
      const cut = { ...workflow, spec: spec as Workflow["spec"] };
      yield { ...plan, workflows: plan.workflows.map((one, at) => (at === index ? cut : one)) };
    }
  }
}

function* withoutFaults(plan: Plan): Generator<Plan> {
  const { faults } = plan;
  if (faults.length > 2) yield { ...plan, faults: [] };
  for (const index of faults.keys()) yield { ...plan, faults: without(faults, index) };
}

export function without<T>(items: readonly T[], index: number): readonly T[] {
  return items.filter((_, at) => at !== index);
}

/** The value with one member or item less, at any depth; near the top first. */
export function cuts(value: unknown): Iterable<unknown> {
  if (Array.isArray(value)) return listCuts(value);
  return typeof value === "object" && value !== null ? mapCuts(value) : [];
}

function* listCuts(items: readonly unknown[]): Generator<unknown> {
  if (items.length > 1) for (const index of items.keys()) yield without(items, index);
  for (const [index, item] of items.entries()) {
    for (const cut of cuts(item)) yield items.map((one, at) => (at === index ? cut : one));
  }
}

function* mapCuts(map: object): Generator<unknown> {
  const members = Object.entries(map);
  for (const [name] of members) yield Object.fromEntries(members.filter(([key]) => key !== name));
  for (const [name, member] of members) for (const cut of cuts(member)) yield { ...map, [name]: cut };
}
