/** One plan played to its end: the workflow has to end, whatever happened to it. */

import { claimsLeftOf, openRun } from "../../../src/core/engine/index.js";
import type { NodeStatus } from "../../../src/core/model/argo/node.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";
import { resume, set } from "../../../src/core/operations/index.js";
import { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import { acts, outputsBy, tidy } from "./acts.js";
import { Game, type Open } from "./game.js";
import type { EnginePlan } from "./plan.js";
import { ended, running } from "./statuses.js";

/** Backoffs, suspends and refusals take some until there is another node; what takes more never ends. */
const ROUNDS_MAX = 600;
/** Retries inside one another take some; what makes more never ends. */
const NODES_MAX = 20_000;

export function play(plan: EnginePlan, open: Open = openRun): Game {
  const game = new Game(plan, open);
  try {
    game.tell([{ kind: "observed" }]);
    for (const { act, seed } of plan.acts) {
      if (game.isBroken) return game;
      const chance = new SeededChance(seed);
      acts[act](game, chance);
      if (chance.below(3) > 0) game.turn(chance);
    }
    finish(game, new SeededChance(plan.seed).fork("finish"));
  } catch (error) {
    game.fail("throws", error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  return game;
}

/** From here on all goes its way. */
function finish(game: Game, chance: SeededChance): void {
  game.history.add("user", () => "from here on all goes its way");
  let count = 0;
  for (let round = 0; round < ROUNDS_MAX && count < NODES_MAX && !game.isBroken; round++) {
    game.calmTurn();
    if (game.nodes().length > count) round = 0;
    count = game.nodes().length;
    if (isAtRest(game)) {
      stayAtRest(game);
      return;
    }
    tidy(game);
    endPods(game, chance);
    if (game.outside.isSilent) passTime(game);
  }
  if (!game.isBroken) game.fail("rest", `it never ends: ${unrest(game)}`);
}

function isAtRest(game: Game): boolean {
  return game.hasEnded && game.outside.isSilent && claimsLeftOf(game.workflow).length === 0;
}

function stayAtRest(game: Game): void {
  game.now += 3_600_000;
  game.tell([]);
}

/** A daemon is up until its node is settled. */
function endPods(game: Game, chance: SeededChance): void {
  const { outside, now } = game;
  for (const id of outside.alive()) {
    const pod = outside.pod(id);
    if (pod?.metadata.annotations?.["tiphys.dev/daemon"] === "true") {
      if (!isReady(pod)) outside.show(id, running(now));
      continue;
    }
    outside.report(id, outputsBy(chance), "completed");
    outside.show(id, ended(now, chance.below(4) === 0 ? 1 : 0));
  }
}

function isReady({ status }: Pod): boolean {
  return status?.containerStatuses?.every(({ ready }) => ready) === true;
}

/** Nothing is left to be told: people answer what waits for them, or it is only a matter of time. */
function passTime(game: Game): void {
  const { workflow, now } = game;
  const waiting = game.nodes().find(({ type, phase }) => type === "Suspend" && phase === "Running");
  if (waiting !== undefined || workflow.spec.suspend === true) {
    const resumed = resume(workflow, { now });
    if (resumed.ok) game.replace(resumed.value, "resume");
    else if (waiting !== undefined) giveUp(game, waiting);
    return;
  }
  game.now = Math.max(now + 1, game.wakeAt ?? 0);
  game.tell([]);
}

/** It needs a value that nobody has. */
function giveUp(game: Game, { id }: NodeStatus): void {
  const change = { phase: "Failed", message: "nobody knows" } as const;
  const failed = set(game.workflow, { nodeFieldSelector: `id=${id}`, change, now: game.now });
  if (failed.ok) game.replace(failed.value, "set Failed");
}

function unrest(game: Game): string {
  const open = game.nodes().filter(({ phase }) => phase === "Pending" || phase === "Running");
  return [game.workflow.status?.phase ?? "", ...open.map(({ name, phase }) => `${name} ${phase}`)].join(", ");
}
