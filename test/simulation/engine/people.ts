/** What people do to the workflow, by the same functions as their commands. */

import type { NodeStatus } from "../../../src/core/model/argo/node.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import { type RetryOptions, resume, retry, set, stop, suspend, terminate } from "../../../src/core/operations/index.js";
import type { Result } from "../../../src/core/std/result.js";
import type { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import type { Game } from "./game.js";

type Act = (game: Game, chance: SeededChance) => void;

export const people = {
  stop: (game) => change(game, "stop", stop(game.workflow, { now: game.now })),
  terminate: (game) => change(game, "terminate", terminate(game.workflow)),
  suspend: (game) => change(game, "suspend", suspend(game.workflow)),
  resume: (game, chance) => {
    const nodeFieldSelector = chance.below(3) === 0 ? selectorBy(game, chance) : "";
    change(game, `resume ${nodeFieldSelector}`, resume(game.workflow, { now: game.now, nodeFieldSelector }));
  },
  set: (game, chance) => {
    const nodeFieldSelector = selectorBy(game, chance);
    const phase = chance.pick(["Succeeded", "Failed", "Error", "Skipped"] as const) ?? "Succeeded";
    const answer = { phase, message: "set", ...(chance.below(2) === 0 ? { outputParameters: { x: "given" } } : {}) };
    const changed = set(game.workflow, { nodeFieldSelector, change: answer, now: game.now });
    change(game, `set ${nodeFieldSelector} ${phase}`, changed);
  },
  retry: (game, chance) => again(game, retryOptionsBy(game, chance)),
  annotate: (game) => {
    const annotations = { ...game.workflow.metadata.annotations, "foreign.example/note": String(game.now) };
    game.edit({ ...game.workflow, metadata: { ...game.workflow.metadata, annotations } }, "annotate");
  },
} satisfies Readonly<Record<string, Act>>;

/** Where the status is changed as well, whoever had the workflow open opens it anew. */
function change(game: Game, what: string, next: Result<Workflow, string>): void {
  if (!next.ok) return;
  const { nodes: before = {} } = game.workflow.status ?? {};
  const { nodes: after = {} } = next.value.status ?? {};
  const isForeign = Object.entries(after).some(([id, node]) => before[id] !== node);
  if (isForeign) game.replace(next.value, what);
  else game.edit(next.value, what);
}

function again(game: Game, options: RetryOptions): void {
  const next = retry(game.workflow, options);
  if (!next.ok) return;
  const { workflow, deletedNodes } = next.value;
  // Their pods are deleted; some take their time.
  for (const { id } of deletedNodes) if (id.charCodeAt(id.length - 1) % 3 > 0) game.outside.remove(id);
  game.replace(workflow, `retry ${JSON.stringify(options)}`);
}

function retryOptionsBy(game: Game, chance: SeededChance): RetryOptions {
  const { now } = game;
  return {
    now,
    ...(chance.below(3) === 0 && { restartSuccessful: true, nodeFieldSelector: selectorBy(game, chance) }),
    ...(chance.below(4) === 0 && { parameters: [{ name: "p", value: "again" }] }),
  };
}

function selectorBy(game: Game, chance: SeededChance): string {
  const node: NodeStatus | undefined = chance.pick(game.nodes());
  if (node === undefined) return "phase=Running";
  const { id, phase, templateName = "" } = node;
  return chance.pick([`id=${id}`, `phase=${phase}`, `templateName=${templateName}`, "phase=Running"]) ?? "";
}
