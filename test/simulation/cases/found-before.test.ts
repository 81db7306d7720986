/** What random runs once found, each by name: it must not come back unseen. */

import { expect, test } from "vitest";
import { labels } from "../../../src/core/model/argo/names.js";
import { namespaces, pods, workflows, workflowTaskResults } from "../../../src/core/model/resources.js";
import type { Script, ScriptedCall } from "../faults/script.js";
import { pod as template, workflow } from "../generate/builder.js";
import { isHeld, isRunning, scene } from "./scene.js";

const long = workflow("wf", { entrypoint: "a", templates: [template("a", ["ms=60000"])] });

const quick = workflow("wf", { entrypoint: "a", templates: [template("a", ["ms=100"])] });

const twoSteps = workflow("wf", {
  entrypoint: "main",
  templates: [
    { name: "main", steps: [[{ name: "a", template: "a" }], [{ name: "b", template: "a" }]] },
    template("a", ["ms=5000"]),
  ],
});

const reporting = workflow("wf", {
  entrypoint: "a",
  templates: [
    template("a", ["ms=500", "out=/tmp/x:hello"], {
      outputs: { parameters: [{ name: "x", valueFrom: { path: "/tmp/x" } }] },
    }),
  ],
});

function isOurs({ process, type, verb }: ScriptedCall, of: typeof pods, how: ScriptedCall["verb"]): boolean {
  return process.role === "controller" && type === of && verb === how;
}

test("a save that is refused as a conflict though nobody else wrote waits longer each time", async () => {
  const triedAt: number[] = [];
  const script: Script = {
    call: (call) => {
      if (!isOurs(call, workflows, "patch")) return undefined;
      triedAt.push(call.process.clock.monotonic());
      return triedAt.length <= 6 ? { kind: "refuse", code: 409 } : undefined;
    },
  };
  await scene({ script }, async (stage) => {
    await stage.world.submit(long);
    await stage.running();
    const pauses = triedAt.slice(1, 7).map((at, index) => at - (triedAt[index] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThan(0);
    expect(pauses.at(-1)).toBeGreaterThan(1000);
  });
});

test("a grace that was given with the signal is not given once more with the deletion", async () => {
  const stubborn = workflow("wf", { entrypoint: "a", templates: [template("a", ["ms=600000", "ignore-term"])] });
  await scene({}, async (stage) => {
    await stage.world.submit(stubborn);
    await stage.running();
    await stage.pass(1000);
    await stage.operate("terminate");
    const askedAt = stage.now;
    await stage.until("the pod has ended", () => !stage.pods().some(isRunning));
    // 30 s with the signal, then a second.
    expect(stage.now - askedAt).toBeGreaterThan(29_000);
    expect(stage.now - askedAt).toBeLessThan(33_000);
  });
});

test("a signal that did not come through is sent again", async () => {
  await scene({}, async (stage) => {
    await stage.world.submit(long);
    await stage.running();
    await stage.pass(1000);
    stage.world.crash("kubelet", 5000);
    await stage.operate("terminate");
    await stage.until("the pod has ended", () => !stage.pods().some(isRunning), 25_000);
    // By the signal, within the grace; the workflow itself had ended before.
    const [main] = stage.pod().status?.containerStatuses ?? [];
    expect(main?.state?.terminated?.exitCode).toBe(143);
  });
});

test.each(["Foreground", "Background"] as const)(
  "a workflow that is being deleted (%s) gets no more pods",
  async (policy) => {
    await scene({}, async (stage) => {
      await stage.world.submit(twoSteps);
      await stage.until("the first step has started", () => stage.startsOfMain() === 1);
      // Just before its end.
      await stage.pass(4990);
      await stage.deleteWorkflow("wf", policy);
      await stage.until("all is gone", () => stage.workflow() === undefined && stage.pods().length === 0, 60_000);
      expect(stage.startsOfMain()).toBe(1);
      expect(stage.writes.filter(({ type, verb }) => type === pods && verb === "create")).toHaveLength(1);
    });
  },
);

test("the kubelet's view of a pod that has ended is old: it is not run again", async () => {
  const script: Script = {
    event: ({ process, type }) =>
      process.role === "kubelet" && type === pods ? { kind: "late", ms: 3000 } : undefined,
  };
  await scene({ script }, async (stage) => {
    await stage.world.submit(quick);
    await stage.ended();
    await stage.pass(30_000);
    expect(stage.startsOfMain()).toBe(1);
    expect(stage.phase()).toBe("Succeeded");
  });
});

test("results are told later than pods: what was reported is saved all the same", async () => {
  const script: Script = {
    event: ({ process, type }) =>
      process.role === "controller" && type === workflowTaskResults ? { kind: "late", ms: 20_000 } : undefined,
  };
  await scene({ script }, async (stage) => {
    await stage.world.submit(reporting);
    await stage.ended();
    expect(stage.now).toBeLessThan(5000);
    expect(stage.node("wf")?.outputs?.parameters?.[0]?.value).toBe("hello");
  });
});

test("a pod was created and the answer lost: it is taken as ours, and not made twice", async () => {
  let lost = 0;
  const script: Script = {
    call: (call) => {
      if (!isOurs(call, pods, "create") || lost > 0) return undefined;
      lost++;
      return { kind: "timeout", commit: "after" };
    },
    event: ({ process, type }) =>
      process.role === "controller" && type === pods ? { kind: "late", ms: 4000 } : undefined,
  };
  await scene({ script }, async (stage) => {
    await stage.world.submit(twoSteps);
    await stage.ended();
    expect(lost).toBe(1);
    expect(stage.phase()).toBe("Succeeded");
    expect(stage.startsOfMain()).toBe(2);
  });
});

test("someone labels a pod at work completed, and takes its workflow's label off: both are put right", async () => {
  await scene({}, async (stage) => {
    await stage.world.submit(long);
    await stage.running();
    await stage.patchPod(stage.pod(), { labels: { [labels.completed]: "true", [labels.workflow]: null } });
    const wanted = { [labels.completed]: "false", [labels.workflow]: "wf" };
    await stage.until("the labels are right", () => {
      const { labels: own = {} } = stage.pod().metadata;
      return Object.entries(wanted).every(([name, value]) => own[name] === value);
    });
    expect(isHeld(stage.pod())).toBe(true);
    await stage.ended();
    expect(stage.phase()).toBe("Succeeded");
  });
});

test("a view of the workflow that lags does not know the newest nodes: their pods are not surplus", async () => {
  const script: Script = {
    event: ({ process, type }) =>
      process.role === "controller" && type === workflows ? { kind: "late", ms: 2000 } : undefined,
  };
  await scene({ script }, async (stage) => {
    await stage.world.submit(twoSteps);
    await stage.until("the second pod runs", () => stage.startsOfMain() === 2);
    stage.world.crash("controller", 50);
    await stage.ended();
    expect(stage.phase()).toBe("Succeeded");
    expect(stage.world.components.controllers().map((one) => one.podCounts.surplus)).toEqual([0]);
  });
});

test("what could not be saved before the workflow was terminated is not begun afterwards", async () => {
  const script: Script = {
    call: (call) =>
      isOurs(call, workflows, "patch") && call.process.clock.monotonic() < 3000
        ? { kind: "refuse", code: 500 }
        : undefined,
  };
  await scene({ script }, async (stage) => {
    await stage.world.submit(long);
    await stage.pass(1000);
    await stage.operate("terminate");
    await stage.ended();
    await stage.pass(30_000);
    expect(stage.phase()).toBe("Failed");
    expect(stage.writes.filter(({ type }) => type === pods)).toEqual([]);
  });
});

test("a pod that is created when its namespace has gone is refused, and does not bring the namespace back", async () => {
  const script: Script = {
    call: (call) => (isOurs(call, pods, "create") ? { kind: "pause", ms: 5000 } : undefined),
  };
  await scene({ script }, async (stage) => {
    await stage.world.submit(long);
    await stage.pass(1000);
    await stage.world.outside().delete(namespaces, { name: "default" });
    await stage.until("it was tried", () => stage.refusals.length > 0);
    expect(stage.refusals.map(({ write, code }) => [write.type.plural, code])).toEqual([["pods", 404]]);
    await stage.pass(60_000);
    expect((await stage.world.outside().list(namespaces)).items).toEqual([]);
  });
});

test.each(["goes on", "dies and comes back"])(
  "a pod that ended just as it was deleted goes, however often the API refuses that to the kubelet, which %s",
  async (fate) => {
    const script: Script = {
      event: ({ process, type }) =>
        process.role === "kubelet" && type === pods ? { kind: "late", ms: 500 } : undefined,
      call: ({ process, type, verb }) =>
        process.role === "kubelet" && type === pods && verb === "delete" && process.clock.monotonic() < 20_000
          ? { kind: "refuse", code: 500 }
          : undefined,
    };
    await scene({ script }, async (stage) => {
      await stage.world.submit(workflow("wf", { entrypoint: "a", templates: [template("a", ["ms=1000"])] }));
      await stage.running();
      // The end comes before the kubelet sees the deletion.
      await stage.pass(900);
      await stage.deletePod(stage.pod());
      await stage.pass(200);
      expect(stage.phase()).toBe("Succeeded");
      if (fate !== "goes on") stage.world.crash("kubelet", 1000);
      await stage.until("no pod is left", () => stage.pods().length === 0, 60_000);
      expect(stage.refusals.length).toBeGreaterThan(2);
      expect(stage.startsOfMain()).toBe(1);
    });
  },
);

test("a view stood still in which a pod has not begun, and it has ended and been let go: its grace over, it stays", async () => {
  let lost = 0;
  const hasLetGo = ({ world }: ScriptedCall) => world.truth.pods().some((pod) => !isHeld(pod));
  const script: Script = {
    event: ({ process, type, event }) =>
      process.role === "controller" && type === pods && event.type !== "ADDED"
        ? { kind: "late", ms: 120_000 }
        : undefined,
    call: (call) => {
      if (!isOurs(call, pods, "patch") || hasLetGo(call) || ++lost < 2) return undefined;
      return { kind: "timeout", commit: "after" };
    },
  };
  await scene({ script }, async (stage) => {
    await stage.world.submit({ ...quick, spec: { ...quick.spec, activeDeadlineSeconds: 2 } });
    await stage.ended();
    await stage.pass(100_000);
    expect(lost).toBe(2);
    expect(stage.pod().metadata.labels?.[labels.completed]).toBe("true");
  });
});

test("a pod was refused, and its workflow deleted where the controller does not see it: the pod is not asked for again", async () => {
  let isDeleted = false;
  const script: Script = {
    call: (call) => (isOurs(call, pods, "create") && !isDeleted ? { kind: "refuse", code: 500 } : undefined),
    event: ({ process, type }) =>
      process.role === "controller" && type === workflows && isDeleted ? { kind: "stalled" } : undefined,
  };
  await scene({ script }, async (stage) => {
    await stage.world.submit(long);
    await stage.until("it was tried again after its message was saved", () => stage.refusals.length > 2);
    isDeleted = true;
    await stage.deleteWorkflow("wf", "Orphan");
    await stage.pass(60_000);
    expect(stage.writes.filter(({ type }) => type === pods)).toEqual([]);
  });
});
