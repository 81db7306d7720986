import { expect, test } from "vitest";
import { annotations } from "../core/model/argo/names.js";
import type { WorkflowTaskResult } from "../core/model/argo/workflow.js";
import type { Pod } from "../core/model/kube/pod.js";
import { pods, type ResourceType, workflowTaskResults } from "../core/model/resources.js";
import { FakeCluster } from "../kube/testing/fake-cluster.js";
import type { Caches } from "./caches.js";
import { carryOut } from "./carry-out.js";

const owner = { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", name: "wf", uid: "wf-uid", controller: true };

function podOf(generation: number | undefined, ownerUid = "wf-uid"): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      namespace: "ns",
      name: "wf-a-1",
      creationTimestamp: "2026-01-01T00:00:00Z",
      ownerReferences: [{ ...owner, uid: ownerUid }],
      ...(generation !== undefined && { annotations: { [annotations.retryGeneration]: String(generation) } }),
    },
    spec: { containers: [{ name: "main", image: "busybox" }] },
  };
}

const result: WorkflowTaskResult = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "WorkflowTaskResult",
  metadata: { namespace: "ns", name: "wf-1", ownerReferences: [owner] },
};

/** A demand for the pod of generation 1, in a cluster where `before` stands. */
async function demand(before: {
  readonly pod?: Pod;
  readonly result?: "as cached" | "newer than cached";
  /** Of the run that demands it; left out: long before anything was created. */
  readonly startedAt?: string;
}) {
  const cluster = new FakeCluster();
  if (before.pod !== undefined) await cluster.create(pods, before.pod);
  const cached =
    before.result === undefined ? undefined : await cluster.create<WorkflowTaskResult>(workflowTaskResults, result);
  if (before.result === "newer than cached" && cached !== undefined)
    await cluster.update(workflowTaskResults, { ...cached, progress: "1/1" });
  const awaited: string[] = [];
  const caches: Pick<Caches, "taskResult" | "awaitView"> = {
    taskResult: () => cached,
    awaitView: (type: ResourceType) => awaited.push(type.plural),
  };
  let inTheWay = 0;
  const ports = { client: cluster, caches: caches as Caches, podInTheWay: () => void inTheWay++ };
  const current = { retryGeneration: 1, startedAt: before.startedAt ?? "1970-01-01T00:00:00Z" };
  const outcome = await carryOut(ports, { kind: "create-pod", nodeId: "wf-1", pod: podOf(1) }, current);
  const [podList, results] = await Promise.all([cluster.list<Pod>(pods), cluster.list(workflowTaskResults)]);
  const created = podList.items.map(({ metadata }) => metadata.annotations?.[annotations.retryGeneration]);
  const { result: told } = outcome;
  const said = "message" in told ? told.message : told.kind;
  return { said, pods: created, results: results.items.length, awaited, inTheWay };
}

test("a pod that is not there is created", async () => {
  expect(await demand({})).toEqual({ said: "created", pods: ["1"], results: 0, awaited: [], inTheWay: 0 });
});

test("a result of an earlier run goes before the pod comes", async () => {
  expect(await demand({ result: "as cached" })).toEqual({
    said: "created",
    pods: ["1"],
    results: 0,
    awaited: [],
    inTheWay: 0,
  });
});

test("where the pod is there already, and only its stream is behind, its result is kept", async () => {
  const outcome = await demand({ pod: podOf(1), result: "as cached" });
  expect(outcome).toEqual({ said: "created", pods: ["1"], results: 1, awaited: ["pods"], inTheWay: 0 });
});

test("a result that was written since it was seen is looked at again, not deleted", async () => {
  const { said, pods: there, results } = await demand({ result: "newer than cached" });
  expect(said).toBe("the object has been modified");
  expect([there, results]).toEqual([[], 1]);
});

const later = "2999-01-01T00:00:00Z";

test.each([
  ["of this run", podOf(1), undefined],
  ["of this run, by its age: Argo made it, or someone took the annotation off", podOf(undefined), undefined],
  ["of a later run, which this process has still to see", podOf(2), undefined],
])("our own pod %s counts as created", async (_, pod, startedAt) => {
  const outcome = await demand({ pod, ...(startedAt !== undefined && { startedAt }) });
  expect(outcome).toMatchObject({ said: "created", awaited: ["pods"], inTheWay: 0 });
});

test.each([
  ["by its annotation", podOf(0), undefined],
  ["by its age", podOf(undefined), later],
])("one of an earlier run, %s, is left to the pods' loop", async (_, pod, startedAt) => {
  const outcome = await demand({ pod, ...(startedAt !== undefined && { startedAt }) });
  expect(outcome).toMatchObject({ said: "waits for pod wf-a-1 of an earlier run", inTheWay: 1 });
  expect(outcome.pods).toHaveLength(1);
});

test("one of others is waited for", async () => {
  const outcome = await demand({ pod: podOf(1, "other") });
  expect(outcome).toMatchObject({ said: "waits for pod wf-a-1, which is not this workflow's, to go", inTheWay: 0 });
});
