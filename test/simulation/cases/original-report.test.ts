/**
 * The trace of the report that began it all: containers are being terminated, the pod is deleted from outside, the
 * workflow's pass wants it labelled, the executor writes an annotation, and a foreign controller holds the pod, all
 * within some milliseconds, in a thousand orders.
 */

import { expect, test } from "vitest";
import { annotations, labels } from "../../../src/core/model/argo/names.js";
import { pods, type ResourceType } from "../../../src/core/model/resources.js";
import { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import { pod as template, workflow } from "../generate/builder.js";
import { glimpse, hasEnded, isHeld, type Stage } from "./scene.js";

const INTERLEAVINGS = 1000;
const FOREIGN = "foreign.example/hold";
const KEY = { namespace: "default", name: "wf" };
const PROGRESS = "3/7";

interface Told {
  readonly label: string | undefined;
  readonly finalizers: readonly string[];
  readonly progress: string | undefined;
  /** Writes of ours that changed the pod. */
  readonly patches: number;
  /** Of what was refused. */
  readonly codes: readonly number[];
  readonly nodePhase: string | undefined;
}

const right: Told = {
  label: "true",
  finalizers: [FOREIGN],
  progress: PROGRESS,
  patches: 1,
  codes: [],
  nodePhase: "Failed",
};

async function interleaving(seed: number): Promise<Told> {
  const chance = new SeededChance(seed).fork("original report");
  const words = ["ms=60000", `term-ms=${chance.below(40)}`];
  const one = workflow("wf", { entrypoint: "a", templates: [template("a", words)] });
  let told: Told | undefined;
  await glimpse({ seed, latencyMaxMs: chance.pick([0, 1, 3, 6, 12]) ?? 0 }, async (stage) => {
    await stage.world.submit(one);
    await stage.running();
    await stage.pass(300);
    await theStorm(stage, chance);
    await stage.until("the pod is freed", () => hasEnded(stage.phase()) && !isHeld(stage.pod()));
    await stage.pass(100);
    told = toldOf(stage);
  });
  return told ?? expect.fail("nothing was told");
}

/** Each at a moment of its own; the workflow's pass comes some milliseconds after the deletion. */
async function theStorm(stage: Stage, chance: SeededChance): Promise<void> {
  const { world } = stage;
  const outside = world.outside();
  const at = (ms: number, act: () => Promise<unknown>): void => void world.clock.after(ms, () => void act());
  const patch = (type: ResourceType, metadata: object): Promise<unknown> =>
    outside.patch(type, KEY, { type: "merge", body: { metadata } as never });
  await stage.operate("terminate");
  const deletedAt = 2 + chance.below(10);
  at(chance.below(deletedAt), () => {
    const { finalizers = [], resourceVersion, uid } = stage.pod().metadata;
    return patch(pods, { uid, resourceVersion, finalizers: [FOREIGN, ...finalizers] });
  });
  at(deletedAt, () => outside.delete(pods, KEY));
  at(chance.below(60), () => patch(pods, { annotations: { [annotations.progress]: PROGRESS } }));
  // Something else writes the workflow, so that its pass comes just then.
  at(deletedAt + 6, () => stage.operate("annotate"));
  await stage.pass(60);
}

function toldOf(stage: Stage): Told {
  const { metadata } = stage.pod();
  const ours = stage.writes.filter(
    ({ process, type, verb }) => process.role === "controller" && type === pods && verb === "patch",
  );
  const refused = stage.refusals.filter(({ write }) => write.process.role === "controller").map(({ code }) => code);
  return {
    label: metadata.labels?.[labels.completed],
    finalizers: metadata.finalizers ?? [],
    progress: metadata.annotations?.[annotations.progress],
    patches: ours.length,
    codes: refused.filter((code) => code !== 409),
    nodePhase: stage.node("wf")?.phase,
  };
}

test(`the trace of the original report, in ${INTERLEAVINGS} interleavings: one write of ours, and nothing of others lost`, async () => {
  const wrong: string[] = [];
  for (let seed = 1; seed <= INTERLEAVINGS; seed++) {
    const told = await interleaving(seed);
    if (JSON.stringify(told) !== JSON.stringify(right)) wrong.push(`seed ${seed}: ${JSON.stringify(told)}`);
  }
  expect(wrong).toEqual([]);
});

test("some of the interleavings are races: our write meets a conflict and is decided again", async () => {
  let conflicts = 0;
  for (let seed = 1; seed <= 200 && conflicts === 0; seed++) {
    const chance = new SeededChance(seed);
    await glimpse({ seed, latencyMaxMs: 12 }, async (stage) => {
      await stage.world.submit(
        workflow("wf", { entrypoint: "a", templates: [template("a", ["ms=60000", "term-ms=20"])] }),
      );
      await stage.running();
      await theStorm(stage, chance);
      await stage.until("the pod is freed", () => !isHeld(stage.pod()));
      conflicts += stage.refusals.filter(({ write, code }) => write.type === pods && code === 409).length;
    });
  }
  expect(conflicts).toBeGreaterThan(0);
});
