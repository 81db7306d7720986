import { describe, expect, test } from "vitest";
import type { Template } from "../model/argo/template.js";
import { Drive, echo, plainOptions, workflowOf } from "./engine.fixture.js";

const server: Template = { ...echo, name: "server", daemon: true };
const stubborn: Template = { ...server, retryStrategy: { limit: 1, backoff: { duration: "2" } } };

function driven(main: Template, daemon: Template, ...more: readonly Template[]): Drive {
  return new Drive(workflowOf({ entrypoint: "main", templates: [main, daemon, echo, ...more] }), plainOptions);
}

const steps: Template = {
  name: "main",
  steps: [[{ name: "server", template: "server" }], [{ name: "client", template: "echo" }]],
};

describe.each(["wait", "restart"] as const)("a daemon that is tried again, %s", (how) => {
  function look(drive: Drive): void {
    if (how === "restart") drive.restart();
  }

  test("comes up again while others go on", () => {
    const drive = driven(steps, stubborn);
    drive.begin("wf[0].server(0)");
    drive.end("wf[0].server(0)", 1);
    expect(drive.node("wf[0].server").message).toBe("Backoff for 2 seconds");
    look(drive);
    drive.wait(2_000);
    drive.begin("wf[0].server(1)");
    expect(drive.node("wf[0].server").daemoned).toBe(true);
    drive.end("wf[1].client");
    expect(drive.phase).toBe("Succeeded");
  });

  test("is not to blame when all is done before its next attempt", () => {
    const drive = driven(steps, stubborn);
    drive.begin("wf[0].server(0)");
    drive.end("wf[0].server(0)", 1);
    look(drive);
    drive.end("wf[1].client");
    expect(drive.node("wf[0].server").phase).toBe("Succeeded");
    expect(drive.phase).toBe("Succeeded");
  });

  test("fails what is around it when there is no further attempt", () => {
    const drive = driven(steps, stubborn);
    drive.begin("wf[0].server(0)");
    drive.end("wf[0].server(0)", 1);
    look(drive);
    drive.wait(2_000);
    drive.end("wf[0].server(1)", 1);
    expect(drive.message).toBe("daemon 'server' failed: No more retries left");
    expect(drive.node("wf[1].client").phase).toBe("Failed");
  });

  test("leaves the steps beside it the time that they need", () => {
    const beside = [
      { name: "server", template: "server" },
      { name: "a", template: "echo" },
      { name: "b", template: "echo" },
    ];
    const drive = driven({ name: "main", steps: [beside] }, stubborn);
    drive.begin("wf[0].server(0)");
    drive.end("wf[0].server(0)", 1);
    look(drive);
    drive.end("wf[0].a");
    drive.wait(2_000);
    drive.begin("wf[0].server(1)");
    expect(drive.node("wf[0]").phase).toBe("Running");
    drive.end("wf[0].b");
    expect(drive.phase).toBe("Succeeded");
  });

  test("holds up the tasks that need it until it is up again", () => {
    const tasks = [
      { name: "server", template: "server" },
      { name: "a", template: "echo" },
      { name: "client", template: "echo", depends: "server && a" },
    ];
    const drive = driven({ name: "main", dag: { tasks } }, stubborn);
    drive.begin("wf.server(0)");
    drive.end("wf.server(0)", 1);
    look(drive);
    drive.end("wf.a");
    expect(drive.tree().some((line) => line.startsWith("wf.client"))).toBe(false);
    drive.wait(2_000);
    drive.begin("wf.server(1)");
    expect(drive.node("wf.client").phase).toBe("Pending");
  });
});

test("the end of a daemon is not put off by a step that failed before", () => {
  const main = {
    name: "main",
    steps: [
      [{ name: "server", template: "server" }],
      [
        { name: "client", template: "echo" },
        { name: "bad", template: "bad" },
      ],
    ],
  };
  const drive = driven(main, server, { name: "bad", container: { image: "without a command" } });
  drive.begin("wf[0].server");
  expect(drive.node("wf[1].client").phase).toBe("Pending");
  drive.end("wf[0].server", 1);
  expect(drive.message).toBe("daemon 'server' failed: main: Error (exit code 1)");
});

test.each(["wait", "restart"] as const)(
  "a loop of daemons ends with what is around it when one of them does: %s",
  (how) => {
    const tasks = [{ name: "a", template: "server", withItems: ["x", "y"], hooks: { exit: { template: "echo" } } }];
    const drive = driven({ name: "main", dag: { tasks: [...tasks, { name: "b", template: "echo" }] } }, server);
    drive.begin("wf.a(0:x)");
    drive.restart({ suspend: true });
    // Its exit handler waits for the workflow to go on.
    drive.end("wf.a(1:y)", 1);
    const [id, pod] = [drive.node("wf.a(0:x)").id, drive.pods.get(drive.node("wf.a(0:x)").id)];
    if (how === "wait") drive.end("wf.a(0:x)", 1);
    else if (pod !== undefined) {
      drive.pods.set(id, { ...pod, status: { phase: "Failed" } });
      drive.restart();
    }
    expect(drive.tree()).toContain("wf.a: Failed (ended early: wf has ended)");
  },
);
