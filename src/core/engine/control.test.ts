import { describe, expect, test } from "vitest";
import type { PersistentVolumeClaimTemplate } from "../model/argo/workflow.js";
import { Drive, echo, start, workflowOf } from "./engine.fixture.js";

const twoSteps = {
  name: "main",
  steps: [
    [
      { name: "a", template: "echo" },
      { name: "b", template: "echo" },
    ],
    [{ name: "c", template: "echo" }],
  ],
};

describe("shutdown", () => {
  test("Stop fails what runs, with Argo's two spaces, and runs the exit handler", () => {
    const spec = { entrypoint: "main", onExit: "echo", templates: [twoSteps, echo] };
    const drive = new Drive(workflowOf(spec));
    drive.begin("wf[0].a");
    const { workflow } = drive.run;
    drive.tell([{ kind: "workflow", workflow: { ...workflow, spec: { ...spec, shutdown: "Stop" } } }]);
    expect(drive.node("wf[0].a").message).toBe("workflow shutdown with strategy:  Stop");
    expect(drive.node("wf.onExit").phase).toBe("Pending");
    drive.end("wf.onExit");
    expect(drive.phase).toBe("Failed");
    expect(drive.message).toBe("Stopped with strategy 'Stop'");
  });

  test("the pod's own end is taken up afterwards", () => {
    const spec = { entrypoint: "echo", templates: [echo] };
    const drive = new Drive(workflowOf(spec));
    drive.begin("wf");
    const { workflow } = drive.run;
    drive.tell([{ kind: "workflow", workflow: { ...workflow, spec: { ...spec, shutdown: "Terminate" } } }]);
    expect(drive.phase).toBe("Failed");
    drive.end("wf", 143);
    expect(drive.tree()).toEqual(["wf: Failed (main: Error (exit code 143))"]);
    expect(drive.node("wf").outputs).toEqual({ exitCode: "143" });
  });
});

test("spec.suspend: what runs goes on, nothing new begins until it is resumed", () => {
  const spec = { entrypoint: "main", templates: [twoSteps, echo] };
  const drive = new Drive(workflowOf(spec));
  const { workflow } = drive.run;
  drive.tell([{ kind: "workflow", workflow: { ...workflow, spec: { ...spec, suspend: true } } }]);
  drive.end("wf[0].a");
  drive.end("wf[0].b");
  expect(drive.node("wf[0]").phase).toBe("Succeeded");
  expect(drive.demands.length).toBe(2);
  drive.tell([{ kind: "workflow", workflow: { ...workflow, spec } }]);
  expect(drive.demands.length).toBe(3);
});

test("the workflow's deadline ends it, and is the time to wake", () => {
  const drive = new Drive(workflowOf({ entrypoint: "echo", activeDeadlineSeconds: 5, templates: [echo] }));
  expect(drive.last?.wakeAt).toBe(start + 5_001);
  drive.begin("wf");
  drive.wait(5_001);
  expect(drive.tree()).toEqual(["wf: Failed (Step exceeded its deadline)"]);
  expect(drive.phase).toBe("Failed");
});

test("timeout counts the time of waiting for a pod", () => {
  const drive = new Drive(workflowOf({ entrypoint: "echo", templates: [{ ...echo, timeout: "3s" }] }));
  expect(drive.last?.wakeAt).toBe(start + 3_001);
  drive.wait(3_001);
  expect(drive.tree()).toEqual(["wf: Failed (timeout)"]);
});

test.each([
  ["timeout", { entrypoint: "echo", templates: [{ ...echo, timeout: "3s" }] }],
  ["pendingTimeout", { entrypoint: "echo", templates: [{ ...echo, pendingTimeout: "3s" }] }],
  ["the workflow's deadline", { entrypoint: "echo", activeDeadlineSeconds: 3, templates: [echo] }],
])("what ended in time while no controller ran is not late for %s", (_limit, spec) => {
  const drive = new Drive(workflowOf(spec));
  drive.endUnseen("wf");
  drive.now += 60_000;
  drive.restart();
  expect(drive.tree()).toEqual(["wf: Succeeded"]);
  expect(drive.phase).toBe("Succeeded");
});

test("parallelism: as many at once as the workflow allows, in order", () => {
  const loop = { name: "a", template: "echo", withItems: [1, 2, 3] };
  const drive = new Drive(
    workflowOf({ entrypoint: "main", parallelism: 1, templates: [{ name: "main", steps: [[loop]] }, echo] }),
  );
  expect(drive.tree().filter((line) => line.includes("("))).toEqual(["wf[0].a(0:1): Pending"]);
  drive.end("wf[0].a(0:1)");
  expect(drive.node("wf[0].a(1:2)").phase).toBe("Pending");
  expect(drive.demands.length).toBe(2);
});

test("suspend: outputs that nobody gave take their default when the time is over", () => {
  const approve = {
    name: "approve",
    suspend: { duration: "10" },
    outputs: { parameters: [{ name: "answer", valueFrom: { supplied: {}, default: "no" } }] },
  };
  const drive = new Drive(workflowOf({ entrypoint: "approve", templates: [approve] }));
  expect(drive.tree()).toEqual(["wf: Running"]);
  expect(drive.last?.wakeAt).toBe(start + 10_001);
  drive.wait(10_001);
  expect(drive.node("wf").outputs).toEqual({ parameters: [{ name: "answer", value: "no" }] });
  expect(drive.phase).toBe("Succeeded");
});

test("claims are made before anything runs, and given back after success", () => {
  const claim: PersistentVolumeClaimTemplate = { metadata: { name: "work" }, spec: {} };
  const drive = new Drive(workflowOf({ entrypoint: "echo", volumeClaimTemplates: [claim], templates: [echo] }));
  expect(drive.demands.map(({ kind }) => kind)).toEqual(["create-pvc"]);
  drive.tell([{ kind: "outcome", outcome: { demand: "create-pvc", name: "wf-work", result: { kind: "created" } } }]);
  expect(drive.demands.map(({ kind }) => kind)).toEqual(["create-pvc", "create-pod"]);
  const decision = drive.end("wf");
  expect(decision.demands).toEqual([{ kind: "delete-pvc", namespace: "argo", name: "wf-work" }]);
  expect(drive.tell([]).demands).toEqual([]);
});

describe("daemons", () => {
  const server = { ...echo, name: "server", daemon: true };
  const steps = {
    name: "main",
    steps: [[{ name: "server", template: "server" }], [{ name: "client", template: "echo" }]],
  };
  const dag = {
    name: "main",
    dag: {
      tasks: [
        { name: "server", template: "server" },
        { name: "client", template: "echo", depends: "server" },
      ],
    },
  };

  test("what comes after begins when it is up; it ends with the boundary", () => {
    const drive = new Drive(workflowOf({ entrypoint: "main", templates: [steps, server, echo] }));
    drive.begin("wf[0].server");
    expect(drive.node("wf[0].server").daemoned).toBe(true);
    drive.end("wf[1].client");
    expect(drive.node("wf[0].server").phase).toBe("Succeeded");
    expect(drive.phase).toBe("Succeeded");
  });

  test.each([
    ["steps", steps, "wf[0].server", "wf[1].client", (drive: Drive) => drive.tell([])],
    ["steps, after a restart", steps, "wf[0].server", "wf[1].client", (drive: Drive) => drive.restart()],
    ["dag", dag, "wf.server", "wf.client", (drive: Drive) => drive.tell([])],
    ["dag, after a restart", dag, "wf.server", "wf.client", (drive: Drive) => drive.restart()],
  ] as const)("one that ends too early fails the boundary at once: %s", (_title, main, name, client, before) => {
    const drive = new Drive(workflowOf({ entrypoint: "main", templates: [main, server, echo] }));
    drive.begin(name);
    drive.begin(client);
    before(drive);
    drive.end(name, 7);
    expect(drive.node(name).message).toBe("main: Error (exit code 7)");
    expect(drive.node("wf").message).toBe("daemon 'server' failed: main: Error (exit code 7)");
    expect(drive.node(client).phase).toBe("Failed");
    expect(drive.phase).toBe("Failed");
  });
});
