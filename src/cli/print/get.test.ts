import { expect, test } from "vitest";
import { at, sketchWorkflow, start } from "../fakes/workflows.js";
import { type GetOptions, getLines } from "./get.js";
import { plainStyle } from "./style.js";

const options: GetOptions = {
  columns: "default",
  style: plainStyle,
  now: start + 3_600_000,
  selects: () => true,
  utcOffsetMinutes: () => 60,
};

const steps = sketchWorkflow({
  name: "steps-rbm92",
  spec: { entrypoint: "main", arguments: { parameters: [{ name: "message", value: "hello world" }] } },
  status: {
    phase: "Failed",
    message: "child 'steps-rbm92-3' failed",
    finishedAt: at(63),
    progress: "2/4",
    resourcesDuration: { memory: 64, cpu: 4 },
    conditions: [
      { type: "PodRunning", status: "False" },
      { type: "Completed", status: "True" },
      { type: "SpecWarning", status: "True", message: "old field" },
    ],
  },
  nodes: [
    { name: "steps-rbm92", type: "Steps", phase: "Failed", templateName: "main", children: ["g0"] },
    {
      id: "g0",
      name: "steps-rbm92[0]",
      type: "StepGroup",
      phase: "Succeeded",
      boundaryID: "steps-rbm92",
      startedAt: at(0),
      children: ["h1"],
    },
    {
      id: "h1",
      name: "steps-rbm92[0].hello1",
      type: "Pod",
      phase: "Succeeded",
      templateName: "whalesay",
      boundaryID: "steps-rbm92",
      startedAt: at(0),
      finishedAt: at(4),
      hostNodeName: "n1",
      children: ["g1"],
    },
    {
      id: "g1",
      name: "steps-rbm92[1]",
      type: "StepGroup",
      phase: "Failed",
      boundaryID: "steps-rbm92",
      startedAt: at(5),
      children: ["r", "h2b", "sk"],
    },
    {
      id: "r",
      name: "steps-rbm92[1].hello2a",
      type: "Retry",
      phase: "Failed",
      templateName: "flaky",
      boundaryID: "steps-rbm92",
      startedAt: at(5),
      children: ["r0", "r1"],
    },
    {
      id: "r0",
      name: "steps-rbm92[1].hello2a(0)",
      type: "Pod",
      phase: "Failed",
      templateName: "flaky",
      boundaryID: "steps-rbm92",
      startedAt: at(5),
      finishedAt: at(6),
      message: "Error (exit code 2)",
    },
    {
      id: "r1",
      name: "steps-rbm92[1].hello2a(1)",
      type: "Pod",
      phase: "Error",
      templateName: "flaky",
      boundaryID: "steps-rbm92",
      startedAt: at(7),
      finishedAt: at(130),
    },
    {
      id: "h2b",
      name: "steps-rbm92[1].hello2b",
      type: "Retry",
      phase: "Succeeded",
      templateName: "flaky",
      boundaryID: "steps-rbm92",
      startedAt: at(6),
      children: ["b0"],
    },
    {
      id: "b0",
      name: "steps-rbm92[1].hello2b(0)",
      type: "Pod",
      phase: "Succeeded",
      templateRef: { name: "lib", template: "flaky" },
      boundaryID: "steps-rbm92",
      startedAt: at(6),
      finishedAt: at(6),
    },
    {
      id: "sk",
      name: "steps-rbm92[1].never",
      type: "Skipped",
      phase: "Skipped",
      boundaryID: "steps-rbm92",
      startedAt: at(7),
      message: "when 'false' evaluated false",
    },
    { id: "om", name: "steps-rbm92.gone", type: "Skipped", phase: "Omitted", boundaryID: "steps-rbm92" },
    { id: "ex", name: "steps-rbm92.onExit", type: "Pod", phase: "Pending", templateName: "bye", startedAt: at(60) },
  ],
});

test("header and tree as Argo prints them", () => {
  expect(getLines(steps, options).join("\n")).toMatchInlineSnapshot(`
    "Name:                steps-rbm92
    Namespace:           default
    ServiceAccount:      unset (will run with the default ServiceAccount)
    Status:              Failed
    Message:             child 'steps-rbm92-3' failed
    Conditions:          
     PodRunning          False
     Completed           True
    ⚠ SpecWarning        old field
    Created:             Mon Nov 30 07:00:00 +0100 (1 hour ago)
    Started:             Mon Nov 30 07:00:00 +0100 (1 hour ago)
    Finished:            Mon Nov 30 07:01:03 +0100 (58 minutes ago)
    Duration:            1 minute 3 seconds
    Progress:            2/4
    ResourcesDuration:   1m4s*(100Mi memory),4s*(1 cpu)
    Parameters:          
      message:           hello world

    STEP                 TEMPLATE   PODNAME                          DURATION  MESSAGE
     ✖ steps-rbm92       main
     ├───✔ hello1        whalesay   steps-rbm92-whalesay-3170149042  4s
     └─┬─✖ hello2a       flaky
       │ ├─✖ hello2a(0)  flaky      steps-rbm92-flaky-792578374      1s        Error (exit code 2)
       │ └─⚠ hello2a(1)  flaky      steps-rbm92-flaky-3409636675     2m
       ├───✔ hello2b(0)  lib/flaky  steps-rbm92-flaky-297340173      0s
       └─○ never                                                               when 'false' evaluated false

     ◷ onExit            bye        steps-rbm92-bye-2144966640       59m"
  `);
});

test("short has the tree only; wide and ASCII", () => {
  expect(
    getLines(steps, { ...options, columns: "short" })
      .slice(0, 3)
      .join("\n"),
  ).toMatchInlineSnapshot(`
    "STEP                 TEMPLATE   PODNAME                          DURATION  MESSAGE                       NODENAME
     ✖ steps-rbm92       main
     ├───✔ hello1        whalesay   steps-rbm92-whalesay-3170149042  4s                                      n1"
  `);
  const ascii = { ...plainStyle, utf8: false };
  const failed = getLines(steps, {
    ...options,
    columns: "wide",
    style: ascii,
    selects: (node) => node.phase === "Failed",
  });
  expect(failed.slice(-6).join("\n")).toMatchInlineSnapshot(`
    "
    STEP                      TEMPLATE  PODNAME                      DURATION  ARTIFACTS  MESSAGE              RESOURCESDURATION  NODENAME
     Failed steps-rbm92       main
     \`-+-Failed hello2a       flaky
       | |-Failed hello2a(0)  flaky     steps-rbm92-flaky-792578374  1s                   Error (exit code 2)
    "
  `);
});

test("a workflow that nobody has looked at yet", () => {
  const fresh = sketchWorkflow({ spec: { workflowTemplateRef: { name: "x" } }, status: { phase: "" } });
  const { status: _, ...bare } = fresh;
  expect(getLines(bare, options).join("\n")).toMatchInlineSnapshot(`
    "Name:                wf
    Namespace:           default
    ServiceAccount:      unset
    Status:              Pending
    Created:             Mon Nov 30 07:00:00 +0100 (1 hour ago)"
  `);
});
