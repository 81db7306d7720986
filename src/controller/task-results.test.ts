import { expect, test } from "vitest";
import type { Change } from "../core/engine/contract.js";
import { plainOptions, start, workflowOf } from "../core/engine/engine.fixture.js";
import { openRun } from "../core/engine/run.js";
import { annotations, labels } from "../core/model/argo/names.js";
import type { WorkflowTaskResult } from "../core/model/argo/workflow.js";
import type { Pod } from "../core/model/kube/pod.js";
import { viewPod } from "../core/podlife/index.js";
import { rfc3339OfMs } from "../core/std/time.js";
import type { Client } from "../kube/client.js";
import { ApiError } from "../kube/errors.js";
import { VirtualClock } from "../kube/testing/virtual-clock.js";
import { OpenRun } from "./open-runs.js";
import { TaskResultReader } from "./task-results.js";
import { cachesOf } from "./testing/caches.js";

const before = rfc3339OfMs(start);
const since = rfc3339OfMs(start + 60_000);

/** What the live read finds; each read takes its turn, so that a test decides when it answers. */
class Results {
  found: WorkflowTaskResult | undefined;
  onRead: () => void = () => undefined;

  get client(): Client {
    const get = async (): Promise<WorkflowTaskResult> => {
      const { found } = this;
      this.onRead();
      if (found === undefined) throw new ApiError(404, "NotFound", "no such result");
      return found;
    };
    // Nothing but `get` is ever asked.
    return { get } as unknown as Client;
  }
}

interface Made {
  /** Undefined: made by Argo. */
  readonly generation?: number;
  readonly createdAt: string;
}

function annotated({ generation }: Made): Readonly<Record<string, string>> {
  return generation === undefined ? {} : { [annotations.retryGeneration]: String(generation) };
}

function podOf(made: Made, phase: "Running" | "Succeeded" = "Succeeded"): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "wf",
      namespace: "argo",
      uid: "pod",
      creationTimestamp: made.createdAt,
      annotations: annotated(made),
    },
    spec: { containers: [{ name: "main" }] },
    status: { phase },
  };
}

function resultOf(made: Made, completed: boolean): WorkflowTaskResult {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "WorkflowTaskResult",
    metadata: {
      name: "wf",
      namespace: "argo",
      creationTimestamp: made.createdAt,
      labels: { [labels.reportOutputsCompleted]: String(completed) },
      annotations: annotated(made),
      ownerReferences: [{ apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", name: "wf", uid: "uid" }],
    },
    outputs: { result: "said" },
  };
}

function openedRun(): OpenRun {
  const workflow = workflowOf({ entrypoint: "main", templates: [] });
  return new OpenRun(workflow, openRun(workflow, plainOptions));
}

function told(open: OpenRun): readonly (readonly [string | undefined, boolean])[] {
  return open
    .take()
    .filter((change): change is Extract<Change, { kind: "task-result" }> => change.kind === "task-result")
    .map(({ result }) => [result.outputs?.result, result.final]);
}

test.each<[string, Made, Made, boolean, string | undefined]>([
  ["its own, complete", { generation: 1, createdAt: since }, { generation: 1, createdAt: since }, true, "said"],
  [
    "its own, as far as it came",
    { generation: 1, createdAt: since },
    { generation: 1, createdAt: since },
    false,
    "said",
  ],
  ["one of the run before", { generation: 1, createdAt: since }, { generation: 0, createdAt: before }, true, undefined],
  ["Argo's, made since", { generation: 1, createdAt: before }, { createdAt: since }, true, "said"],
  ["Argo's, made before the pod", { generation: 1, createdAt: since }, { createdAt: before }, true, undefined],
  ["Argo's of a first run", { generation: 0, createdAt: since }, { createdAt: since }, true, "said"],
])("a pod has ended, and the live read finds %s", async (_, pod, result, completed, expected) => {
  const results = new Results();
  results.found = resultOf(result, completed);
  const reader = new TaskResultReader(results.client, new VirtualClock(), cachesOf());
  const open = openedRun();
  reader.sawPod("uid", viewPod(podOf(pod)));
  expect(await reader.settle(open)).toBeUndefined();
  expect(told(open)).toEqual([[expected, true]]);
  expect(reader.size).toBe(0);
});

test("a pod is gone: its result is waited for, then no more", async () => {
  const results = new Results();
  const clock = new VirtualClock();
  const reader = new TaskResultReader(results.client, clock, cachesOf());
  const open = openedRun();
  let reads = 0;
  results.onRead = () => reads++;
  reader.podGone("uid", viewPod(podOf({ generation: 0, createdAt: before }, "Running")));
  expect(await reader.settle(open)).toBe(10_000);
  expect(told(open)).toEqual([]);
  // Its stream tells what still comes.
  expect(reads).toBe(0);
  await clock.advance(10_000);
  expect(await reader.settle(open)).toBeUndefined();
  expect(told(open)).toEqual([[undefined, true]]);
});

test("the node's next pod ends while the last one's result is read: its own is still asked for", async () => {
  const results = new Results();
  const reader = new TaskResultReader(results.client, new VirtualClock(), cachesOf());
  const open = openedRun();
  reader.sawPod("uid", viewPod(podOf({ generation: 0, createdAt: before })));
  results.onRead = () => {
    results.onRead = () => undefined;
    reader.sawPod("uid", viewPod(podOf({ generation: 1, createdAt: since })));
  };
  await reader.settle(open);
  expect(told(open)).toEqual([[undefined, true]]);
  results.found = resultOf({ generation: 1, createdAt: since }, true);
  await reader.settle(open);
  expect(told(open)).toEqual([["said", true]]);
});
