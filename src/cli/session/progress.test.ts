import { expect, test } from "vitest";
import { makeContext } from "../context.js";
import { nightly } from "../fakes/nightly.js";
import { fakePorts } from "../fakes/ports.js";
import { sketchWorkflow } from "../fakes/workflows.js";
import { changesBetween } from "../print/node-changes.js";
import { PlainProgress } from "./progress.js";
import { RunState } from "./state.js";

function setup() {
  const ports = fakePorts({ cwd: "/tmp" });
  const context = makeContext(ports, { namespace: undefined, verbose: false }, {});
  const state = new RunState([{ ...nightly(), status: {} }]);
  const progress = new PlainProgress(context, {
    state,
    lastLine: () => "",
    stopping: () => "no",
    runtimeLabel: "host",
    maxPods: 8,
  });
  return { ports, state, progress };
}

test("a line for each step that ends, a sign of life after 30 s of silence, nothing after the end", async () => {
  const { ports, state, progress } = setup();
  const workflow = nightly();
  state.setWorkflow(workflow);
  progress.changed(workflow, changesBetween(undefined, workflow));
  const lines = ports.stderr.text.split("\n");
  expect(lines).toContain("✔ checkout 4s");
  expect(lines).toContain("✖ build(0) 47s  OOMKilled, exit 137");
  ports.stderr.text = "";
  await ports.clock.advance(29_000);
  progress.refresh();
  await ports.clock.advance(29_000);
  expect(ports.stderr.text).toBe("");
  await ports.clock.advance(2_000);
  expect(ports.stderr.text).toBe(
    "● still running: build (attempt 2 of 4 (before: OOMKilled, exit 137)), train(0:lr:0.1), train(2:lr:0.01), train(3:lr:0.001)\n",
  );
  progress.close();
  await ports.clock.advance(100_000);
  expect(ports.stderr.text.split("\n")).toHaveLength(2);
  expect(ports.clock.pending).toBe(0);
});

test("a suspended step says how to go on, once", () => {
  const { ports, progress } = setup();
  const node = { name: "wf.approve", type: "Suspend" as const, phase: "Running" as const };
  const workflow = sketchWorkflow({ spec: {}, nodes: [node] });
  progress.changed(workflow, changesBetween(undefined, workflow));
  const spoken = sketchWorkflow({ spec: {}, nodes: [{ ...node, message: "asked twice" }] });
  progress.changed(spoken, changesBetween(workflow, spoken));
  expect(ports.stderr.text).toBe("ǁ approve waits: tiphys resume wf\n");
  progress.close();
});
