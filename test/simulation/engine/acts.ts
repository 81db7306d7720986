/** What may happen between two decisions: to pods, by people, to the process, and time. */

import type { NodeId } from "../../../src/core/model/argo/node.js";
import type { Outputs } from "../../../src/core/model/argo/template.js";
import type { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import type { Game } from "./game.js";
import { generationOf, isOver, type Report } from "./outside.js";
import { people } from "./people.js";
import { ended, evicted, reporting, running, unready, unschedulable, waiting } from "./statuses.js";

type Act = (game: Game, chance: SeededChance) => void;

const onPods = {
  run: (game, chance) => onAlive(game, chance, (id) => game.outside.show(id, running(game.now))),
  "be unready": (game, chance) => onAlive(game, chance, (id) => game.outside.show(id, unready(game.now))),
  wait: (game, chance) =>
    onAlive(game, chance, (id) => {
      if (game.outside.pod(id)?.status?.phase !== "Running")
        game.outside.show(id, chance.below(2) === 0 ? waiting : unschedulable);
    }),
  end: (game, chance) => onAlive(game, chance, (id) => end(game, id, chance)),
  report: (game, chance) =>
    onAlive(game, chance, (id) => {
      const pod = game.outside.pod(id);
      if (pod !== undefined && pod.spec.containers.length > 1)
        game.outside.show(id, reporting(game.now, chance.below(2), pod.spec));
    }),
  evict: (game, chance) => onAlive(game, chance, (id) => game.outside.show(id, evicted())),
  go: (game, chance) => onAlive(game, chance, (id) => game.outside.terminating(id)),
  "lose host": (game, chance) => onAlive(game, chance, (id) => game.outside.loseHost(id)),
  /** Someone takes it away by force. */
  vanish: (game, chance) => onPod(game, chance, (id) => game.outside.remove(id)),
  "be told old": (game, chance) => onPod(game, chance, (id) => game.outside.tellOld(id, running(game.now))),
  tidy,
} satisfies Readonly<Record<string, Act>>;

const onProcess = {
  turn: () => undefined,
  reopen: (game) => game.reopen(),
  /** What was decided last is not saved: someone else wrote first. */
  lose: (game, chance) => {
    game.tell(game.outside.mail.take(chance), "lost");
    game.reopen();
  },
  "pass time": (game, chance) => {
    game.now += chance.below(4) === 0 ? 60_000 : chance.below(5000);
    game.tell([]);
  },
  wake: (game) => {
    game.now = Math.max(game.now, game.wakeAt ?? game.now);
    game.tell([]);
  },
} satisfies Readonly<Record<string, Act>>;

export const acts = { ...onPods, ...onProcess, ...people };

export type ActName = keyof typeof acts;

/** How often each comes, among the others. */
const weights: Readonly<Record<ActName, number>> = {
  run: 24,
  "be unready": 6,
  wait: 6,
  end: 72,
  report: 9,
  evict: 3,
  go: 3,
  "lose host": 3,
  vanish: 3,
  "be told old": 3,
  tidy: 18,
  turn: 18,
  reopen: 12,
  lose: 3,
  "pass time": 18,
  wake: 18,
  stop: 1,
  terminate: 1,
  suspend: 2,
  resume: 9,
  set: 6,
  retry: 9,
  annotate: 3,
};

export const usualActs: readonly ActName[] = (Object.keys(weights) as ActName[]).flatMap((name) =>
  Array.from({ length: weights[name] }, () => name),
);

function onAlive(game: Game, chance: SeededChance, act: (id: NodeId) => void): void {
  const id = chance.pick(game.outside.alive());
  if (id !== undefined) act(id);
}

function onPod(game: Game, chance: SeededChance, act: (id: NodeId) => void): void {
  const one = chance.pick(game.outside.pods());
  if (one !== undefined) act(one[0]);
}

const reports: readonly Report[] = ["completed", "completed", "completed", "completed", "cut short", "none"];

function end(game: Game, id: NodeId, chance: SeededChance): void {
  const exitCode = chance.below(3) === 0 ? 1 + chance.below(3) : 0;
  game.outside.report(id, outputsBy(chance), chance.pick(reports) ?? "completed");
  game.outside.show(id, ended(game.now, exitCode));
}

export function outputsBy(chance: SeededChance): Outputs {
  const result = chance.pick(["yes", "no", "3", "[1,2]", "[]"]) ?? "";
  return { result, parameters: [{ name: "x", value: "value" }] };
}

/** As the pods' loop does: what is at work for a settled node is ended, what has ended is let go. */
export function tidy(game: Game): void {
  const { outside } = game;
  for (const [id, pod] of outside.pods()) {
    const node = game.node(id);
    const isLeft = node === undefined || node.restartingPodUID === pod.metadata.uid || isOld(game, generationOf(pod));
    const isSettled = node !== undefined && node.phase !== "Pending" && node.phase !== "Running";
    if (isLeft || (isSettled && isOver(pod.status))) outside.remove(id);
    else if (isSettled) outside.show(id, ended(game.now, 143));
  }
}

function isOld({ workflow }: Game, generation: number): boolean {
  return generation < Number(workflow.metadata.annotations?.["tiphys.dev/retry-generation"] ?? 0);
}
