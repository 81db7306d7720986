/** podGC: every finished pod ends deleted or labelled, at its time, whatever happened in between. */

import { expect, test } from "vitest";
import { defaultOutcome } from "../../../src/cluster/kubelet/index.js";
import { labels } from "../../../src/core/model/argo/names.js";
import type { PodGC, Workflow } from "../../../src/core/model/argo/workflow.js";
import { pods, workflows } from "../../../src/core/model/resources.js";
import type { Script } from "../faults/script.js";
import { pod as template, workflow } from "../generate/builder.js";
import { hasEnded, isHeld, isRunning, scene } from "./scene.js";

function twoSteps(podGC: PodGC, second: readonly string[] = ["ms=500"]): Workflow {
  return workflow("wf", {
    entrypoint: "main",
    podGC,
    templates: [
      { name: "main", steps: [[{ name: "a", template: "a" }], [{ name: "b", template: "b" }]] },
      template("a", ["ms=500"]),
      template("b", second),
    ],
  });
}

test("A-14 OnWorkflowSuccess: run 1 fails, the retry succeeds, and pods of both runs are deleted", async () => {
  let isFixed = false;
  const failsOnce = twoSteps({ strategy: "OnWorkflowSuccess", deleteDelayDuration: "1s" });
  await scene(
    {
      outcomeOf: (pod) =>
        pod.metadata.name?.includes("-b-") === true && !isFixed ? { ...defaultOutcome, exitCode: 1 } : undefined,
    },
    async (stage) => {
      await stage.world.submit(failsOnce);
      await stage.ended();
      expect(stage.phase()).toBe("Failed");
      await stage.pass(60_000);
      expect(stage.pods().map(({ metadata }) => metadata.labels?.[labels.completed])).toEqual(["true", "true"]);
      isFixed = true;
      await stage.operate("retry");
      await stage.until("the retry has succeeded", () => stage.phase() === "Succeeded");
      await stage.until("no pod is left", () => stage.pods().length === 0, 10_000);
      expect(stage.startsOfMain()).toBe(3);
    },
  );
});

test("A-16 a selector that leaves pods out: they are labelled, and not deleted", async () => {
  const podGC = { strategy: "OnPodCompletion", labelSelector: { matchLabels: { x: "y" } } } as const;
  await scene({}, async (stage) => {
    await stage.world.submit(twoSteps(podGC));
    await stage.ended();
    await stage.pass(60_000);
    expect(stage.pods().map((pod) => [isHeld(pod), pod.metadata.labels?.[labels.completed]])).toEqual([
      [false, "true"],
      [false, "true"],
    ]);
  });
});

test("A-17 main has ended, its outputs are still on their way: the pod stays until they are saved", async () => {
  const script: Script = {
    call: ({ process, at }) =>
      process.role === "executor" && at === "write" ? { kind: "slow", ms: 20_000 } : undefined,
  };
  const saving = workflow("wf", {
    entrypoint: "a",
    podGC: { strategy: "OnPodSuccess", deleteDelayDuration: "0s" },
    templates: [
      template("a", ["ms=500", "out=/tmp/x:hello"], {
        outputs: { parameters: [{ name: "x", valueFrom: { path: "/tmp/x" } }] },
      }),
    ],
  });
  await scene({ script }, async (stage) => {
    await stage.world.submit(saving);
    await stage.running();
    await stage.pass(15_000);
    expect(stage.pods().map(isHeld)).toEqual([true]);
    await stage.until("the pod is gone", () => stage.pods().length === 0);
    expect(stage.node("wf")).toMatchObject({
      phase: "Succeeded",
      outputs: { parameters: [expect.objectContaining({ name: "x", value: "hello" })] },
    });
  });
});

test("A-18 a restart during the delay: the deletion comes when it was due", async () => {
  const one = workflow("wf", {
    entrypoint: "a",
    podGC: { strategy: "OnPodCompletion", deleteDelayDuration: "120s" },
    templates: [template("a", ["ms=1000"])],
  });
  await scene({}, async (stage) => {
    await stage.world.submit(one);
    await stage.ended();
    const endedAt = stage.now;
    await stage.pass(50_000);
    stage.world.crash("controller", 10_000);
    await stage.until("the pod is gone", () => stage.pods().length === 0);
    // Kubernetes tells times in whole seconds.
    expect(stage.now - endedAt).toBeGreaterThanOrEqual(119_000);
    expect(stage.now - endedAt).toBeLessThan(121_500);
  });
});

test("A-18 a retry uses the name again during the delay: the new pod is not deleted", async () => {
  const one = workflow("wf", {
    entrypoint: "a",
    podGC: { strategy: "OnPodCompletion", deleteDelayDuration: "60s" },
    templates: [template("a", ["ms=100000", "exit=1"])],
  });
  await scene({}, async (stage) => {
    await stage.world.submit(one);
    await stage.ended();
    const { uid, name } = stage.pod().metadata;
    await stage.pass(30_000);
    await stage.operate("retry");
    await stage.until("the new pod runs", () => stage.pods().some((pod) => pod.metadata.uid !== uid && isRunning(pod)));
    expect(stage.pod().metadata.name).toBe(name);
    await stage.pass(90_000);
    expect(stage.pods().filter(isRunning)).toHaveLength(1);
    await stage.until("it has run to its end", () => hasEnded(stage.phase()));
    expect(stage.startsOfMain()).toBe(2);
    expect(stage.node("wf")?.outputs?.exitCode).toBe("1");
  });
});

test("A-35 an API that takes 20 requests a second: clean-up gets its share beside busy workflows", async () => {
  const finished = 60;
  const perSecond = 20;
  const taken: number[] = [];
  let isTight = false;
  const script: Script = {
    call: ({ process, at, type }) => {
      if (!isTight || process.role !== "controller" || (at === "read" && type !== pods && type !== workflows)) return;
      const now = process.clock.monotonic();
      while (taken.length > 0 && now - (taken[0] ?? 0) >= 1000) taken.shift();
      if (taken.length >= perSecond) return { kind: "refuse", code: 429 };
      taken.push(now);
      return;
    },
  };
  const many = workflow("done", {
    entrypoint: "main",
    podGC: { strategy: "OnWorkflowCompletion", deleteDelayDuration: "5s" },
    templates: [
      {
        name: "main",
        steps: [[{ name: "s", template: "a", withItems: Array.from({ length: finished }, (_, i) => i) }]],
      },
      template("a", ["ms=100"]),
    ],
  });
  const steps = Array.from({ length: 100 }, (_, index) => [{ name: `s${index}`, template: "a" }]);
  const busy = workflow("busy", {
    entrypoint: "main",
    templates: [{ name: "main", steps }, template("a", ["ms=1000"])],
  });
  const half = { ratePerSecond: perSecond / 2, burst: 1 };
  await scene({ script, controller: { budgets: { reconcile: half, cleanup: half } } }, async (stage) => {
    await stage.world.submit(many);
    await stage.ended("done");
    isTight = true;
    for (let index = 0; index < 10; index++)
      await stage.world.submit({ ...busy, metadata: { name: `busy${index}`, namespace: "default" } });
    const begunAt = stage.now;
    const left = (): number => stage.pods().filter(({ metadata }) => metadata.name?.startsWith("done-")).length;
    await stage.until("the pods are gone", () => left() === 0, 120_000);
    // Two writes a pod: with half of the API's rate to itself 12 s, after the delay of 5 s.
    expect(stage.now - begunAt).toBeLessThan(18_000);
    expect(stage.phase("busy0")).toBe("Running");
    isTight = false;
    for (let index = 0; index < 10; index++) await stage.operate("terminate", `busy${index}`);
  });
});
