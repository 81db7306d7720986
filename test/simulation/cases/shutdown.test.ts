/** Stopped, terminated, retried: what waits is not begun, what was is not confused with what is. */

import { expect, test } from "vitest";
import { openRun } from "../../../src/core/engine/index.js";
import type { NodeStatus } from "../../../src/core/model/argo/node.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import type { WorkflowOperation } from "../faults/fault.js";
import { pod as template, workflow } from "../generate/builder.js";
import { randomWorkflow } from "../generate/workflows.js";
import type { Mutant } from "../world/mutant.js";
import { hasEnded, isRunning, scene } from "./scene.js";

test.each(["terminate", "stop"] as const)(
  "A-27 %s while pods wait for a machine: they are deleted, it ends",
  async (how) => {
    const wide = workflow("wf", {
      entrypoint: "main",
      templates: [
        { name: "main", steps: [[{ name: "s", template: "a", withItems: [1, 2, 3] }]] },
        template("a", ["ms=1000"]),
      ],
    });
    await scene({}, async (stage) => {
      stage.world.crash("kubelet", 3_600_000);
      await stage.world.submit(wide);
      await stage.until("three pods wait", () => stage.pods().length === 3);
      await stage.operate(how);
      await stage.until("it has ended", () => hasEnded(stage.phase()), 10_000);
      await stage.until("no pod is left", () => stage.pods().length === 0, 10_000);
      expect(stage.phase()).toBe("Failed");
      const waited = Object.values(stage.workflow()?.status?.nodes ?? {}).filter(({ type }) => type === "Pod");
      expect(waited.map(({ phase }) => phase)).toEqual(["Failed", "Failed", "Failed"]);
      expect(stage.startsOfMain()).toBe(0);
    });
  },
);

test("A-30 a retry while someone holds the old pod: it waits for the name, and takes nothing of the old one", async () => {
  const reporting = workflow("wf", {
    entrypoint: "a",
    templates: [
      template("a", ["ms=500", "exit=1", "out=/tmp/x:old"], {
        outputs: { parameters: [{ name: "x", valueFrom: { path: "/tmp/x" } }] },
      }),
    ],
  });
  await scene({}, async (stage) => {
    await stage.world.submit(reporting);
    await stage.running();
    const { uid, finalizers = [] } = stage.pod().metadata;
    await stage.patchPod(stage.pod(), { finalizers: ["foreign.example/hold", ...finalizers] });
    await stage.ended();
    const before = stage.now;
    await stage.operate("retry");
    expect(stage.now).toBe(before);
    await stage.pass(120_000);
    expect(stage.node("wf")).toMatchObject({ phase: "Pending", message: expect.stringContaining("of an earlier run") });
    expect(stage.node("wf")?.outputs).toBeUndefined();
    expect(stage.pods().map(({ metadata }) => [metadata.uid, metadata.finalizers])).toEqual([
      [uid, ["foreign.example/hold"]],
    ]);
    await stage.patchPod(stage.pod(), { finalizers: null });
    await stage.until("the new pod runs", () => stage.pods().some((pod) => pod.metadata.uid !== uid && isRunning(pod)));
    await stage.ended();
    expect(stage.startsOfMain()).toBe(2);
  });
});

/** Nodes are told in another order at each opening. */
const shuffledNodes: Mutant = {
  name: "nodes in any order",
  breaks: "nothing: maps have no order",
  parts: (world) => ({
    openRun: (of, options) => openRun(shuffled(of, world.chance.fork("shuffle")), options),
  }),
};

function shuffled(of: Workflow, chance: SeededChance): Workflow {
  const { nodes } = of.status ?? {};
  if (nodes === undefined) return of;
  const order = new Map(Object.keys(nodes).map((id) => [id, chance.next()]));
  const entries = Object.entries(nodes).sort(([one], [other]) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
  return { ...of, status: { ...of.status, nodes: Object.fromEntries(entries) } };
}

/** Nothing deletes it, so that it can be looked at. */
function staying({ spec: { ttlStrategy: _, ...spec }, ...rest }: Workflow): Workflow {
  return { ...rest, spec };
}

const open: readonly (string | undefined)[] = [undefined, "Pending", "Running"];

function leftOpen(of: Workflow | undefined): readonly NodeStatus[] {
  return Object.values(of?.status?.nodes ?? {}).filter(({ phase }) => open.includes(phase));
}

test("A-32 random graphs, ended, retried and terminated at any time: nothing is left Running in what has ended", async () => {
  const operations: readonly WorkflowOperation[] = ["terminate", "retry", "stop", "retry", "terminate", "retry"];
  for (let seed = 1; seed <= 60; seed++) {
    const chance = new SeededChance(seed).fork("composites");
    await scene({ seed, mutant: shuffledNodes }, async (stage) => {
      await stage.world.submit(staying(randomWorkflow(chance, "wf", { pods: 12 })));
      for (let act = 0; act < 4; act++) {
        await stage.pass(chance.below(6000));
        if (hasEnded(stage.phase())) expect(leftOpen(stage.workflow()), `seed ${seed}`).toEqual([]);
        await stage.operate(operations[chance.below(operations.length)] ?? "retry");
        if (chance.below(4) === 0) stage.world.crash("controller");
      }
      await stage.operate("resume");
      await stage.operate("terminate");
      await stage.ended();
      expect(leftOpen(stage.workflow()), `seed ${seed}`).toEqual([]);
    });
  }
});
