import { describe, expect, test } from "vitest";
import type { PersistentVolumeClaimTemplate } from "../model/argo/workflow.js";
import type { PodStatus } from "../model/kube/pod.js";
import type { Decision, DemandOutcome } from "./contract.js";
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

describe("the time of waiting for a pod", () => {
  const hasty = { ...echo, name: "hasty", pendingTimeout: "500ms" };

  test("is over as soon as the step waits, when it is made in the second half of a second", () => {
    const steps = [[{ name: "a", template: "echo" }], [{ name: "b", template: "hasty" }]];
    const drive = new Drive(workflowOf({ entrypoint: "main", templates: [{ name: "main", steps }, echo, hasty] }));
    drive.now += 900;
    drive.end("wf[0].a");
    expect(drive.tree()).toContain("wf[1].b: Failed (timeout)");
    expect(drive.demands.length).toBe(1);
  });

  test("does not begin again where an older view says that the pod waits", () => {
    const drive = new Drive(workflowOf({ entrypoint: "hasty", templates: [hasty] }));
    drive.begin("wf");
    drive.now += 900;
    drive.show("wf", { phase: "Pending" });
    expect(drive.tree()).toEqual(["wf: Running"]);
  });
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

describe("a pod that no machine takes for longer than its template's activeDeadlineSeconds", () => {
  const template = { ...echo, activeDeadlineSeconds: 8 };

  function unplaced(status: PodStatus): Drive {
    const drive = new Drive(workflowOf({ entrypoint: "echo", templates: [template] }));
    drive.show("wf", { phase: "Pending", ...status });
    return drive;
  }

  test.each(["wait", "restart"] as const)("is given up: %s", (how) => {
    const drive = unplaced({});
    expect(drive.last?.wakeAt).toBe(start + 8001);
    drive.wait(8000);
    expect(drive.phase).toBe("Running");
    if (how === "wait") drive.wait(1);
    else {
      drive.now++;
      drive.restart();
    }
    expect(drive.tree()).toEqual(["wf: Failed (Step exceeded its deadline)"]);
  });

  test("waits on where a machine has promised to take it", () => {
    const drive = unplaced({ nominatedNodeName: "local" });
    drive.wait(60_000);
    expect(drive.tree()).toEqual(["wf: Pending"]);
  });
});

test("claims are made before anything runs, and given back after success", () => {
  const claim: PersistentVolumeClaimTemplate = { metadata: { name: "work" }, spec: {} };
  const drive = new Drive(workflowOf({ entrypoint: "echo", volumeClaimTemplates: [claim], templates: [echo] }));
  expect(drive.demands.map(({ kind }) => kind)).toEqual(["create-pvc"]);
  drive.tell([{ kind: "outcome", outcome: { demand: "create-pvc", name: "wf-work", result: { kind: "created" } } }]);
  expect(drive.demands.map(({ kind }) => kind)).toEqual(["create-pvc", "create-pod"]);
  const decision = drive.end("wf");
  expect(decision.demands).toEqual([deletion]);
  expect(drive.tell([]).demands).toEqual([]);
});

const deletion = { kind: "delete-pvc", namespace: "argo", name: "wf-work", workflowUid: "uid" };

test("a claim is demanded back until it is gone, by whoever finds it on the list of the ended workflow", () => {
  const claim: PersistentVolumeClaimTemplate = { metadata: { name: "work" }, spec: {} };
  const drive = new Drive(workflowOf({ entrypoint: "echo", volumeClaimTemplates: [claim], templates: [echo] }));
  const tell = (outcome: DemandOutcome): Decision => drive.tell([{ kind: "outcome", outcome }]);
  tell({ demand: "create-pvc", name: "wf-work", result: { kind: "created" } });
  drive.end("wf");
  expect(drive.restart().demands).toEqual([deletion]);
  const refused = tell({
    demand: "delete-pvc",
    name: "wf-work",
    result: { kind: "refused-for-now", message: "forbidden" },
  });
  expect(refused.demands).toEqual([deletion]);
  const gone = tell({ demand: "delete-pvc", name: "wf-work", result: { kind: "gone" } });
  expect([gone.demands, gone.statusFields]).toEqual([[], { persistentVolumeClaims: null }]);
  expect(drive.tell([]).demands).toEqual([]);
});

test("a claim without metadata is one without a name", () => {
  const drive = new Drive(workflowOf({ entrypoint: "echo", volumeClaimTemplates: [{}], templates: [echo] }));
  expect(drive.demands).toMatchObject([{ kind: "create-pvc", claim: { metadata: { name: "wf-" } } }]);
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
    ["is terminated", (drive: Drive) => drive.restart({ shutdown: "Terminate" })],
    ["is stopped", (drive: Drive) => drive.restart({ shutdown: "Stop" })],
    ["has reached its deadline", (drive: Drive) => drive.wait(60_001)],
    ["fails", (drive: Drive) => drive.end("wf[1].client", 1)],
  ] as const)("one that is up is not to blame when the workflow %s", (_what, end) => {
    const spec = { entrypoint: "main", activeDeadlineSeconds: 60, templates: [steps, server, echo] };
    const drive = new Drive(workflowOf(spec));
    drive.begin("wf[0].server");
    drive.begin("wf[1].client");
    end(drive);
    expect(drive.node("wf[0].server")).toMatchObject({ phase: "Succeeded" });
    expect(drive.node("wf[0].server").daemoned).not.toBe(true);
    expect(drive.node("wf[0].server").message).toBeUndefined();
    expect(drive.node("wf[1].client").phase).toBe("Failed");
    expect(drive.node("wf").message).toBe(`child '${drive.node("wf[1].client").id}' failed`);
    expect(drive.phase).toBe("Failed");
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
