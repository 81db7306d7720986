import { expect, test } from "vitest";
import type { Change, Decision } from "../core/engine/contract.js";
import { plainOptions, start, workflowOf } from "../core/engine/engine.fixture.js";
import { openRun } from "../core/engine/run.js";
import { annotations, labels } from "../core/model/argo/names.js";
import type { NodeStatus } from "../core/model/argo/node.js";
import type { Workflow, WorkflowTaskResult } from "../core/model/argo/workflow.js";
import type { Pod, PodStatus } from "../core/model/kube/pod.js";
import { retry } from "../core/operations/index.js";
import { viewPod } from "../core/podlife/index.js";
import { rfc3339OfMs } from "../core/std/time.js";
import { firstLook, podChanges, viewTaskResult } from "./observe.js";
import { cachesOf } from "./testing/caches.js";

const HOUR_MS = 3_600_000;
const retriedAt = start + HOUR_MS;

/** Whose pods and results carry a retry generation (ours), and whose do not (those of Argo's controller and executor). */
type Maker = "ours" | "argo";

function generation(maker: Maker, number: number): Readonly<Record<string, string>> {
  return maker === "ours" ? { [annotations.retryGeneration]: String(number) } : {};
}

function podOf(maker: Maker, number: number, status: PodStatus): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "wf",
      namespace: "argo",
      uid: `pod-${number}`,
      resourceVersion: "1",
      creationTimestamp: rfc3339OfMs(number === 0 ? start : retriedAt),
      annotations: { [annotations.nodeId]: "wf", ...generation(maker, number) },
      ownerReferences: [
        { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", name: "wf", uid: "uid", controller: true },
      ],
    },
    spec: { containers: [{ name: "main" }] },
    status,
  };
}

function resultOf(maker: Maker, number: number, value: string): WorkflowTaskResult {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "WorkflowTaskResult",
    metadata: {
      name: "wf",
      namespace: "argo",
      creationTimestamp: rfc3339OfMs(number === 0 ? start : retriedAt),
      labels: { [labels.reportOutputsCompleted]: "true" },
      annotations: generation(maker, number),
    },
    outputs: { parameters: [{ name: "value", value }] },
  };
}

function ended(exitCode: number): PodStatus {
  const time = rfc3339OfMs(start);
  const reason = exitCode === 0 ? "Completed" : "Error";
  const state = { terminated: { exitCode, reason, startedAt: time, finishedAt: time } };
  return {
    phase: exitCode === 0 ? "Succeeded" : "Failed",
    containerStatuses: [{ name: "main", image: "", imageID: "", ready: false, restartCount: 0, state }],
  };
}

/** A workflow of one container that failed, and was retried an hour later. */
function retriedWorkflow(): Workflow {
  const node: NodeStatus = {
    id: "wf",
    name: "wf",
    displayName: "wf",
    type: "Pod",
    templateName: "echo",
    templateScope: "local/wf",
    phase: "Failed",
    startedAt: rfc3339OfMs(start),
    finishedAt: rfc3339OfMs(start),
  };
  const template = { name: "echo", container: { image: "busybox", command: ["echo"] } };
  const workflow: Workflow = {
    ...workflowOf({ entrypoint: "echo", templates: [template] }),
    status: { phase: "Failed", startedAt: rfc3339OfMs(start), finishedAt: rfc3339OfMs(start), nodes: { wf: node } },
  };
  const retried = retry(workflow, { now: retriedAt });
  if (!retried.ok) throw new Error(retried.error);
  return retried.value.workflow;
}

class Opened {
  readonly run = openRun(retriedWorkflow(), plainOptions);

  tell(...changes: readonly Change[]): Decision {
    const decision = this.run.advance({ changes, now: retriedAt, facts: { get: () => null } });
    this.run.commit("2");
    return decision;
  }

  get node(): NodeStatus | undefined {
    return this.run.node("wf");
  }
}

function sees(pod: Pod): Change {
  return { kind: "pod", view: viewPod(pod) };
}

function hears(result: WorkflowTaskResult): Change {
  return { kind: "task-result", result: viewTaskResult(result, "open") };
}

const running: PodStatus = { phase: "Running" };

test.each<[string, Maker, PodStatus]>([
  ["that failed", "ours", ended(1)],
  ["that succeeded", "ours", ended(0)],
  ["that still runs", "ours", running],
  ["of Argo's that failed", "argo", ended(1)],
  ["of Argo's that succeeded", "argo", ended(0)],
  ["of Argo's that still runs", "argo", running],
])("the first look after a retry: a pod %s and its result are of the run before", (_, maker, status) => {
  const opened = new Opened();
  const old = podOf(maker, 0, status);
  const oldResult = resultOf(maker, 0, "old");
  const first = opened.tell(
    ...firstLook(cachesOf({ podsOf: () => [old], taskResultsOf: () => [oldResult] }), retriedWorkflow()),
  );
  expect(first.demands).toMatchObject([
    { kind: "create-pod", pod: { metadata: { name: "wf", annotations: { [annotations.retryGeneration]: "1" } } } },
  ]);
  expect(opened.node).toMatchObject({ phase: "Pending" });
  expect(opened.node?.outputs).toBeUndefined();

  const { retryGeneration, createdAt } = viewPod(old);
  const gone: Change = { kind: "pod-gone", nodeId: "wf", uid: "pod-0", retryGeneration, createdAt };
  for (const late of [sees(podOf(maker, 0, ended(1))), hears(oldResult), gone, sees(old)]) {
    const decision = opened.tell(late);
    expect([decision.changedNodes.size, decision.demands]).toEqual([0, []]);
  }

  opened.tell(sees(podOf(maker, 1, running)));
  expect(opened.node?.phase).toBe("Running");
  for (const late of [gone, hears(oldResult), sees(old)]) opened.tell(late);
  expect(opened.node).toMatchObject({ phase: "Running" });
  const end = opened.tell(hears(resultOf(maker, 1, "new")), sees(podOf(maker, 1, ended(0))));
  expect(end.statusFields.phase).toBe("Succeeded");
  expect(opened.node).toMatchObject({ phase: "Succeeded", outputs: { parameters: [{ name: "value", value: "new" }] } });
});

test.each<[Maker]>([["ours"], ["argo"]])(
  "the first look at a retry that another process began (%s): its pod is the one",
  (maker) => {
    const opened = new Opened();
    const pods = [podOf(maker, 1, ended(0))];
    const first = opened.tell(
      ...firstLook(
        cachesOf({ podsOf: () => pods, taskResultsOf: () => [resultOf(maker, 1, "new")] }),
        retriedWorkflow(),
      ),
    );
    expect(first.demands).toEqual([]);
    expect(opened.node).toMatchObject({
      phase: "Succeeded",
      outputs: { parameters: [{ name: "value", value: "new" }] },
    });
  },
);

test("the end of a pod that is told with its deletion is its node's", () => {
  const opened = new Opened();
  opened.tell(...firstLook(cachesOf({ podsOf: () => [], taskResultsOf: () => [] }), retriedWorkflow()));
  const end = opened.tell(
    hears(resultOf("ours", 1, "new")),
    ...podChanges("deleted", viewPod(podOf("ours", 1, ended(3)))),
  );
  expect(end.demands).toEqual([]);
  expect(opened.node).toMatchObject({ phase: "Failed", outputs: { exitCode: "3" } });
});

test("a pod that waits for its name is asked for again as soon as the pod of the run before is gone", () => {
  const opened = new Opened();
  opened.tell(
    ...firstLook(cachesOf({ podsOf: () => [podOf("ours", 0, ended(1))], taskResultsOf: () => [] }), retriedWorkflow()),
  );
  const refused = { kind: "refused-for-now", message: "waits for pod wf of an earlier run" } as const;
  const waiting = opened.tell({
    kind: "outcome",
    outcome: { demand: "create-pod", nodeId: "wf", podName: "wf", result: refused },
  });
  expect(waiting.demands).toEqual([]);
  const again = opened.tell({ kind: "pod-gone", nodeId: "wf", uid: "pod-0", retryGeneration: 0 });
  expect(again.demands.map(({ kind }) => kind)).toEqual(["create-pod"]);
});
