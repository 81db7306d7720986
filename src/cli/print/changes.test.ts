import { expect, test } from "vitest";
import { at, sketchWorkflow, start } from "../fakes/workflows.js";
import { annotation, groupText, stepSummary } from "./ci.js";
import { eventLine } from "./events.js";
import { changesBetween } from "./node-changes.js";

test("each change is one line; what did not change is none", () => {
  const before = sketchWorkflow({ spec: {}, nodes: [{ name: "wf.a(0)", type: "Pod", phase: "Running" }] });
  const after = sketchWorkflow({
    spec: {},
    status: { phase: "Failed", finishedAt: at(9), message: "child failed" },
    nodes: [
      {
        name: "wf.a(0)",
        type: "Pod",
        phase: "Failed",
        message: "Error (exit code 3)",
        nodeFlag: { retried: true },
        outputs: { exitCode: "3" },
      },
      { name: "wf.b", type: "Pod", phase: "Pending" },
    ],
  });
  const lines = changesBetween(before, after).map((change) => JSON.stringify(eventLine(change, "wf", start)));
  expect(lines).toEqual([
    '{"v":1,"t":"2026-11-30T06:00:00.000Z","type":"node","workflow":"wf","node":"wf.a(0)","phase":"Failed","attempt":1,"exitCode":3,"message":"Error (exit code 3)"}',
    '{"v":1,"t":"2026-11-30T06:00:00.000Z","type":"node","workflow":"wf","node":"wf.b","phase":"Pending"}',
    '{"v":1,"t":"2026-11-30T06:00:00.000Z","type":"workflow","workflow":"wf","phase":"Failed","message":"child failed"}',
  ]);
  expect(changesBetween(after, after)).toEqual([]);
  expect(changesBetween(undefined, before).map((change) => change.kind)).toEqual(["workflow", "node"]);
});

test("what a step prints is no command to the CI; values are escaped", () => {
  expect(groupText({ title: "unit\n2", lines: ["::error::fake"], token: "t-1" })).toBe(
    "::group::unit%0A2\n::stop-commands::t-1\n::error::fake\n::t-1::\n::endgroup::\n",
  );
  const position = { file: "a,b.yaml", line: 3, column: 5 };
  expect(annotation({ severity: "error", title: "x: y", message: "100%\nbad", position })).toBe(
    "::error file=a%2Cb.yaml,line=3,col=5,title=x%3A y::100%25%0Abad",
  );
  expect(stepSummary("wf Failed", [{ step: "a|b", phase: "Failed", duration: "3s", message: "x\ny" }])).toContain(
    "| a\\|b | Failed | 3s | x y |",
  );
});
