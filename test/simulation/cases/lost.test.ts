/** Pods that end as nobody wished: their machine, their executor or their statuses are lost, or there are two of them. */

import { expect, test } from "vitest";
import { openRun } from "../../../src/core/engine/index.js";
import { annotations } from "../../../src/core/model/argo/names.js";
import type { RetryStrategy, Template } from "../../../src/core/model/argo/template.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";
import { events, pods, workflowTaskResults } from "../../../src/core/model/resources.js";
import type { Script } from "../faults/script.js";
import { pod as template, workflow } from "../generate/builder.js";
import type { Mutant } from "../world/mutant.js";
import { isRunning, type Stage, scene } from "./scene.js";

function single(made: Template, more: Partial<Workflow["spec"]> = {}): Workflow {
  return workflow("wf", { entrypoint: made.name ?? "", templates: [made], ...more });
}

test("A-21 a second pod claims the node: the node's own is taken, the other is told and ended", async () => {
  await scene({ blind: ["I1", "wanted"] }, async (stage) => {
    await stage.world.submit(single(template("a", ["ms=30000"])));
    await stage.running();
    const own = stage.pod();
    const { labels, annotations: notes, ownerReferences } = own.metadata;
    await stage.world.outside().create<Pod>(pods, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "another", namespace: "default", labels, annotations: notes, ownerReferences },
      spec: { restartPolicy: "Never", containers: [{ name: "main", image: "busybox", args: ["ms=3000", "exit=9"] }] },
    } as Pod);
    await stage.until("the other is gone", () => stage.pods().length === 1, 40_000);
    await stage.pass(1000);
    expect(stage.pod().metadata.uid).toBe(own.metadata.uid);
    expect(stage.node("wf")?.phase).toBe("Running");
    await stage.ended();
    expect(stage.node("wf")).toMatchObject({ phase: "Succeeded", outputs: { exitCode: "0" } });
    const told = await stage.world.outside().list(events);
    expect(JSON.stringify(told.items)).toContain("SurplusPod");
  });
});

test("A-22 the kubelet is gone for an hour, a pod stays Terminating: Error in bounded time, and the retry is due", async () => {
  const retried = template("a", ["ms=60000"], { retryStrategy: { limit: 1, retryPolicy: "OnError" } });
  await scene({ survival: "die", controller: { hosts: "leased" } }, async (stage) => {
    await stage.world.submit(single(retried));
    await stage.running();
    stage.world.crash("kubelet", 3_600_000);
    await stage.pass(5000);
    await stage.deletePod(stage.pod());
    const deletedAt = stage.now;
    await stage.until("the attempt is lost", () => stage.node("wf(0)")?.phase === "Error", 200_000);
    // 30 s of grace, 10 s for clocks, and the silence of the machine.
    expect(stage.now - deletedAt).toBeLessThan(100_000);
    expect(stage.node("wf(0)")?.message).toContain("node lost: local");
    await stage.until("the next attempt waits for a machine", () => stage.node("wf(1)")?.phase === "Pending", 5000);
    await stage.until("it has succeeded", () => stage.phase() === "Succeeded", 4_000_000);
  });
});

test("A-22 a pod that never started is deleted on a machine that is gone", async () => {
  await scene({ controller: { hosts: "leased" } }, async (stage) => {
    await stage.world.submit(single(template("a", ["ms=60000"])));
    await stage.until("it is bound", () => stage.pods().some(({ spec }) => spec.nodeName !== undefined));
    stage.world.crash("kubelet", 3_600_000);
    await stage.deletePod(stage.pod());
    await stage.ended();
    expect(stage.node("wf")?.phase).toBe("Error");
  });
});

test("A-22 a machine that answers is not lost, however long a pod takes to end", async () => {
  await scene({ controller: { hosts: "leased" } }, async (stage) => {
    await stage.world.submit(single(template("a", ["ms=600000", "ignore-term"])));
    await stage.running();
    await stage.deletePod(stage.pod(), 30);
    // The kubelet renews its Lease, and its word does not come through.
    await stage.ended();
    expect(stage.node("wf")?.message ?? "").not.toContain("node lost");
    expect(stage.node("wf")?.outputs?.exitCode).toBe("137");
  });
});

test("A-22 the machine is gone and nobody deletes the pod: the workflow's deadline ends it all the same", async () => {
  await scene({ survival: "die", controller: { hosts: "leased" } }, async (stage) => {
    await stage.world.submit(single(template("a", ["ms=60000"]), { activeDeadlineSeconds: 20 }));
    await stage.running();
    stage.world.crash("kubelet", 3_600_000);
    await stage.until("the workflow has failed", () => stage.phase() === "Failed", 60_000);
    await stage.until("its pod is held no more", () => !stage.pods().some(isHeldRunning), 200_000);
  });
});

function isHeldRunning(pod: Pod): boolean {
  return isRunning(pod) && (pod.metadata.finalizers ?? []).length > 0;
}

const disruptionIsError: Mutant = {
  name: "disruption: Error",
  breaks: "nothing: a setting",
  parts: () => ({ openRun: (of, options) => openRun(of, { ...options, disruption: "Error" }) }),
};

type Way = "evict" | "preempt" | "oom" | "exit";
const table: readonly (readonly [Way, "Failed" | "Error", NonNullable<RetryStrategy["retryPolicy"]>, number])[] = [
  // Argo's way, the default (decision 7): what is evicted has Failed.
  ["evict", "Failed", "OnError", 1],
  ["evict", "Failed", "OnFailure", 2],
  ["evict", "Failed", "Always", 2],
  ["preempt", "Failed", "OnError", 1],
  // By setting: a disruption is an Error.
  ["evict", "Error", "OnError", 2],
  ["evict", "Error", "OnFailure", 1],
  ["evict", "Error", "Always", 2],
  ["preempt", "Error", "OnError", 2],
  ["preempt", "Error", "OnTransientError", 1],
  // A step's own exit code is its failure, whatever the setting.
  ["oom", "Error", "OnError", 1],
  ["exit", "Error", "OnError", 1],
  ["exit", "Error", "OnFailure", 2],
];

test.each(table)(
  "A-23 %s with disruption: %s and retryPolicy %s: %i attempt(s)",
  async (way, disruption, policy, count) => {
    const made = template("a", [way === "exit" ? "ms=1000" : "ms=20000", way === "exit" ? "exit=1,0" : "exit=0"], {
      retryStrategy: { limit: 1, retryPolicy: policy },
    });
    await scene(disruption === "Error" ? { mutant: disruptionIsError } : {}, async (stage) => {
      await stage.world.submit(single(made));
      await stage.running();
      if (way !== "exit") stage.world.machine.end(stage.pod().metadata.uid ?? "", way);
      await stage.ended();
      const attempts = Object.values(stage.workflow()?.status?.nodes ?? {}).filter(({ type }) => type === "Pod");
      expect(attempts).toHaveLength(count);
      const isError = disruption === "Error" && (way === "evict" || way === "preempt");
      expect(stage.node("wf(0)")?.phase).toBe(isError ? "Error" : "Failed");
      expect(stage.phase()).toBe(count === 2 ? "Succeeded" : isError ? "Error" : "Failed");
    });
  },
);

const reporting = template("a", ["ms=500", "out=/tmp/x:hello"], {
  outputs: { parameters: [{ name: "x", valueFrom: { path: "/tmp/x" } }] },
});

test.each([
  ["before its report is made", { verb: "create", commit: "before" }],
  ["after its report was begun", { verb: "create", commit: "after" }],
  ["in the middle of its report", { verb: "update", commit: "before" }],
] as const)("A-24 the executor is killed %s: the result is final, and nothing hangs", async (_, at) => {
  let killed = 0;
  const kill = async (stage: Stage): Promise<void> => {
    killed++;
    await stage.world.components.kubelet?.signal({ uid: stage.pod().metadata.uid ?? "" }, "SIGKILL", ["wait"]);
  };
  let now: Stage | undefined;
  const script: Script = {
    call: async ({ process, type, verb }) => {
      const isReport = process.role === "executor" && type === workflowTaskResults && verb !== undefined;
      if (!isReport || now === undefined || killed > 0) return undefined;
      if (verb === at.verb && at.commit === "before") {
        await kill(now);
        return { kind: "timeout", commit: "before" };
      }
      if (verb === at.verb) {
        await kill(now);
        return { kind: "timeout", commit: "after" };
      }
      return undefined;
    },
  };
  await scene({ script }, async (stage) => {
    now = stage;
    await stage.world.submit(single(reporting));
    await stage.ended();
    if (at.verb === "create") expect(killed).toBe(1);
    expect(stage.now).toBeLessThan(60_000);
    const { phase, outputs } = stage.node("wf") ?? {};
    // Succeeded only with what was promised.
    if (phase === "Succeeded") expect(outputs?.parameters?.[0]?.value).toBe("hello");
    else expect(["Failed", "Error"]).toContain(phase);
  });
});

test.each([
  ["Failed", []],
  ["Failed", [{ name: "main", ready: false, restartCount: 0, image: "", imageID: "", state: { running: {} } }]],
  ["Succeeded", []],
] as const)(
  "A-25 a pod is %s, its containers say %j: never Succeeded without an end of main",
  async (phase, statuses) => {
    await scene({ survival: "die" }, async (stage) => {
      await stage.world.submit(single(template("a", ["ms=60000"])));
      await stage.running();
      const { name = "" } = stage.pod().metadata;
      stage.world.crash("kubelet", 3_600_000);
      await stage.world
        .outside()
        .patch(
          pods,
          { namespace: "default", name },
          { type: "merge", body: { status: { phase, containerStatuses: statuses as never } } },
          { subresource: "status" },
        );
      await stage.ended();
      expect(["Failed", "Error"]).toContain(stage.node("wf")?.phase);
      expect(stage.pod().metadata.annotations?.[annotations.nodeId]).toBe("wf");
    });
  },
);

test("A-28 a pod is past its deadline, and its executor never reports: the node ends in bounded time", async () => {
  const script: Script = {
    call: ({ process, at }) =>
      process.role === "executor" && at === "write" ? { kind: "timeout", commit: "before" } : undefined,
  };
  await scene({ script }, async (stage) => {
    await stage.world.submit(
      single({
        ...reporting,
        container: { name: "", image: "b", command: ["sim"], args: ["ms=600000"] },
        activeDeadlineSeconds: 5,
      }),
    );
    await stage.ended();
    expect(stage.now).toBeLessThan(60_000);
    expect(stage.node("wf")?.phase).toBe("Failed");
  });
});
