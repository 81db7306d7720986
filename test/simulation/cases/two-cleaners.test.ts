/** Two cleaners and one pod: whoever comes second finds it done (lessons A.0). */

import { expect, test } from "vitest";
import { labels } from "../../../src/core/model/argo/names.js";
import { pod as template, workflow } from "../generate/builder.js";
import { twoCleaners } from "./cleaners.js";
import { isHeld, scene } from "./scene.js";

const FOREIGN = "foreign.example/hold";
const one = workflow("wf", { entrypoint: "a", templates: [template("a", ["ms=1000"])] });

test.each([
  ["alone", []],
  ["with a finalizer of someone else in front", [FOREIGN]],
] as const)("A-01 two cleaners of one pod, %s: one removal, no 422, the second finds it done", async (_, foreign) => {
  await scene({}, async (stage) => {
    const { world } = stage;
    await world.submit(one);
    await stage.running();
    if (foreign.length > 0) {
      const { finalizers = [] } = stage.pod().metadata;
      await stage.patchPod(stage.pod(), { finalizers: [...foreign, ...finalizers] });
    }
    // The real controller stands still, so that only these two clean.
    await stage.until("its outcome is saved", () => stage.node("wf")?.phase === "Succeeded" && isHeld(stage.pod()));
    world.pause("controller", 1000);
    const view = { owner: stage.workflow(), pod: stage.pod() };
    expect(await twoCleaners(view, world.outside())).toEqual([200, 409]);
    expect(stage.pod().metadata.finalizers ?? []).toEqual(foreign);
    expect(stage.pod().metadata.labels?.[labels.completed]).toBe("true");
  });
});

test("A-01 the workflow is deleted at the moment its pod is freed: one removal by ours, and nothing is refused", async () => {
  await scene({ latencyMaxMs: 3 }, async (stage) => {
    await stage.world.submit(one);
    await stage.running();
    await stage.until("its outcome is saved", () => stage.node("wf")?.phase === "Succeeded" && isHeld(stage.pod()));
    await stage.deleteWorkflow();
    await stage.until("the pod is gone", () => stage.pods().length === 0);
    expect(stage.freed()).toHaveLength(1);
    expect(stage.refusals.filter(({ code }) => code !== 409)).toEqual([]);
  });
});
