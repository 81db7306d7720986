import { describe, expect, test } from "vitest";
import type { LifecycleHook, WorkflowStep } from "../model/argo/template.js";
import { viewPod } from "../podlife/index.js";
import { Drive, echo, plainOptions, workflowOf } from "./engine.fixture.js";

const say = {
  name: "say",
  inputs: { parameters: [{ name: "x" }] },
  container: { image: "busybox", command: ["echo"], args: ["{{inputs.parameters.x}}"] },
};

function withStep(step: Partial<WorkflowStep>): Drive {
  const steps = [[{ name: "a", template: "echo", ...step }]];
  return new Drive(workflowOf({ entrypoint: "main", templates: [{ name: "main", steps }, echo, say] }));
}

test("a hook begins when its expression holds, and the step waits for it", () => {
  const running: LifecycleHook = { template: "echo", expression: 'steps["a"].status == "Running"' };
  const drive = withStep({ hooks: { running } });
  expect(drive.demands.length).toBe(1);
  drive.begin("wf[0].a");
  expect(drive.node("wf[0].a.hooks.running").nodeFlag).toEqual({ hooked: true });
  drive.end("wf[0].a");
  expect(drive.phase).toBe("Running");
  drive.end("wf[0].a.hooks.running", 1);
  // A hook that fails does not fail what it hangs on.
  expect(drive.phase).toBe("Succeeded");
});

test("an exit handler reads how the step ended", () => {
  const exit: LifecycleHook = {
    template: "say",
    arguments: { parameters: [{ name: "x", value: "{{steps.a.status}}" }] },
  };
  const drive = withStep({ hooks: { exit } });
  drive.end("wf[0].a", 1);
  expect(drive.node("wf[0].a.onExit").inputs?.parameters).toEqual([{ name: "x", value: "Failed" }]);
  drive.end("wf[0].a.onExit");
  expect(drive.phase).toBe("Failed");
});

test("an exit hook whose expression is false does not run", () => {
  const drive = withStep({ hooks: { exit: { template: "echo", expression: 'steps.a.status == "Failed"' } } });
  drive.end("wf[0].a");
  expect(drive.phase).toBe("Succeeded");
  expect(drive.tree().some((line) => line.includes("onExit"))).toBe(false);
});

test("a hook without an expression is an error of its group", () => {
  const drive = withStep({ hooks: { odd: { template: "echo" } } });
  drive.end("wf[0].a");
  expect(drive.message).toBe("Expression required for hook wf[0].a.hooks.odd");
});

test("each item of a loop has its own hook", () => {
  const onSuccess: LifecycleHook = { template: "echo", expression: 'steps.a.status == "Succeeded"' };
  const drive = withStep({ withItems: ["x", "y"], hooks: { onSuccess } });
  drive.end("wf[0].a(0:x)");
  drive.end("wf[0].a(1:y)");
  for (const item of ["0:x", "1:y"]) drive.end(`wf[0].a(${item}).hooks.onSuccess`);
  expect(drive.phase).toBe("Succeeded");
});

test("the workflow's exit handler decides when the work itself went well", () => {
  const drive = new Drive(
    workflowOf({ entrypoint: "echo", onExit: "bye", templates: [echo, { ...echo, name: "bye" }] }),
  );
  drive.end("wf");
  expect(drive.phase).toBe("Running");
  drive.end("wf.onExit", 2);
  expect(drive.phase).toBe("Failed");
  expect(drive.message).toBe("main: Error (exit code 2)");
});

test("a hook of the workflow waits for a place under parallelism", () => {
  const hooks = { running: { template: "echo", expression: 'workflow.status == "Running"' } };
  const drive = new Drive(workflowOf({ entrypoint: "echo", parallelism: 1, hooks, templates: [echo] }));
  expect(drive.demands.length).toBe(1);
  drive.end("wf");
  expect(drive.phase).toBe("Succeeded");
});

test.each([
  ["of a DAG", { name: "part", dag: { tasks: [{ name: "x", template: "echo" }] } }, {}],
  ["that is retried", { ...echo, name: "part", retryStrategy: { limit: 2 } }, {}],
  ["of a loop", { ...echo, name: "part" }, { withItems: ["x", "y"] }],
  ["with another hook at work", { ...echo, name: "part" }, {}],
])("a hook that cannot begin ends the task %s, and all that is at work in it", (_, part, loop) => {
  const hooks = { running: { template: "echo", expression: "true" }, wrong: { template: "echo" } };
  const tasks = [{ name: "a", template: "part", hooks, ...loop }];
  const drive = new Drive(
    workflowOf({ entrypoint: "main", templates: [{ name: "main", dag: { tasks } }, echo, part] }),
  );
  expect(drive.phase).toBe("Error");
  expect(drive.tree().join()).toContain("Error (Expression required for hook wf.a");
  expect(drive.tree().filter((line) => /: (Running|Pending)/.test(line))).toEqual([]);
});

test("a stopped DAG waits for the exit handler of its loop", () => {
  const tasks = [{ name: "a", template: "echo", withItems: ["x"], hooks: { exit: { template: "echo" } } }];
  const drive = new Drive(workflowOf({ entrypoint: "main", templates: [{ name: "main", dag: { tasks } }, echo] }));
  drive.end("wf.a(0:x)");
  drive.restart({ shutdown: "Stop" });
  drive.end("wf.a(0:x).onExit");
  expect(drive.tree()).toContain("wf.a.onExit: Pending");
  expect(drive.phase).toBe("Running");
  drive.end("wf.a.onExit");
  expect(drive.phase).toBe("Succeeded");
});

test("an exit handler at work is carried on, though its expression does not hold any more", () => {
  const exit: LifecycleHook = { template: "echo", expression: "asFloat(workflow.duration) < 5" };
  const drive = withStep({ hooks: { exit } });
  drive.end("wf[0].a");
  drive.now += 10_000;
  drive.begin("wf[0].a.onExit");
  expect(drive.phase).toBe("Running");
  drive.end("wf[0].a.onExit");
  expect(drive.tree()).toContain("wf[0].a.onExit: Succeeded");
  expect(drive.phase).toBe("Succeeded");
});

test("so is the workflow's", () => {
  const exit: LifecycleHook = { template: "echo", expression: "asFloat(workflow.duration) < 5" };
  const drive = new Drive(workflowOf({ entrypoint: "echo", hooks: { exit }, templates: [echo] }));
  drive.end("wf");
  drive.now += 10_000;
  drive.begin("wf.onExit");
  expect(drive.phase).toBe("Running");
  drive.end("wf.onExit");
  expect(drive.tree()).toContain("wf.onExit: Succeeded");
});

test("an exit handler that is looked at twice in one pass is asked for once", () => {
  const hooks = { exit: { template: "echo" } };
  const tasks = [{ name: "a", template: "echo", withSequence: { count: "1" }, hooks }];
  const drive = new Drive(workflowOf({ entrypoint: "main", templates: [{ name: "main", dag: { tasks } }, echo] }));
  for (const name of ["wf.a(0:0)", "wf.a(0:0).onExit"]) drive.end(name);
  const asked = drive.demands.map((demand) => (demand.kind === "create-pod" ? demand.nodeId : ""));
  expect(drive.tree()).toContain("wf.a.onExit: Pending");
  expect(asked).toEqual([...new Set(asked)]);
});

const deepHooks = { hooks: { exit: { template: "echo" } } };

test.each([
  ["a step", { steps: [[{ name: "a", template: "echo", ...deepHooks }]] }, "Failed"],
  ["a task", { dag: { tasks: [{ name: "a", template: "echo", ...deepHooks }] } }, "Error"],
  ["a loop", { dag: { tasks: [{ name: "a", template: "echo", withItems: ["x"], ...deepHooks }] } }, "Error"],
])("a hook that lies too deep has ended, and %s with it", (_, main, phase) => {
  const options = { ...plainOptions, limits: { depthMax: 1 } };
  const drive = new Drive(workflowOf({ entrypoint: "main", templates: [{ name: "main", ...main }, echo] }), options);
  expect(drive.tree().filter((line) => line.includes("onExit: Error (Maximum recursion depth"))).not.toEqual([]);
  expect(drive.phase).toBe(phase);
});

test("a hook at work of a step that the API refuses is heard to its end", () => {
  const drive = withStep({ hooks: { up: { template: "echo", expression: "true" } } });
  const refusal = { demand: "create-pod", podName: "", result: { kind: "refused", message: "no" } } as const;
  drive.tell([{ kind: "outcome", outcome: { ...refusal, nodeId: drive.node("wf[0].a").id } }]);
  expect(drive.phase).toBe("Running");
  drive.end("wf[0].a.hooks.up");
  expect(drive.tree()).toContain("wf[0].a.hooks.up: Succeeded");
  expect(drive.message).toContain("no");
  expect(drive.phase).not.toBe("Running");
});

test("so is a hook at work of a step whose other hook cannot begin", () => {
  const up: LifecycleHook = { template: "echo", expression: "true" };
  const drive = withStep({ hooks: { up, odd: { template: "echo" } } });
  drive.end("wf[0].a");
  expect(drive.phase).toBe("Running");
  drive.end("wf[0].a.hooks.up");
  expect(drive.tree()).toContain("wf[0].a.hooks.up: Succeeded");
  expect(drive.message).toBe("Expression required for hook wf[0].a.hooks.odd");
});

test("a loop whose items wait for a place is Failed when the workflow is stopped, and its exit handler runs", () => {
  const tasks = [{ name: "a", template: "echo", withItems: ["x", "y"], hooks: { exit: { template: "echo" } } }];
  const main = { name: "main", parallelism: 1, dag: { tasks } };
  const drive = new Drive(workflowOf({ entrypoint: "main", templates: [main, echo] }));
  drive.end("wf.a(0:x)", 1);
  drive.restart({ shutdown: "Stop" });
  drive.end("wf.a(0:x).onExit");
  expect(drive.tree()).toContain("wf.a: Failed (Stopped with strategy 'Stop')");
  drive.end("wf.a.onExit");
  expect(drive.tree().filter((line) => /: (Running|Pending)|ended early/.test(line))).toEqual([]);
  expect(drive.phase).toBe("Failed");
});

test("the entry waits for a hook of the workflow that is a daemon only until that is up", () => {
  const daemon = { ...echo, name: "daemon", daemon: true };
  const hooks = { run: { template: "daemon", expression: 'workflow.status == "Running"' } };
  const main = { name: "main", dag: { tasks: [{ name: "a", template: "echo" }] } };
  const drive = new Drive(workflowOf({ entrypoint: "main", hooks, templates: [main, echo, daemon] }));
  drive.end("wf.a");
  expect(drive.phase).toBe("Running");
  drive.begin("wf.hooks.run");
  expect(drive.phase).toBe("Succeeded");
});

test("a DAG that fails with its daemon ends a loop too whose items ended meanwhile", () => {
  const tasks = [
    { name: "a", template: "pause", withSequence: { count: "2" }, hooks: { exit: { template: "echo" } } },
    { name: "b", template: "daemon" },
  ];
  const pause = { name: "pause", suspend: { duration: "2" } };
  const templates = [{ name: "main", dag: { tasks } }, echo, pause, { ...echo, name: "daemon", daemon: true }];
  const drive = new Drive(workflowOf({ entrypoint: "main", templates }));
  drive.begin("wf.b");
  drive.now += 3000;
  const { id } = drive.node("wf.b");
  const pod = drive.pods.get(id);
  if (pod !== undefined) drive.pods.set(id, { ...pod, status: { phase: "Failed" } });
  drive.restart();

  expect(drive.phase).toBe("Failed");
  expect(drive.tree()).toContain("wf.a: Failed (ended early: wf has ended)");
});

test("a task that was left out is an Error when its hook cannot begin", () => {
  const tasks = [
    { name: "a", template: "echo" },
    { name: "b", template: "echo", depends: "a.Failed", hooks: { odd: { template: "echo" } } },
  ];
  const drive = new Drive(workflowOf({ entrypoint: "main", templates: [{ name: "main", dag: { tasks } }, echo] }));
  drive.end("wf.a");
  expect(drive.tree()).toContain("wf.b: Error (Expression required for hook wf.b.hooks.odd)");
  expect(drive.phase).toBe("Error");
});

/** The pod is not taken, for good. */
function refuse(drive: Drive, nodeName: string): void {
  const { id } = drive.node(nodeName);
  const result = { kind: "refused", message: "no" } as const;
  drive.tell([{ kind: "outcome", outcome: { demand: "create-pod", nodeId: id, podName: "", result } }]);
}

describe("the exit handler of a task whose hook was refused", () => {
  const up: LifecycleHook = { template: "echo", expression: "true" };
  const hooks = { up, exit: { template: "echo" } };

  test.each(["wait", "restart"] as const)("runs: %s", (how) => {
    const tasks = [{ name: "a", template: "echo", hooks }];
    const drive = new Drive(workflowOf({ entrypoint: "main", templates: [{ name: "main", dag: { tasks } }, echo] }));
    refuse(drive, "wf.a.hooks.up");
    if (how === "restart") drive.restart();
    expect(drive.tree()).toContain("wf.a: Error (no)");
    drive.end("wf.a.onExit");
    expect(drive.phase).toBe("Error");
  });

  test.each(["wait", "restart"] as const)("runs for a loop, and not for the items that end with it: %s", (how) => {
    const tasks = [{ name: "a", template: "echo", withItems: ["x"], hooks }];
    const drive = new Drive(workflowOf({ entrypoint: "main", templates: [{ name: "main", dag: { tasks } }, echo] }));
    refuse(drive, "wf.a.hooks.up");
    if (how === "restart") drive.restart();
    expect(drive.tree()).toContain("wf.a(0:x): Failed (ended early: wf.a has ended)");
    drive.end("wf.a.onExit");
    expect(drive.tree().filter((line) => line.includes("onExit"))).toEqual(["wf.a.onExit: Succeeded"]);
    expect(drive.phase).toBe("Error");
  });
});

test.each(["wait", "restart"] as const)("a task that is skipped has its hooks, as one that is left out: %s", (how) => {
  const hooks = { out: { template: "echo", expression: 'tasks["a"].status == "Skipped"' } };
  const tasks = [
    { name: "a", template: "echo", when: "1 == 2", hooks },
    { name: "b", template: "echo" },
  ];
  const drive = new Drive(workflowOf({ entrypoint: "main", templates: [{ name: "main", dag: { tasks } }, echo] }));
  if (how === "restart") drive.restart();
  drive.end("wf.b");
  expect(drive.phase).toBe("Running");
  drive.end("wf.a.hooks.out");
  expect(drive.phase).toBe("Succeeded");
});

test("a DAG that ends together with its hook is not waited for any longer", () => {
  const hooks = { up: { template: "inner", expression: "true" } };
  const inner = { name: "inner", dag: { tasks: [{ name: "b", template: "echo" }] } };
  const main = { name: "main", dag: { tasks: [{ name: "a", template: "inner", hooks }] } };
  const drive = new Drive(workflowOf({ entrypoint: "main", templates: [main, inner, echo] }));
  drive.endUnseen("wf.a.b");
  drive.endUnseen("wf.a.hooks.up.b");
  drive.tell([...drive.pods.values()].map((pod) => ({ kind: "pod", view: viewPod(pod) })));
  expect(drive.phase).toBe("Succeeded");
});

describe("a daemon that is up and whose hook was refused holds nothing up", () => {
  const server = { ...echo, name: "server", daemon: true };
  const member = (kind: "steps" | "tasks") => ({
    name: "a",
    template: "server",
    withItems: ["x", "y"],
    hooks: { up: { template: "echo", expression: `${kind}["a"].status == "Running"` } },
  });
  const other = { name: "b", template: "echo" };

  test("in a group of steps", () => {
    const main = { name: "main", steps: [[member("steps"), other]] };
    const drive = new Drive(workflowOf({ entrypoint: "main", templates: [main, server, echo] }));
    for (const item of ["0:x", "1:y"]) drive.begin(`wf[0].a(${item})`);
    drive.end("wf[0].a(0:x).hooks.up", 3);
    refuse(drive, "wf[0].a(1:y).hooks.up");
    drive.end("wf[0].b");
    expect(drive.phase).toBe("Failed");
  });

  test("in a DAG", () => {
    const main = { name: "main", dag: { tasks: [member("tasks"), other] } };
    const drive = new Drive(workflowOf({ entrypoint: "main", templates: [main, server, echo] }));
    for (const item of ["0:x", "1:y"]) drive.begin(`wf.a(${item})`);
    drive.end("wf.b");
    drive.end("wf.a(0:x).hooks.up", 3);
    refuse(drive, "wf.a(1:y).hooks.up");
    drive.end("wf.a.hooks.up");
    expect(drive.phase).toBe("Error");
  });
});

test("what follows a loop that a hook kept from beginning is none of its items, whatever it gives", () => {
  const tasks = [
    { name: "a", template: "echo", withItems: ["x"], hooks: { odd: {} } },
    { name: "b", template: "echo", depends: "!a.Omitted", onExit: "echo" },
    { name: "c", template: "echo", depends: "a || a.AnySucceeded || b.Failed" },
  ];
  const workflow = workflowOf({ entrypoint: "main", templates: [{ name: "main", dag: { tasks } }, echo] });
  const first = new Drive(workflow);
  const kept = ["wf", "wf.a"].map((name) => ({ ...first.node(name), phase: "Running" as const, children: [] }));
  const nodes = Object.fromEntries(kept.map(({ finishedAt: _, ...node }) => [node.id, node]));
  const drive = new Drive({ ...workflow, status: { phase: "Running", nodes } });
  expect(drive.node("wf.a").phase).toBe("Error");
  expect(drive.node("wf.a").children).toEqual([drive.node("wf.b").id]);
  drive.end("wf.b", 0, { result: "no" });
  const before = drive.tree();
  expect(before).toContain("wf.b.onExit: Pending");
  drive.restart();
  expect(drive.tree()).toEqual(before);
  drive.end("wf.b.onExit");
  expect(drive.tree()).toContain("wf.c: Omitted (omitted: depends condition not met)");
});
