/** Finds the smallest workflow, and the fewest acts, that still break the same promise of the engine. */

import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import { cuts, kindOf, type Shrunk, smallest, without } from "../shrink.js";
import type { Game } from "./game.js";
import type { EnginePlan } from "./plan.js";
import { play } from "./play.js";

const TRIES_MAX = 3000;

/** `result` is what `plan` came to, with something broken. */
export function shrinkEngine(plan: EnginePlan, result: Game): Promise<Shrunk<EnginePlan, Game>> {
  return smallest({ plan, result }, { smaller, broken, triesMax: TRIES_MAX });
}

async function broken(plan: EnginePlan, like: Game): Promise<Game | undefined> {
  if (mayNeverEnd(plan)) return undefined;
  const game = play(plan);
  return kindOf(game) === kindOf(like) ? game : undefined;
}

/** A retry without a limit goes on for as long as there are failures. */
function mayNeverEnd({ workflow }: EnginePlan): boolean {
  const { retryStrategy, templates = [] } = workflow.spec;
  const strategies = [retryStrategy, ...templates.map((template) => template.retryStrategy)];
  return strategies.some((strategy) => strategy !== undefined && strategy.limit === undefined);
}

function* smaller(plan: EnginePlan): Generator<EnginePlan> {
  const { acts, workflow } = plan;
  for (let size = acts.length; size > 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < acts.length; from += size)
      yield { ...plan, acts: [...acts.slice(0, from), ...acts.slice(from + size)] };
  }
  for (const index of acts.keys()) yield { ...plan, acts: without(acts, index) };
  for (const spec of cuts(workflow.spec)) yield { ...plan, workflow: { ...workflow, spec: spec as Workflow["spec"] } };
}
