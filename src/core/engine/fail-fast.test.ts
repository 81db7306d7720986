import { describe, expect, test } from "vitest";
import type { Template } from "../model/argo/template.js";
import { Drive, echo, workflowOf } from "./engine.fixture.js";

const FAIL_FAST = "template has failed or errored children and failFast enabled";

const inner: Template = { name: "inner", steps: [[{ name: "a", template: "echo" }]] };

function driven(main: Template, ...more: readonly Template[]): Drive {
  return new Drive(workflowOf({ entrypoint: "main", templates: [main, inner, echo, ...more] }));
}

describe("a composite child that fails while another waits for its place", () => {
  const members = [
    { name: "a", template: "inner" },
    { name: "b", template: "inner" },
  ];
  const limits = { name: "main", failFast: true, parallelism: 1 };

  test("ends the steps around it at once", () => {
    const drive = driven({ ...limits, steps: [members] });
    drive.end("wf[0].a[0].a", 1);
    expect(drive.node("wf[0]").message).toBe(FAIL_FAST);
    expect(drive.message).toBe(FAIL_FAST);
    expect(drive.phase).toBe("Failed");
  });

  test("ends the DAG around it at once", () => {
    const drive = driven({ ...limits, dag: { tasks: members } });
    drive.end("wf.a[0].a", 1);
    expect(drive.message).toBe(FAIL_FAST);
    expect(drive.phase).toBe("Failed");
  });
});

test("so does one whose retry would wait", () => {
  const stubborn = { ...inner, name: "stubborn", retryStrategy: { limit: 2, backoff: { duration: "1" } } };
  const drive = driven({ name: "main", failFast: true, steps: [[{ name: "a", template: "stubborn" }]] }, stubborn);
  drive.end("wf[0].a(0)[0].a", 1);
  expect(drive.message).toBe(FAIL_FAST);
});

test("a composite child that is the last makes its parent fail in the plain way", () => {
  const drive = driven({ name: "main", failFast: true, steps: [[{ name: "a", template: "inner" }]] });
  drive.end("wf[0].a[0].a", 1);
  expect(drive.message).toBe(`child '${drive.node("wf[0].a").id}' failed`);
});

test("a daemon that is up is not waited for", () => {
  const server = { ...echo, name: "server", daemon: true };
  const steps = [
    [
      { name: "server", template: "server" },
      { name: "a", template: "echo", continueOn: { failed: true } },
    ],
    [{ name: "b", template: "echo" }],
  ];
  const drive = driven({ name: "main", failFast: true, steps }, server);
  drive.begin("wf[0].server");
  drive.end("wf[0].a", 1);
  expect(drive.message).toBe(FAIL_FAST);
  expect(drive.node("wf[0].server")).toMatchObject({ phase: "Succeeded" });
  expect(drive.phase).toBe("Failed");
});

test("a DAG that has a fault already, and only waits for what is at work, waits no longer", () => {
  const pause = { name: "pause", suspend: {} };
  const tasks = [
    { name: "a", template: "echo", withItems: ["x"] },
    { name: "b", template: "echo", depends: "a" },
    { name: "c", template: "inner" },
    { name: "d", template: "pause" },
  ];
  const drive = driven({ name: "main", failFast: true, dag: { tasks } }, pause);
  drive.end("wf.a(0:x)", 0, { result: "no JSON" });
  expect(drive.phase).toBe("Running");
  drive.end("wf.c[0].a", 1);
  expect(drive.message).toBe(FAIL_FAST);
  expect(drive.phase).toBe("Failed");
});
