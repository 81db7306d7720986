import { expect, test } from "vitest";
import type { Change } from "../core/engine/contract.js";
import { echo, plainOptions, start, workflowOf } from "../core/engine/engine.fixture.js";
import { openRun } from "../core/engine/index.js";
import { OpenRun } from "./open-runs.js";

function decided(whileDeciding: (open: OpenRun) => void): OpenRun {
  const workflow = workflowOf({ entrypoint: "main", templates: [{ name: "main", suspend: {} }] });
  const open = new OpenRun(workflow, openRun(workflow, plainOptions));
  open.tell({ kind: "observed" });
  const decision = open.run.advance({ changes: open.take(), now: start, facts: { get: () => null } });
  whileDeciding(open);
  open.accept(decision, 0);
  return open;
}

test("a decision stands until something is told", () => {
  const open = decided(() => undefined);
  expect(open.standing(start)).toEqual({ wakeAt: undefined });
  open.tell({ kind: "observed" });
  expect(open.standing(start)).toBeUndefined();
});

test("a decision does not stand where something was told while it was made", () => {
  const open = decided((deciding) => deciding.tell({ kind: "observed" }));
  expect(open.hasNews).toBe(true);
  expect(open.standing(start)).toBeUndefined();
});

const refused: Change = {
  kind: "outcome",
  outcome: {
    demand: "create-pod",
    nodeId: "wf",
    podName: "wf",
    result: { kind: "refused-for-now", message: "exceeded quota" },
  },
};

test.each([
  { what: "its pod has gone", changes: [{ kind: "pod-gone", nodeId: "wf", uid: "pod-1" }, refused] },
  { what: "its pod was refused", changes: [refused, refused] },
] as const)(
  "a node that was begun here is not taken for new once $what, also when it is saved again",
  ({ changes }) => {
    const workflow = workflowOf({ entrypoint: "echo", templates: [echo] });
    const open = new OpenRun(workflow, openRun(workflow, plainOptions));
    const pass = (change: Change): void => {
      open.tell(change);
      open.accept(open.run.advance({ changes: open.take(), now: start, facts: { get: () => null } }), 0);
      open.saved("2");
    };
    pass({ kind: "observed" });
    expect(open.startedHere("wf")).toBe(true);
    for (const change of changes) {
      pass(change);
      expect(open.startedHere("wf")).toBe(false);
    }
    expect(open.unsaved.nodesBefore.size).toBe(0);
  },
);
