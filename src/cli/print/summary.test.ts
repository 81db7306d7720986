import { expect, test } from "vitest";
import { nightly } from "../fakes/nightly.js";
import { at, sketchWorkflow, start } from "../fakes/workflows.js";
import { plainStyle } from "./style.js";
import { type FailedStep, type SummaryFacts, summaryLines } from "./summary.js";
import { buildTree } from "./tree/build.js";

const unit: FailedStep = {
  name: "unit",
  position: { file: "ci.yaml", line: 61, column: 5 },
  image: "registry.corp/ci:1.4",
  reason: "exit 2",
  durationMs: 21_000,
  attempts: { made: 3, max: 3 },
  command: ["sh", "-c", "pytest -q tests"],
  scriptLines: 0,
  hasPod: true,
  tail: {
    lines: ["FAILED tests/test_io.py::test_gzip - assert b'' == b'abc'", "1 failed, 41 passed in 19.80s"],
    total: 212,
  },
};

function ended(): SummaryFacts {
  const running = nightly();
  const workflow = { ...running, status: { ...running.status, phase: "Failed" as const, finishedAt: at(118) } };
  const items = buildTree({ workflow, podNotes: new Map(), lastLines: new Map() });
  return {
    workflow,
    items,
    retries: 3,
    failed: [unit],
    specFile: "ci.yaml",
    keepsFailed: true,
    ended: "by itself",
    now: start,
  };
}

test("the picture of the documentation", () => {
  expect(summaryLines(ended(), 80, plainStyle).join("\n")).toMatchInlineSnapshot(`
    "✖ nightly-x7k2f Failed 1m58s · 12 tasks: 4 ✔ 1 ✖ 7 not run · 3 retries
    ✖ unit  ci.yaml:61:5  image registry.corp/ci:1.4  exit 2 after 21s, attempt 3/3
        $ sh -c 'pytest -q tests'
        │ FAILED tests/test_io.py::test_gzip - assert b'' == b'abc'
        │ 1 failed, 41 passed in 19.80s                       (last 2 of 212 lines)
      after a fix, only the rest   tiphys retry nightly-x7k2f --spec ci.yaml
      look inside                  tiphys shell nightly-x7k2f unit
      the whole log                tiphys logs nightly-x7k2f unit"
  `);
});

test("what a reason means stands beneath it", () => {
  const failed = [{ ...unit, hint: "the step left no file /tmp/a" }];
  expect(summaryLines({ ...ended(), failed }, 80, plainStyle)[2]).toBe("    the step left no file /tmp/a");
});

test("nobody is sent to look at what is not kept", () => {
  expect(summaryLines({ ...ended(), keepsFailed: false }, 80, plainStyle).slice(-2)).toEqual([
    "  after a fix, only the rest   tiphys retry nightly-x7k2f --spec ci.yaml",
    "  the whole log                tiphys logs nightly-x7k2f unit",
  ]);
});

test("many failures, no file to name", () => {
  const failed = Array.from({ length: 5 }, (_, index) => ({
    ...unit,
    name: `s${index}`,
    position: undefined,
    attempts: { made: 1, max: undefined },
    command: ["python"],
    scriptLines: 12,
    tail: { lines: [], total: 0 },
  }));
  expect(
    summaryLines({ ...ended(), failed, specFile: "" }, 80, plainStyle)
      .slice(1)
      .join("\n"),
  ).toMatchInlineSnapshot(`
    "✖ s0  image registry.corp/ci:1.4  exit 2 after 21s
        $ python  (script of 12 lines)
    ✖ s1  image registry.corp/ci:1.4  exit 2 after 21s
        $ python  (script of 12 lines)
    ✖ s2  image registry.corp/ci:1.4  exit 2 after 21s
        $ python  (script of 12 lines)
      and 2 more failed: s3, s4
      after a fix, only the rest   tiphys retry nightly-x7k2f
      look inside                  tiphys shell nightly-x7k2f s0
      the whole log                tiphys logs nightly-x7k2f s0"
  `);
});

test("lost steps end in the command that repeats them; success is one line; a stop says how to go on", () => {
  const lost = summaryLines({ ...ended(), failed: [{ ...unit, reason: "lost with its process" }] }, 80, plainStyle);
  expect(lost.at(-1)).toBe("  repeat only that step        tiphys retry nightly-x7k2f");
  const workflow = sketchWorkflow({ spec: {}, status: { phase: "Succeeded", finishedAt: at(5) } });
  const base = { items: [], retries: 0, failed: [], specFile: "", keepsFailed: true, now: start } as const;
  expect(summaryLines({ ...base, workflow, ended: "by itself" }, 80, plainStyle)).toEqual(["✔ wf Succeeded 5s"]);
  const stopped = sketchWorkflow({
    spec: {},
    status: { phase: "Failed", finishedAt: at(5), message: "workflow shutdown with strategy: Stop" },
  });
  expect(
    summaryLines({ ...base, workflow: stopped, ended: "signal" }, 80, plainStyle).join("\n"),
  ).toMatchInlineSnapshot(`
    "✖ wf Failed 5s
      workflow shutdown with strategy: Stop
      go on where it stopped       tiphys retry wf"
  `);
});

test("how long it ran is said where the reason is an exit code, not where it is a sentence", () => {
  const head = (reason: string): string =>
    summaryLines({ ...ended(), failed: [{ ...unit, reason }] }, 200, plainStyle)[1] ?? "";
  expect(head("OOMKilled, exit 137")).toContain("OOMKilled, exit 137 after 21s, attempt 3/3");
  expect(head('StartError, exit 128: program "x" is not here: install it')).toContain("install it, attempt 3/3");
  expect(head("lost with the process that ran it")).toContain("lost with the process that ran it, attempt 3/3");
});

test("a run that was left before its end is gone on with, not retried", () => {
  const workflow = sketchWorkflow({ spec: {}, status: { phase: "Running" } });
  const facts = {
    workflow,
    items: [],
    retries: 0,
    failed: [],
    specFile: "",
    keepsFailed: true,
    now: start,
    ended: "signal",
  } as const;
  expect(summaryLines(facts, 80, plainStyle).at(-1)).toBe("  go on where it was left      tiphys run --resume wf");
  expect(summaryLines({ ...facts, ended: "left" }, 80, plainStyle)).toEqual([
    "● wf Running 0s",
    "  it runs on, watch it again   tiphys logs -f wf",
  ]);
  expect(summaryLines({ ...facts, ended: "lost" }, 80, plainStyle)).toEqual(["✖ wf Lost 0s"]);
});

test("a command with controls in it is shown without them, on its line", () => {
  const step = { ...unit, command: ["sh", "-c", "echo a\n\techo \x1b[2Jb\r"], tail: { lines: [], total: 0 } };
  expect(summaryLines({ ...ended(), failed: [step] }, 80, plainStyle)[2]).toBe("    $ sh -c 'echo a echo b '");
});
