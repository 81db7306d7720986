import { expect, test } from "vitest";
import { labels } from "../../core/model/argo/names.js";
import type { NodeStatus } from "../../core/model/argo/node.js";
import type { Workflow } from "../../core/model/argo/workflow.js";
import type { Pod } from "../../core/model/kube/pod.js";
import { aPod, ended, type PodFixture, running } from "../../core/podlife/fixtures/pod.js";
import { getLines } from "./get.js";
import { podWaits, type WaitContext } from "./pod-waits.js";
import { plainStyle } from "./style.js";

const foreignOwner = [
  { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", name: "wf", uid: "other", controller: true },
];
const metadata = aPod().metadata;
const freed = { ...metadata.labels, [labels.completed]: "true" };

/** The pods of these tests ended at ten seconds past midnight. */
const midnight = Date.parse("2026-01-01T00:00:00Z");
function context(seconds: number, failed: WaitContext["failed"] = new Map()): WaitContext {
  return { now: midnight + seconds * 1000, podGCDelayMs: undefined, failed };
}

function workflowOf(node: Partial<NodeStatus>, more: Partial<Workflow> = {}): Workflow {
  const whole: NodeStatus = {
    id: "wf-1",
    name: "wf.a",
    displayName: "a",
    type: "Pod",
    templateName: "a",
    templateScope: "local/wf",
    boundaryID: "wf",
    phase: "Running",
    startedAt: "2026-01-01T00:00:00Z",
    ...node,
  };
  const root: NodeStatus = {
    ...whole,
    id: "wf",
    name: "wf",
    displayName: "wf",
    type: "Steps",
    phase: "Running",
    children: ["wf-1"],
  };
  const { boundaryID: _none, message: _said, ...withoutBoundary } = root;
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "wf", namespace: "argo", uid: "wf-uid" },
    spec: {},
    status: { phase: "Running", startedAt: "2026-01-01T00:00:00Z", nodes: { wf: withoutBoundary, "wf-1": whole } },
    ...more,
  };
}

const settled = { phase: "Failed", finishedAt: "2026-01-01T00:00:10Z" } as const;
const over: PodFixture = { status: { phase: "Failed" }, containers: { main: ended(1) } };
const deleting = { deletionTimestamp: "2026-01-01T00:00:20Z", deletionGracePeriodSeconds: 30 };

interface Case {
  readonly name: string;
  readonly pod: Pod;
  readonly workflow: Workflow;
  readonly context: WaitContext;
  readonly text: string | undefined;
}

test.each<Case>([
  { name: "a step at work", pod: aPod(), workflow: workflowOf({}), context: context(5), text: undefined },
  {
    name: "a foreign finalizer",
    pod: aPod({ ...over, metadata: { ...metadata, ...deleting, finalizers: ["example.com/hold"] } }),
    workflow: workflowOf(settled),
    context: context(15),
    text: "waits for foreign finalizer example.com/hold",
  },
  {
    name: "the end of its grace",
    pod: aPod({ containers: { main: running() }, spec: { terminationGracePeriodSeconds: 30 } }),
    workflow: workflowOf(settled),
    context: context(18),
    text: "signalled 8 s ago, killed in 22 s",
  },
  {
    name: "the controller to save what it knows",
    pod: aPod(over),
    workflow: workflowOf({}),
    context: context(12),
    text: "waits for its outcome to be saved",
  },
  {
    name: "a delay of podGC",
    pod: aPod(over),
    workflow: workflowOf(settled, { spec: { podGC: { strategy: "OnPodCompletion" } } }),
    context: context(12),
    text: "is deleted in 3 s (podGC)",
  },
  {
    name: "nothing worth a word: podGC comes with the end of the workflow",
    pod: aPod({ ...over, metadata: { ...metadata, finalizers: [], labels: freed } }),
    workflow: workflowOf(settled, { spec: { podGC: { strategy: "OnWorkflowCompletion" } } }),
    context: context(60),
    text: undefined,
  },
  {
    name: "an API that refuses",
    pod: aPod(over),
    workflow: workflowOf(settled),
    context: context(60, new Map([["pod-uid", { code: 403, message: "no", nextTryAt: midnight + 72_000 }]])),
    text: "API refuses (403): no, next try in 12 s",
  },
  {
    name: "a refusal of long ago that no longer matters",
    pod: aPod(),
    workflow: workflowOf({}),
    context: context(60, new Map([["pod-uid", { code: 403, message: "no", nextTryAt: midnight }]])),
    text: undefined,
  },
  {
    name: "a slot",
    pod: aPod({
      status: { phase: "Pending", message: "waits for a slot (8 of 8)" },
      containers: { main: { waiting: { reason: "ContainerCreating" } } },
    }),
    workflow: workflowOf({ phase: "Pending" }),
    context: context(1),
    text: "waits for a slot (8 of 8)",
  },
  {
    name: "nothing of this workflow's",
    pod: aPod({ ...over, metadata: { ...metadata, ownerReferences: foreignOwner } }),
    workflow: workflowOf({}),
    context: context(12),
    text: undefined,
  },
])("waits for $name", ({ pod, workflow, context: when, text }) => {
  expect(podWaits(workflow, [pod], when).get("wf-1")).toBe(text);
});

test("stands behind the step's own message", () => {
  const workflow = workflowOf({ ...settled, message: "main: Error (exit code 1)" });
  const waits = new Map([["wf-1", "waits for foreign finalizer example.com/hold"]]);
  const options = {
    columns: "short",
    style: plainStyle,
    now: midnight,
    selects: () => true,
    utcOffsetMinutes: () => 0,
  } as const;
  expect(getLines(workflow, { ...options, waits }).join("\n")).toContain(
    "main: Error (exit code 1); pod waits for foreign finalizer example.com/hold",
  );
  expect(getLines(workflow, options).join("\n")).not.toContain("pod waits");
});
