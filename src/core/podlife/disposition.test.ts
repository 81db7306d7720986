import { describe, expect, test } from "vitest";
import { labels, podFinalizer } from "../model/argo/names.js";
import type { NodeStatus } from "../model/argo/node.js";
import type { PodGC, Workflow, WorkflowPhase } from "../model/argo/workflow.js";
import { type Disposition, dispositionOf } from "./disposition.js";
import { explainDisposition } from "./explain.js";
import { aPod, ended, type PodFixture, running, waiting } from "./fixtures/pod.js";
import { type FactSources, gatherFacts } from "./gather.js";
import { viewPod } from "./view-of.js";

const at = (seconds: number): string => `2026-01-01T00:00:${String(seconds).padStart(2, "0")}Z`;
const ms = (seconds: number): number => Date.parse(at(seconds));

const node: NodeStatus = { id: "wf-1", name: "wf.a", displayName: "a", type: "Pod", phase: "Running" };
const settled: NodeStatus = { ...node, phase: "Failed", finishedAt: at(12) };

interface WorkflowFixture {
  readonly podGC?: PodGC;
  readonly phase?: WorkflowPhase;
  readonly startedAt?: string;
  readonly metadata?: Workflow["metadata"];
}

function aWorkflow({ podGC, phase = "Running", startedAt = at(0), metadata = {} }: WorkflowFixture = {}): Workflow {
  const finished = phase === "Running" ? {} : { finishedAt: at(20) };
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "wf", namespace: "argo", uid: "wf-uid", ...metadata },
    spec: podGC === undefined ? {} : { podGC },
    status: { phase, startedAt, ...finished },
  };
}

interface Case {
  readonly pod?: PodFixture;
  readonly workflow?: WorkflowFixture;
  readonly sources?: Partial<FactSources>;
}

function decide({ pod, workflow, sources }: Case): Disposition {
  const facts = gatherFacts(viewPod(aPod(pod)), {
    sighting: { kind: "seen", workflow: aWorkflow(workflow) },
    node,
    template: undefined,
    hostLost: false,
    podGCDelayMs: 5_000,
    now: ms(30),
    ...sources,
  });
  return dispositionOf(facts);
}

const over = (exitCode = 0): PodFixture => ({
  status: { phase: exitCode === 0 ? "Succeeded" : "Failed" },
  containers: { main: ended(exitCode), wait: ended(0) },
});
const deleted = { deletionTimestamp: at(31), deletionGracePeriodSeconds: 30 };
const podWith = (metadata: object, fixture: PodFixture = {}): PodFixture => ({
  ...fixture,
  metadata: { ...aPod().metadata, ...metadata },
});

describe("podGC, as the recorded matrix has it", () => {
  const saved: NodeStatus = { ...node, phase: "Succeeded", finishedAt: at(11) };
  const failed: NodeStatus = { ...node, phase: "Failed", finishedAt: at(11) };
  const label = { kind: "release", label: "completed" };
  const free = { kind: "release", label: "as-is" };
  const due = (seconds: number) => ({ kind: "delete", notBefore: ms(seconds) });
  test.each<[string, PodGC | undefined, NodeStatus, WorkflowPhase, object]>([
    ["none", undefined, saved, "Running", label],
    ["none, workflow over", undefined, failed, "Failed", label],
    ["OnPodCompletion", { strategy: "OnPodCompletion" }, saved, "Running", due(16)],
    ["OnPodCompletion, failed", { strategy: "OnPodCompletion" }, failed, "Running", due(16)],
    [
      "OnPodCompletion, own delay",
      { strategy: "OnPodCompletion", deleteDelayDuration: "10s" },
      saved,
      "Running",
      due(21),
    ],
    ["OnPodCompletion, seconds", { strategy: "OnPodCompletion", deleteDelayDuration: 2 }, saved, "Running", due(13)],
    ["OnPodSuccess", { strategy: "OnPodSuccess" }, saved, "Running", due(16)],
    ["OnPodSuccess, failed", { strategy: "OnPodSuccess" }, failed, "Running", label],
    ["OnWorkflowCompletion, running", { strategy: "OnWorkflowCompletion" }, saved, "Running", free],
    ["OnWorkflowCompletion, over", { strategy: "OnWorkflowCompletion" }, saved, "Failed", due(25)],
    ["OnWorkflowSuccess, running", { strategy: "OnWorkflowSuccess" }, failed, "Running", free],
    ["OnWorkflowSuccess, succeeded", { strategy: "OnWorkflowSuccess" }, failed, "Succeeded", due(25)],
    ["OnWorkflowSuccess, failed", { strategy: "OnWorkflowSuccess" }, saved, "Error", label],
    [
      "a selector that does not match (lessons A-16)",
      { strategy: "OnPodCompletion", labelSelector: { matchLabels: { x: "y" } } },
      saved,
      "Running",
      label,
    ],
    [
      "a selector that matches",
      {
        strategy: "OnPodCompletion",
        labelSelector: {
          matchLabels: { [labels.workflow]: "wf" },
          matchExpressions: [
            { key: "x", operator: "DoesNotExist" },
            { key: labels.workflow, operator: "In", values: ["wf"] },
            { key: labels.workflow, operator: "Exists" },
            { key: "y", operator: "NotIn", values: ["z"] },
          ],
        },
      },
      saved,
      "Running",
      due(16),
    ],
  ])("%s", (_name, podGC, savedNode, phase, expected) => {
    const workflow = { phase, ...(podGC === undefined ? {} : { podGC }) };
    const pod = over(savedNode.phase === "Succeeded" ? 0 : 1);
    expect(decide({ pod, workflow, sources: { node: savedNode } })).toMatchObject(expected);
  });

  test("what was labelled in the first run is deleted when the retried run succeeds (lessons A-14)", () => {
    const pod = podWith({ labels: { [labels.completed]: "true" }, finalizers: [] }, over());
    const workflow = { podGC: { strategy: "OnWorkflowSuccess" as const }, phase: "Succeeded" as const };
    expect(decide({ pod, workflow, sources: { node: saved } })).toMatchObject(due(25));
  });

  test("a step that was settled before its pod ended counts from the pod's end", () => {
    const early: NodeStatus = { ...failed, finishedAt: at(4) };
    const workflow = { podGC: { strategy: "OnPodCompletion" as const } };
    expect(decide({ pod: over(143), workflow, sources: { node: early } })).toMatchObject(due(15));
  });
});

describe("the outcome before the release", () => {
  test("an ended pod stays until its node is settled and its result is in", () => {
    expect(decide({ pod: over() })).toMatchObject({ kind: "keep", why: "outcome-unsaved" });
    const unsynced: NodeStatus = { ...settled, taskResultSynced: false };
    expect(decide({ pod: over(), sources: { node: unsynced } })).toMatchObject({ why: "outcome-unsaved" });
    expect(decide({ pod: over(), sources: { node: settled } })).toMatchObject({ kind: "release", label: "completed" });
  });
  test("deleted from outside: ended by the kubelet, saved, freed", () => {
    expect(decide({ pod: podWith(deleted) })).toMatchObject({ kind: "keep", why: "ending" });
    expect(decide({ pod: podWith(deleted, over(143)) })).toMatchObject({ why: "outcome-unsaved" });
    expect(decide({ pod: podWith(deleted, over(143)), sources: { node: settled } })).toMatchObject({ kind: "release" });
  });
  test("deleted before it was bound: freed at once", () => {
    const pod = podWith(deleted, { spec: {}, status: { phase: "Pending" }, containers: {} });
    const unbound = { ...pod, spec: { nodeName: "" } };
    expect(decide({ pod: unbound, sources: { node: { ...node, phase: "Pending" } } })).toMatchObject({
      kind: "release",
      label: "as-is",
    });
  });
  test("a node that is gone: Error first, then freed", () => {
    const lost = { hostLost: true, now: ms(59) };
    expect(decide({ pod: podWith(deleted), sources: lost })).toMatchObject({ kind: "keep", why: "node-lost" });
    expect(decide({ pod: podWith(deleted), sources: { ...lost, node: settled } })).toMatchObject({ kind: "release" });
    expect(decide({ pod: podWith(deleted), sources: { hostLost: true } })).toMatchObject({ why: "ending" });
  });
});

describe("a workflow that is over, or whose nodes are stored elsewhere", () => {
  const over1 = { phase: "Failed" as const };
  test("holds no pod whose node was left open (lessons G.2, 4)", () => {
    expect(decide({ pod: over(), workflow: over1 })).toMatchObject({ kind: "release", label: "completed" });
    expect(decide({ workflow: over1 })).toMatchObject({ kind: "end-containers", deleteAt: ms(50) });
  });
  test("absence of a node proves nothing where the nodes are compressed", () => {
    const facts = (phase: WorkflowPhase) => {
      const workflow = aWorkflow({ phase });
      const packed = { ...workflow, status: { ...workflow.status, compressedNodes: "H4sI" } };
      return { node: undefined, sighting: { kind: "seen" as const, workflow: packed } };
    };
    expect(decide({ sources: facts("Running") })).toMatchObject({ kind: "keep", why: "running" });
    expect(decide({ pod: over(), sources: facts("Running") })).toMatchObject({ why: "outcome-unsaved" });
    expect(decide({ pod: over(), sources: facts("Error") })).toMatchObject({ kind: "release" });
  });
});

test("a Terminating pod is looked at again when its grace is over", () => {
  expect(decide({ pod: podWith(deleted) })).toMatchObject({ why: "ending", recheckAt: ms(41) });
  expect(decide({})).toMatchObject({ why: "running", recheckAt: undefined });
});

describe("ending what runs", () => {
  const pod: PodFixture = { containers: { main: running(), wait: running(), side: running() } };
  test("terminate: signal, grace counted from the saved settlement, then deletion under the finalizer", () => {
    expect(decide({ pod, sources: { node: settled } })).toMatchObject({
      kind: "end-containers",
      containers: ["main", "side"],
      signal: "SIGTERM",
      graceSeconds: 30,
      deleteAt: ms(42),
    });
  });
  test("a short grace", () => {
    const short = { ...pod, spec: { terminationGracePeriodSeconds: 2, containers: [] } };
    expect(decide({ pod: short, sources: { node: settled } })).toMatchObject({ graceSeconds: 2, deleteAt: ms(14) });
  });
  test("a pod that has a machine but began nothing is deleted at once", () => {
    const creating = { status: { phase: "Pending" as const }, containers: { main: waiting("ContainerCreating") } };
    expect(decide({ pod: creating, sources: { node: settled } })).toMatchObject({
      kind: "end-containers",
      deleteAt: ms(30),
    });
  });
  test("a pending pod without a machine goes (lessons A-27)", () => {
    const pending = { spec: { nodeName: "" }, status: { phase: "Pending" as const }, containers: {} };
    expect(decide({ pod: pending, sources: { node: settled } })).toMatchObject({ kind: "delete", notBefore: ms(30) });
  });
  test("main has obeyed: the executor has the rest of the grace for its outputs (lessons G.3, 10)", () => {
    const saving: PodFixture = { containers: { main: ended(0), wait: running() } };
    const ending = decide({ pod: saving, sources: { node: settled } });
    expect(ending).toMatchObject({ kind: "end-containers", containers: [], deleteAt: ms(42) });
  });
  test("only the executor began: nothing is waited for", () => {
    const stuck: PodFixture = { containers: { main: waiting("ErrImageNeverPull"), wait: running() } };
    const ending = decide({ pod: stuck, sources: { node: settled } });
    expect(ending).toMatchObject({ kind: "end-containers", containers: [], deleteAt: ms(30) });
  });
  test("at the moment the grace of a deletion is over, it is over", () => {
    const lost = { pod: podWith(deleted), sources: { hostLost: true, now: ms(41) } };
    expect(decide(lost)).toMatchObject({ why: "node-lost" });
  });
  test("sidecars are ended once main and wait have", () => {
    const saving: PodFixture = { containers: { main: ended(0), wait: running(), side: running() } };
    expect(decide({ pod: saving })).toMatchObject({ kind: "keep", why: "running" });
    const left: PodFixture = { containers: { main: ended(0), wait: ended(0), side: running() } };
    expect(decide({ pod: left })).toMatchObject({ kind: "end-containers", containers: ["side"], deleteAt: ms(40) });
  });
  test("a daemon that is up is left up", () => {
    expect(decide({ pod, sources: { node: { ...node, daemoned: true } } })).toMatchObject({
      kind: "keep",
      why: "running",
    });
  });
});

describe("owners", () => {
  const gone = { sighting: { kind: "gone" as const }, node: undefined };
  const dying = {
    metadata: { name: "wf", uid: "wf-uid", deletionTimestamp: at(25), finalizers: ["foregroundDeletion"] },
  };
  const orphaning = { metadata: { ...dying.metadata, finalizers: ["orphan"] } };
  test.each<[string, Case, object]>([
    ["not in the cache", { sources: { sighting: { kind: "unseen" } } }, { why: "owner-unproven" }],
    ["of the same name, another UID", { workflow: { metadata: { uid: "other" } } }, { why: "owner-unproven" }],
    ["proven gone, running", { sources: gone }, { kind: "end-containers", deleteAt: ms(30) }],
    ["proven gone, ended", { pod: over(), sources: gone }, { kind: "release", label: "completed" }],
    ["deleting in the foreground, running", { workflow: dying }, { kind: "end-containers", deleteAt: ms(55) }],
    ["deleting, ended, never saved", { pod: over(), workflow: dying }, { kind: "release" }],
    ["orphaning, running", { workflow: orphaning }, { kind: "keep", why: "left-alone" }],
    [
      "orphaning, ended (lessons G.3, 15)",
      { pod: over(), workflow: orphaning },
      { kind: "release", label: "completed" },
    ],
    ["taken off, ended", { pod: podWith({ ownerReferences: [] }, over()) }, { kind: "release", label: "completed" }],
    ["never ours", { pod: podWith({ ownerReferences: [], finalizers: [] }) }, { why: "not-ours" }],
    ["component", { pod: podWith({ labels: { [labels.component]: "agent" } }) }, { why: "component" }],
  ])("%s", (_name, one, expected) => {
    expect(decide(one)).toMatchObject(expected);
  });
});

describe("retry generations and restarts (lessons A-30)", () => {
  const retried = { metadata: { name: "wf", uid: "wf-uid", annotations: { "tiphys.dev/retry-generation": "1" } } };
  test.each<[string, Case, object]>([
    ["an old pod of a node that runs again", { pod: over(), workflow: retried }, { kind: "delete", notBefore: ms(30) }],
    ["an old pod still running", { workflow: retried }, { kind: "end-containers", deleteAt: ms(30) }],
    [
      "an old pod of a node that is no more",
      { pod: over(), workflow: retried, sources: { node: undefined } },
      { kind: "delete" },
    ],
    [
      "an old pod of a node that was kept",
      { pod: over(), workflow: retried, sources: { node: settled } },
      { kind: "release" },
    ],
    [
      "an old pod that is Terminating and ended",
      { pod: podWith(deleted, over()), workflow: retried },
      { kind: "release", label: "as-is" },
    ],
    [
      "a pod that Argo made",
      { pod: podWith({ annotations: {} }), workflow: retried },
      { kind: "keep", why: "running" },
    ],
    [
      "a pod that Argo made in an earlier run",
      { pod: podWith({ annotations: {} }, over()), workflow: { ...retried, startedAt: at(1) } },
      { kind: "delete" },
    ],
    [
      "a pod that a restart replaces",
      { pod: over(1), sources: { node: { ...node, restartingPodUID: "pod-uid" } } },
      { kind: "delete" },
    ],
    ["surplus: no such node", { pod: over(), sources: { node: undefined } }, { kind: "delete" }],
    ["surplus: running", { sources: { node: undefined } }, { kind: "end-containers" }],
  ])("%s", (_name, one, expected) => {
    expect(decide(one)).toMatchObject(expected);
  });
});

test("labels that someone changed on a working pod are put back (lessons G.3, 13)", () => {
  expect(decide({})).toMatchObject({ kind: "keep", repair: {} });
  const byHand = podWith({ labels: { [labels.completed]: "true" } });
  expect(decide({ pod: byHand })).toMatchObject({
    kind: "keep",
    why: "running",
    repair: { [labels.completed]: "false", [labels.workflow]: "wf" },
  });
});

test("malformed labels, annotations and times decide nothing and break nothing (lessons A-34)", () => {
  const odd = podWith({
    labels: { [labels.completed]: "maybe" },
    annotations: { "tiphys.dev/retry-generation": "one", "workflows.argoproj.io/pod-gc-strategy": "///" },
    deletionTimestamp: "soon",
  });
  expect(decide({ pod: odd }).kind).toBe("keep");
});

describe("what a pod waits for, in words", () => {
  const text = (one: Case, failed?: { code: number | undefined; message: string; nextTryAt: number }) =>
    explainDisposition(decide(one), { pod: viewPod(aPod(one.pod)), now: ms(30), ...(failed ? { failed } : {}) });
  test.each<[string, Case, string | undefined]>([
    ["nothing", {}, undefined],
    [
      "foreign finalizer",
      { pod: podWith({ ...deleted, finalizers: ["x.io/a"] }, over()) },
      "waits for foreign finalizer x.io/a",
    ],
    ["two of them", { pod: podWith({ ...deleted, finalizers: ["a", "b"] }) }, "waits for foreign finalizers a, b"],
    ["the kubelet", { pod: podWith(deleted) }, "was told to end, is killed in 1 s"],
    ["the save", { pod: over() }, "waits for its outcome to be saved"],
    ["grace", { sources: { node: { ...settled, finishedAt: at(22) } } }, "signalled 8 s ago, killed in 22 s"],
    [
      "podGC",
      {
        pod: over(),
        workflow: { podGC: { strategy: "OnPodCompletion", deleteDelayDuration: 40 } },
        sources: { node: settled },
      },
      "is deleted in 22 s (podGC)",
    ],
    ["proof", { sources: { sighting: { kind: "unseen" } } }, "waits for proof that its workflow is gone"],
  ])("%s", (_name, one, expected) => {
    expect(text(one)).toBe(expected);
  });
  test("a refusal is told before all else", () => {
    expect(text({ pod: over() }, { code: 403, message: "denied", nextTryAt: ms(42) })).toBe(
      "API refuses (403): denied, next try in 12 s",
    );
    expect(text({}, { code: undefined, message: "timeout", nextTryAt: ms(31) })).toBe(
      "API gives no answer: timeout, next try in 1 s",
    );
  });
});

test("our finalizer is Argo's", () => {
  expect(podFinalizer).toBe("workflows.argoproj.io/status");
});
