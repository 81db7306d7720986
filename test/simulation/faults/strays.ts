/** What other programs make that looks like ours: it may be disposed of or left alone, and must harm nothing else. */

import { annotations, labels, podFinalizer } from "../../../src/core/model/argo/names.js";
import type { Workflow, WorkflowTaskResult } from "../../../src/core/model/argo/workflow.js";
import type { OwnerReference } from "../../../src/core/model/kube/meta.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";
import { pods, workflowTaskResults } from "../../../src/core/model/resources.js";
import { keyOf } from "../../../src/kube/key.js";
import type { World } from "../world/world.js";
import type { Act } from "./fault.js";

/** Whether it was made; rejects where the API refuses it. */
export async function makeStray(world: World, { what, index }: Extract<Act, { kind: "stray" }>): Promise<boolean> {
  const workflow = world.workflowAt(index);
  if (workflow === undefined) return false;
  world.history.add("foreign", () => `makes a stray: ${what}`);
  const name = `stray-${index}-${Math.floor(world.clock.monotonic())}`;
  if (what === "task-result") await world.outside().create(workflowTaskResults, strayResult(name, workflow));
  else await world.outside().create(pods, strayPod(name, ownerOf(what, workflow)));
  return true;
}

function ownerOf(what: "pod-without-owner" | "pod-of-nobody" | "pod-too-many", workflow: Workflow): OwnerReference[] {
  if (what === "pod-without-owner") return [];
  const { name = "", uid = "" } = workflow.metadata;
  const isReal = what === "pod-too-many";
  return [
    {
      apiVersion: workflow.apiVersion,
      kind: workflow.kind,
      name: isReal ? name : "never-was",
      uid: isReal ? uid : "00000000-0000-4000-8000-000000000000",
      controller: true,
      blockOwnerDeletion: true,
    },
  ];
}

function strayPod(name: string, ownerReferences: OwnerReference[]): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace: "default",
      labels: { [labels.workflow]: "someones", [labels.completed]: "false" },
      annotations: { [annotations.nodeId]: name, [annotations.nodeName]: "" },
      finalizers: [podFinalizer],
      ...(ownerReferences.length > 0 && { ownerReferences }),
    },
    spec: { restartPolicy: "Never", containers: [{ name: "main", image: "busybox", args: ["ms=50"] }] },
  };
}

function strayResult(name: string, { metadata }: Workflow): WorkflowTaskResult {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "WorkflowTaskResult",
    metadata: { name, namespace: "default", labels: { [labels.workflow]: metadata.name ?? "" } },
    outputs: { parameters: [{ name: "" }], exitCode: "nonsense" },
  };
}

/** Nonsense on what an executor reported: none of it is ours to read. */
export async function markResult(world: World, index: number): Promise<boolean> {
  const results = world.truth.taskResults();
  const result = results[index % Math.max(1, results.length)];
  if (result === undefined) return false;
  world.history.add("foreign", () => `writes nonsense on task result ${result.metadata.name}`);
  const metadata = { labels: { [labels.workflow]: "not-this-one" }, annotations: { "foreign.example/bad": "{" } };
  await world.outside().patch(workflowTaskResults, keyOf(result), { type: "merge", body: { metadata } });
  return true;
}
