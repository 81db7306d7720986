import { expect, test } from "vitest";
import type { Workflow } from "../../core/model/argo/workflow.js";
import { makeContext } from "../context.js";
import { nightly } from "../fakes/nightly.js";
import { fakePorts } from "../fakes/ports.js";
import { at, sketchWorkflow } from "../fakes/workflows.js";
import { changesBetween } from "../print/node-changes.js";
import { stripEscapes } from "../print/width.js";
import { LiveTree, PlainProgress } from "./progress.js";
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

function live(workflows: readonly Workflow[], size: { readonly columns: number; readonly rows: number }, line = "") {
  const ports = fakePorts({ cwd: "/tmp", terminal: size, env: { TERM: "xterm" } });
  const context = makeContext(ports, { namespace: undefined, verbose: false }, {});
  const state = new RunState(workflows);
  for (const workflow of workflows) state.setWorkflow(workflow);
  const tree = new LiveTree(context, {
    state,
    lastLine: () => line,
    stopping: () => "no",
    runtimeLabel: "host",
    maxPods: 8,
  });
  return { ports, state, tree };
}

test("the trees of many workflows together take half the screen", async () => {
  const all = Array.from({ length: 10 }, (_, index) => ({
    ...nightly(),
    metadata: { name: `n${index}`, uid: `${index}` },
  }));
  const { ports, tree } = live(all, { columns: 80, rows: 12 });
  await ports.clock.advance(100);
  const lines = stripEscapes(ports.stderr.text).trimEnd().split("\n");
  expect(lines.map((line) => line.split(" ")[0])).toEqual(["n0", "n1", "n2", "n3", "n4", "…"]);
  expect(lines.at(-1)).toBe("… 5 more workflows");
  tree.close();
});

test("what a step writes last moves nothing in the tree", async () => {
  const node = { name: "wf.a", type: "Pod" as const, phase: "Running" as const, startedAt: at(0) };
  const workflow = sketchWorkflow({ spec: {}, nodes: [{ ...node, name: "wf" }] });
  const { ports, tree } = live([workflow], { columns: 80, rows: 24 }, "\x1b[2J\x1b[1;1H1\t2\x1b]0;t\x07\x1b[31mred");
  await ports.clock.advance(100);
  expect(ports.stderr.text).toContain("1 2\x1b[31mred\x1b[0m");
  expect(ports.stderr.text).not.toMatch(/\x1b\[2J|\x1b\[1;1H|\x1b\]|\t|\x07/);
  tree.close();
});
