import { expect, test } from "vitest";
import { plainOptions, start, workflowOf } from "../core/engine/engine.fixture.js";
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
