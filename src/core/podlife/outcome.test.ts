import { describe, expect, test } from "vitest";
import type { NodeStatus } from "../model/argo/node.js";
import type { Template } from "../model/argo/template.js";
import { aPod, ended, finishedAt, type PodFixture, running, waiting } from "./fixtures/pod.js";
import { type AssessContext, assessPod, type PodAssessment } from "./outcome.js";
import { viewPod } from "./view-of.js";

const now = Date.parse("2026-01-01T00:01:00Z");
const node: NodeStatus = { id: "wf-1", name: "wf.a", displayName: "a", type: "Pod", phase: "Running" };
const done = { completed: true, final: false };

function assess(fixture: PodFixture, context: Partial<AssessContext> = {}): PodAssessment {
  const base: AssessContext = { node, template: undefined, taskResult: done, includeResult: false, now };
  return assessPod(viewPod(aPod(fixture)), { ...base, ...context });
}

const failed = (containers: PodFixture["containers"], more: PodFixture = {}): PodFixture => ({
  status: { phase: "Failed" },
  ...(containers === undefined ? {} : { containers }),
  ...more,
});

describe("a failed pod (Argo 4.1 behaviour 5.10)", () => {
  const ok = ended(0);
  const rows: readonly [string, PodFixture, string, string | undefined][] = [
    ["main's exit code", failed({ main: ended(1), wait: ok }), "Failed", "main: Error (exit code 1)"],
    ["OOM", failed({ main: ended(137, "OOMKilled"), wait: ok }), "Failed", "main: OOMKilled (exit code 137)"],
    [
      "a termination message",
      failed({ main: ended(64, "Error", "failed to find name in PATH"), wait: ok }),
      "Failed",
      "main: Error (exit code 64): failed to find name in PATH",
    ],
    ["wait", failed({ main: ok, wait: ended(137) }), "Error", "wait: Error (exit code 137)"],
    ["main before wait", failed({ wait: ended(1), main: ended(3) }), "Failed", "main: Error (exit code 3)"],
    ["a sidecar", failed({ main: ok, wait: ok, side: ended(4) }), "Failed", "side: Error (exit code 4)"],
    ["a signalled sidecar", failed({ main: ok, wait: ok, side: ended(143) }), "Succeeded", undefined],
    ["a killed sidecar", failed({ main: ok, wait: ok, side: ended(137) }), "Succeeded", undefined],
    [
      "supervisor before a main with 65",
      failed({ main: ended(65), supervisor: ended(1) }),
      "Error",
      "supervisor: Error (exit code 1)",
    ],
    [
      "init",
      failed(
        { main: waiting("PodInitializing") },
        { initContainers: { init: ended(64, "Error", "artifact in failed to load") } },
      ),
      "Error",
      "init: Error (exit code 64): artifact in failed to load",
    ],
    [
      "a user's init container",
      failed({ main: waiting("PodInitializing") }, { initContainers: { init: ok, myinit: ended(3) } }),
      "Failed",
      "myinit: Error (exit code 3)",
    ],
    [
      "main never began",
      failed({ main: waiting("PodInitializing") }, { initContainers: { init: ok, mine: ended(137) } }),
      "Error",
      "Pod failed before main container starts due to PodInitializing: ",
    ],
    [
      "the pod's own message",
      failed(
        { main: ended(143) },
        { status: { phase: "Failed", message: "Pod was active on the node longer than the specified deadline" } },
      ),
      "Failed",
      "Pod was active on the node longer than the specified deadline",
    ],
    ["no container status", failed({}), "Failed", "can't find failed message for pod wf-a-1 namespace argo"],
    [
      "main still running",
      failed({ main: running(), wait: ok }),
      "Failed",
      "pod failed: main container did not complete successfully",
    ],
    [
      "wait still running",
      failed({ main: ok, wait: running() }),
      "Failed",
      "pod failed: wait container did not complete successfully",
    ],
    [
      "both still running",
      failed({ main: running(), wait: running() }),
      "Failed",
      "pod failed: neither main nor wait container completed successfully",
    ],
    [
      "a container that nobody saw end",
      failed({ main: ended(137, "ContainerStatusUnknown", "lost with its owner") }),
      "Error",
      "main: ContainerStatusUnknown (exit code 137): lost with its owner",
    ],
  ];
  test.each(rows)("%s", (_name, fixture, phase, message) => {
    const result = assess(fixture);
    expect([result.phase, result.message]).toEqual([phase, message]);
  });
});

describe("disruption (lessons A-23): Argo's Failed, Error where the configuration says so", () => {
  const evicted = { phase: "Failed" as const, reason: "Evicted", message: "The node was low on resource: memory." };
  const target = { phase: "Failed" as const, conditions: [{ type: "DisruptionTarget", status: "True" as const }] };
  test.each([
    ["evicted", failed({ main: ended(143) }, { status: evicted }), "Failed", "Error"],
    ["node lost", failed({ main: ended(137) }, { status: { phase: "Failed", reason: "NodeLost" } }), "Failed", "Error"],
    ["preempted", failed({ main: ended(143) }, { status: target }), "Failed", "Error"],
    ["its own failure", failed({ main: ended(3) }, { status: target }), "Failed", "Failed"],
    ["plain", failed({ main: ended(1) }), "Failed", "Failed"],
  ] as const)("%s", (_name, fixture, byDefault, asError) => {
    expect(assess(fixture).phase).toBe(byDefault);
    expect(assess(fixture, { disruption: "Error" }).phase).toBe(asError);
  });
});

describe("a pending pod", () => {
  const pending = (containers: PodFixture["containers"], more: PodFixture["status"] = {}): PodFixture => ({
    status: { phase: "Pending", ...more },
    ...(containers === undefined ? {} : { containers }),
  });
  const unschedulable = { type: "PodScheduled", status: "False" as const, reason: "Unschedulable" };
  test.each([
    ["a reason alone", pending({ main: waiting("PodInitializing") }), "PodInitializing"],
    [
      "with a message",
      pending({ main: waiting("ImagePullBackOff", "no such image") }),
      "ImagePullBackOff: no such image",
    ],
    ["no place", pending({}, { conditions: [{ ...unschedulable, message: "0/1 nodes" }] }), "Unschedulable: 0/1 nodes"],
    ["no place, no word", pending({}, { conditions: [unschedulable] }), "Unschedulable"],
    ["nothing known", pending({}), undefined],
  ])("%s", (_name, fixture, message) => {
    const began = { ...node, phase: "Pending" as const };
    expect(assess(fixture, { node: began })).toMatchObject({ phase: "Pending", message, withheld: undefined });
  });
  test("is an older view where the node runs", () => {
    const told = { ...node, message: "told", daemoned: true };
    const seen = assess(pending({ main: waiting("PodInitializing") }), { node: told, template: { daemon: true } });
    expect(seen).toMatchObject({ phase: "Running", message: "told", daemoned: true });
  });
});

describe("a running pod", () => {
  const daemon: Template = { daemon: true };
  test("is Running, and what it said while Pending goes", () => {
    const wasPending = { ...node, phase: "Pending" as const, message: "PodInitializing" };
    expect(assess({}, { node: wasPending })).toMatchObject({ phase: "Running", message: undefined, daemoned: false });
  });
  test("keeps a message that came from elsewhere", () => {
    expect(assess({}, { node: { ...node, message: "told" } }).message).toBe("told");
  });
  test("a daemon is up when all its containers are ready", () => {
    const up: PodFixture = { status: { phase: "Running", podIP: "10.0.0.1" } };
    expect(assess(up, { template: daemon })).toMatchObject({ phase: "Running", daemoned: true, podIP: "10.0.0.1" });
    const starting: PodFixture = { containers: { main: running(), wait: waiting("ContainerCreating") } };
    const pendingNode = { ...node, phase: "Pending" as const, message: "ContainerCreating" };
    expect(assess(starting, { template: daemon, node: pendingNode })).toMatchObject({
      phase: "Pending",
      message: "ContainerCreating",
      daemoned: false,
      podIP: undefined,
    });
  });
  test("a daemon that ends is Failed, and says so", () => {
    const fixture: PodFixture = { status: { phase: "Succeeded" }, containers: { main: ended(0), wait: ended(0) } };
    expect(assess(fixture, { template: daemon })).toMatchObject({ phase: "Failed", exitCode: "0", daemoned: false });
    expect(assess(fixture, { template: daemon }).message).toContain("daemon ended");
  });
});

describe("a succeeded pod", () => {
  const succeeded = (containers: PodFixture["containers"]): PodFixture => ({
    status: { phase: "Succeeded" },
    ...(containers === undefined ? {} : { containers }),
  });
  const good = succeeded({ main: ended(0), wait: ended(0) });
  test("gives phase, exit code, end and what it used", () => {
    expect(assess(good)).toMatchObject({ phase: "Succeeded", message: undefined, exitCode: "0", finishedAt });
    // Two containers, 10 s each: 100m of a CPU is 1 s, 100Mi is one unit of memory.
    expect(assess(good).resourcesDuration).toEqual({ cpu: 2, memory: 20 });
  });
  test("never without a main that ended with 0 (lessons A-25)", () => {
    expect(assess(succeeded({ main: running() })).phase).toBe("Failed");
    expect(assess(succeeded({})).phase).toBe("Failed");
  });
  test("waits for the executor, which may be saving outputs", () => {
    const saving: PodFixture = { status: { phase: "Succeeded" }, containers: { main: ended(0), wait: running() } };
    expect(assess(saving)).toMatchObject({ phase: "Running", withheld: "executor-running", finishedAt: undefined });
  });
  test("waits for its task result, one rule for every cause (lessons A-24)", () => {
    const open = { phase: "Running", withheld: "task-result-open" };
    expect(assess(good, { taskResult: undefined })).toMatchObject(open);
    expect(assess(good, { taskResult: { completed: false, final: false } })).toMatchObject(open);
    expect(assess(good, { taskResult: { completed: false, final: true } }).phase).toBe("Succeeded");
    expect(assess(failed({ main: ended(1) }), { taskResult: undefined })).toMatchObject(open);
  });
  test("does not wait where there is nothing to report", () => {
    const metadata = { name: "wf-a-1", annotations: { "tiphys.dev/task-result": "none" } };
    const fixture: PodFixture = { metadata, status: { phase: "Succeeded" }, containers: { main: ended(0) } };
    expect(assess(fixture, { taskResult: undefined }).phase).toBe("Succeeded");
  });
  test("a report cut short leaves no silent gap", () => {
    const template: Template = {
      outputs: {
        parameters: [
          { name: "p", valueFrom: { path: "/p" } },
          { name: "e", valueFrom: { expression: "1" } },
        ],
        artifacts: [
          { name: "a", path: "/a" },
          { name: "o", path: "/o", optional: true },
        ],
      },
    };
    const cut = { completed: false, final: true };
    expect(assess(good, { template, taskResult: cut, includeResult: true })).toMatchObject({
      phase: "Error",
      message: "outputs were not reported: parameter p, artifact a, result",
    });
    const outputs = { parameters: [{ name: "p", value: "1" }], artifacts: [{ name: "a" }], result: "r" };
    const full = { ...node, outputs };
    expect(assess(good, { template, taskResult: cut, includeResult: true, node: full }).phase).toBe("Succeeded");
  });
});

test("a pod of an unknown phase is an Error", () => {
  expect(assess({ status: { phase: "Unknown" } })).toMatchObject({
    phase: "Error",
    message: "Unexpected pod phase for wf-a-1: Unknown",
  });
});

test("a lost machine makes an Error, unless the pod had ended before", () => {
  expect(assess({}, { nodeLost: true })).toMatchObject({ phase: "Error", withheld: undefined });
  expect(assess({}, { nodeLost: true }).message).toContain("node lost: node-1");
  const ok: PodFixture = { status: { phase: "Succeeded" }, containers: { main: ended(0) } };
  expect(assess(ok, { nodeLost: true }).phase).toBe("Succeeded");
});

test("what nobody will report any more is not waited for", () => {
  const atWork: PodFixture = { containers: { main: running(), wait: running() } };
  expect(assess(atWork, { nodeLost: true, taskResult: undefined })).toMatchObject({
    phase: "Error",
    withheld: undefined,
  });
  const unknown: PodFixture = { ...atWork, status: { phase: "Unknown" } };
  expect(assess(unknown, { taskResult: undefined })).toMatchObject({ phase: "Error", withheld: undefined });
});

test("the same twice", () => {
  const view = viewPod(aPod(failed({ main: ended(1) })));
  const context: AssessContext = { node, template: undefined, taskResult: done, includeResult: false, now };
  expect(assessPod(view, context)).toEqual(assessPod(view, context));
});
