/** Two cleaners and one pod: whoever comes second finds it done (lessons A.0). */

import { expect, test } from "vitest";
import { OpenRuns } from "../../../src/controller/open-runs.js";
import { podPass } from "../../../src/controller/pods/loop.js";
import { Signalled } from "../../../src/controller/pods/signalled.js";
import { labels } from "../../../src/core/model/argo/names.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";
import type { Client } from "../../../src/kube/client.js";
import { ApiError } from "../../../src/kube/errors.js";
import { pod as template, workflow } from "../generate/builder.js";
import { isHeld, type Stage, scene } from "./scene.js";

const FOREIGN = "foreign.example/hold";
const one = workflow("wf", { entrypoint: "a", templates: [template("a", ["ms=1000"])] });

interface Told {
  freed: number;
  codes: number[];
}

/** Both have read the pod before either writes it. */
async function twoCleaners(stage: Stage): Promise<Told> {
  const told: Told = { freed: 0, codes: [] };
  const seen = stage.pod();
  const client = stage.world.outside();
  let arrived = 0;
  let open: () => void = () => undefined;
  const barrier = new Promise<void>((resolve) => {
    open = resolve;
  });
  const patch: Client["patch"] = async (type, key, change, options) => {
    if (++arrived === 2) open();
    await barrier;
    try {
      const done = await client.patch<Pod>(type, key, change, options);
      told.freed++;
      return done as never;
    } catch (error) {
      if (error instanceof ApiError) told.codes.push(error.code);
      throw error;
    }
  };
  const caches = {
    pod: () => seen,
    workflow: () => stage.workflow(),
    isCurrent: () => true,
    podsOf: () => [],
    podsOfNode: () => [],
    taskResultsOf: () => [],
    taskResult: () => undefined,
    awaitView: () => undefined,
  };
  const ports = {
    client: { ...client, patch },
    clock: stage.world.clock,
    caches,
    runs: new OpenRuns(),
    podGCDelayMs: 5000,
    podsStayUntil: 0,
    again: () => undefined,
    tell: { hostLost: () => undefined, surplus: () => undefined },
  };
  const uid = seen.metadata.uid ?? "";
  await Promise.all([podPass(ports, new Signalled(), uid), podPass(ports, new Signalled(), uid)]);
  return told;
}

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
    const told = await twoCleaners(stage);
    expect(told).toEqual({ freed: 1, codes: [409] });
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
