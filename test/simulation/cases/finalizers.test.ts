/** Our finalizer comes off every pod: deleted, refused, orphaned, made by Argo, of a workflow that nobody looks at again. */

import { expect, test } from "vitest";
import { openRun } from "../../../src/core/engine/index.js";
import { labels, podFinalizer } from "../../../src/core/model/argo/names.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";
import { events, namespaces, pods, workflows } from "../../../src/core/model/resources.js";
import { cleanupFailedReason } from "../../../src/core/podlife/index.js";
import type { Script, ScriptedCall } from "../faults/script.js";
import { pod as template, workflow } from "../generate/builder.js";
import type { Mutant } from "../world/mutant.js";
import { isHeld, scene } from "./scene.js";

const one = workflow("wf", { entrypoint: "a", templates: [template("a", ["ms=1000"])] });
const long = workflow("wf", { entrypoint: "a", templates: [template("a", ["ms=60000", "term-ms=2000"])] });

function isPodPatch({ process, type, verb }: ScriptedCall): boolean {
  return process.role === "controller" && type === pods && verb === "patch";
}

test("A-02 a running pod is deleted from outside: its end is saved, then it is let go", async () => {
  await scene({}, async (stage) => {
    await stage.world.submit(long);
    await stage.running();
    await stage.deletePod(stage.pod());
    await stage.until("the pod is gone", () => stage.pods().length === 0, 40_000);
    expect(stage.node("wf")).toMatchObject({ phase: "Failed", outputs: { exitCode: "143" } });
  });
});

test("A-02 the deletion is first seen after a restart, as an object that is new", async () => {
  await scene({}, async (stage) => {
    await stage.world.submit(long);
    await stage.running();
    stage.world.crash("controller", 60_000);
    await stage.deletePod(stage.pod());
    await stage.pass(30_000);
    expect(stage.pods().map(isHeld)).toEqual([true]);
    await stage.until("the pod is gone", () => stage.pods().length === 0, 60_000);
    expect(stage.node("wf")).toMatchObject({ phase: "Failed", outputs: { exitCode: "143" } });
  });
});

test("A-02 the workflow is gone as well: the pod is let go all the same", async () => {
  await scene({}, async (stage) => {
    await stage.world.submit(long);
    await stage.running();
    stage.world.crash("controller", 60_000);
    await stage.deleteWorkflow("wf", "Orphan");
    await stage.deletePod(stage.pod());
    await stage.pass(30_000);
    expect(stage.pods().map(isHeld)).toEqual([true]);
    await stage.until("the pod is gone", () => stage.pods().length === 0, 60_000);
  });
});

test("A-03 the first write of a finished pod fails, and no event ever comes: it is written from its own queue", async () => {
  let isDeaf = false;
  let refused = 0;
  const script: Script = {
    call: (call) => {
      if (!isPodPatch(call) || refused > 0) return undefined;
      refused++;
      isDeaf = true;
      return { kind: "refuse", code: 500 };
    },
    event: ({ process }) => (isDeaf && process.role === "controller" ? { kind: "stalled" } : undefined),
  };
  await scene({ script }, async (stage) => {
    await stage.world.submit(one);
    await stage.until("the write has failed", () => refused === 1);
    const failedAt = stage.now;
    await stage.until("the pod is free", () => !isHeld(stage.pod()));
    expect(stage.now - failedAt).toBeLessThan(1000);
    expect(stage.phase()).toBe("Succeeded");
  });
});

test("A-04 the API refuses five times: tried again with growing pauses until it is done, and told", async () => {
  const triedAt: number[] = [];
  const script: Script = {
    call: (call) => {
      if (!isPodPatch(call)) return undefined;
      triedAt.push(call.process.clock.monotonic());
      return triedAt.length <= 5 ? { kind: "refuse", code: 403 } : undefined;
    },
  };
  await scene({ script }, async (stage) => {
    await stage.world.submit(one);
    await stage.until("the pod is free", () => triedAt.length === 6 && !isHeld(stage.pod()));
    const pauses = triedAt.slice(1).map((at, index) => at - (triedAt[index] ?? 0));
    for (const [index, pause] of pauses.entries())
      expect(pause).toBeGreaterThan(index === 0 ? 0 : 50 * 2 ** (index - 1));
    expect(pauses.at(-1)).toBeGreaterThan(4 * (pauses[0] ?? 0));
    await stage.pass(60_000);
    const told = await stage.world.outside().list<never>(events);
    expect(JSON.stringify(told.items)).toContain(cleanupFailedReason);
    expect(triedAt).toHaveLength(6);
  });
});

/** The controller's second start adds no finalizers. */
const finalizersOffLater: Mutant = {
  name: "statusFinalizer off after a restart",
  breaks: "nothing: an option is changed",
  parts: (world) => ({
    openRun: (of, options) => {
      const isFirst = world.components.process("controller")?.start === 1;
      return openRun(of, { ...options, pod: { ...options.pod, statusFinalizer: isFirst } });
    },
  }),
};

test("A-05 pods are freed though finalizers are no longer added", async () => {
  const two = workflow("wf", {
    entrypoint: "main",
    templates: [
      { name: "main", steps: [[{ name: "a", template: "a" }], [{ name: "b", template: "a" }]] },
      template("a", ["ms=1000"]),
    ],
  });
  await scene({ mutant: finalizersOffLater }, async (stage) => {
    await stage.world.submit(two);
    await stage.running();
    expect(isHeld(stage.pod())).toBe(true);
    stage.world.crash("controller");
    await stage.until("the second pod is there", () => stage.pods().length === 2);
    const areFree = (): readonly boolean[] => stage.pods().map((pod) => !isHeld(pod));
    expect(areFree()).toContain(true);
    // The first one's outcome is saved: it is let go while the second runs.
    await stage.pass(300);
    expect(areFree()).toEqual([true, true]);
    await stage.ended();
    await stage.deleteWorkflow();
    await stage.until("no pod is left", () => stage.pods().length === 0);
  });
});

test("A-05 a pod that Argo's controller made, and left behind with its finalizer, is freed", async () => {
  await scene({}, async (stage) => {
    const gone = { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", name: "old", uid: "of-old", controller: true };
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "default" } };
    await stage.world.outside().create(namespaces, namespace);
    await stage.world.outside().create<Pod>(pods, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name: "old-1",
        namespace: "default",
        finalizers: [podFinalizer, "foreign.example/hold"],
        labels: { [labels.workflow]: "old", [labels.completed]: "false" },
        ownerReferences: [gone],
      },
      spec: { restartPolicy: "Never", containers: [{ name: "main", image: "busybox", args: ["ms=1000"] }] },
    } as Pod);
    await stage.until("ours is off", () => stage.pods().every((pod) => !isHeld(pod)), 120_000);
    expect(stage.pods().map(({ metadata }) => metadata.finalizers)).toEqual([["foreign.example/hold"]]);
  });
});

test("A-06 a workflow of the same name in another namespace is deleted: these pods are not its", async () => {
  await scene({}, async (stage) => {
    await stage.world
      .outside()
      .create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: "other" } });
    await stage.world.submit(long);
    await stage.world.submit({ ...long, metadata: { name: "wf", namespace: "other" } });
    await stage.running(2);
    const mine = stage.pods().filter(({ metadata }) => metadata.namespace === "default");
    await stage.world
      .outside()
      .delete(workflows, { namespace: "other", name: "wf" }, { propagationPolicy: "Background" });
    await stage.until("the other's pod is gone", () => stage.pods().length === 1);
    await stage.pass(20_000);
    expect(stage.pods().map(({ metadata }) => metadata.uid)).toEqual(mine.map(({ metadata }) => metadata.uid));
    expect(stage.pods().every(isHeld)).toBe(true);
    await stage.until("it has succeeded", () => stage.pods().every(({ status }) => status?.phase === "Succeeded"));
    expect(stage.startsOfMain()).toBe(2);
  });
});

test("A-08 after a restart the list of workflows comes late: live pods are no orphans", async () => {
  const script: Script = {
    call: ({ process, type, key }) => {
      const isList = process.start === 2 && process.role === "controller" && type === workflows && key === undefined;
      return isList ? { kind: "slow", ms: 5000 } : undefined;
    },
  };
  await scene({ script }, async (stage) => {
    const names = Array.from({ length: 10 }, (_, index) => `wf${index}`);
    for (const name of names) await stage.world.submit({ ...long, metadata: { name, namespace: "default" } });
    await stage.running(10);
    stage.world.crash("controller");
    await stage.pass(4000);
    expect(stage.pods().filter(isHeld)).toHaveLength(10);
    for (const name of names) await stage.ended(name);
    expect(names.map((name) => stage.phase(name))).toEqual(names.map(() => "Succeeded"));
    expect(stage.startsOfMain()).toBe(10);
  });
});

test("A-15 the pod is gone before it could be labelled: that is no failure, and the node keeps its outcome", async () => {
  const script: Script = {
    call: async (call) => {
      if (!isPodPatch(call) || call.key === undefined) return undefined;
      const client = call.world.outside();
      await client.patch(pods, call.key, { type: "merge", body: { metadata: { finalizers: null } } });
      await client.delete(pods, call.key, { gracePeriodSeconds: 0 });
      return undefined;
    },
  };
  await scene({ script }, async (stage) => {
    await stage.world.submit(one);
    await stage.ended();
    await stage.until("the pod is gone", () => stage.pods().length === 0);
    expect(stage.node("wf")?.phase).toBe("Succeeded");
    await stage.pass(60_000);
    expect(stage.refusals.map(({ code }) => code)).toEqual([404]);
  });
});

test("A-07 the workflow is deleted while our watch is down: the gap in the relist frees its pods, and nothing is held", async () => {
  let isDown = false;
  const script: Script = {
    event: ({ process, type }) =>
      isDown && process.role === "controller" && type === workflows ? { kind: "gone" } : undefined,
    call: ({ process, type, at, key }) =>
      isDown && process.role === "controller" && type === workflows && at === "read" && key === undefined
        ? { kind: "timeout", commit: "before" }
        : undefined,
  };
  await scene({ script }, async (stage) => {
    await stage.world.submit(long);
    await stage.running();
    isDown = true;
    await stage.operate("annotate");
    await stage.pass(1000);
    await stage.deleteWorkflow("wf", "Orphan");
    await stage.pass(10_000);
    expect(stage.workflow()).toBeUndefined();
    expect(stage.pods().map(isHeld)).toEqual([true]);
    isDown = false;
    await stage.until("the pod is free", () => !stage.pods().some(isHeld), 120_000);
    await stage.until("nothing is held", () => stage.world.components.controllers().every((one) => one.held() === 0));
  });
});
