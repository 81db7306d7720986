import { expect, test } from "vitest";
import type { Workflow } from "../../core/model/argo/workflow.js";
import type { Pod } from "../../core/model/kube/pod.js";
import { RunState } from "./state.js";

function workflow(namespace: string, phase: "Running" | "Succeeded", name = "wf"): Workflow {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name, namespace, uid: `${namespace}-${name}` },
    spec: { entrypoint: "main" },
    status: {
      phase,
      ...(phase === "Succeeded" ? { finishedAt: "2026-11-30T06:00:00Z" } : {}),
      nodes: { n: { id: "n", name: `${name}.build`, displayName: "build", type: "Pod" } },
    },
  };
}

function pod(namespace: string, name = "wf"): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "p",
      namespace,
      uid: `pod-${namespace}-${name}`,
      ownerReferences: [{ apiVersion: "", kind: "Workflow", name, uid: `${namespace}-${name}`, controller: true }],
      annotations: { "workflows.argoproj.io/node-id": "n", "workflows.argoproj.io/node-name": `${name}.build` },
    },
    spec: { containers: [] },
  };
}

test("two workflows of one name in two namespaces are two", () => {
  const state = new RunState([workflow("a", "Running"), workflow("b", "Running")]);
  state.setWorkflow(workflow("a", "Succeeded"));
  expect(state.finished).toBe(false);
  expect(state.setWorkflow(workflow("b", "Running"))).toEqual({ before: undefined });
  expect(state.finished).toBe(false);
  state.setWorkflow(workflow("b", "Succeeded"));
  expect(state.workflows.map(({ metadata }) => metadata.namespace)).toEqual(["a", "b"]);
  expect(state.finished).toBe(true);
  expect([state.labelOf(pod("a")), state.labelOf(pod("b"))]).toEqual(["a/wf/build", "b/wf/build"]);
});

test("of two names, the name says enough; of one workflow, none is said", () => {
  const two = new RunState([workflow("a", "Running"), workflow("a", "Running", "other")]);
  two.setWorkflow(workflow("a", "Running", "other"));
  expect(two.labelOf(pod("a", "other"))).toBe("other/build");
  const one = new RunState([workflow("a", "Running")]);
  one.setWorkflow(workflow("a", "Running"));
  expect(one.labelOf(pod("a"))).toBe("build");
});

test("a slot is taken by what the kubelet has let begin", () => {
  const state = new RunState([workflow("a", "Running")]);
  state.setWorkflow(workflow("a", "Running"));
  const set = (uid: string, status: Pod["status"]): void => {
    const one = pod("a");
    state.setPod({ ...one, metadata: { ...one.metadata, uid }, ...(status === undefined ? {} : { status }) });
  };
  set("new", undefined);
  set("not yet looked at", { phase: "Pending" });
  set("waits", {
    phase: "Pending",
    conditions: [{ type: "PodScheduled", status: "False", message: "waits for a slot (2 of 2)" }],
  });
  set("pulls", { phase: "Pending", startTime: "2026-11-30T06:00:00Z" });
  set("runs", { phase: "Running", startTime: "2026-11-30T06:00:00Z" });
  set("ended", { phase: "Succeeded", startTime: "2026-11-30T06:00:00Z" });
  expect(state.slotsUsed).toBe(2);
});
