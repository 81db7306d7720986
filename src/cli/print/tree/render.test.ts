import { expect, test } from "vitest";
import type { Workflow } from "../../../core/model/argo/workflow.js";
import { nightly, nightlyLastLines, nightlyPodNotes } from "../../fakes/nightly.js";
import { at, sketchWorkflow, start } from "../../fakes/workflows.js";
import { makeStyle, plainStyle } from "../style.js";
import { displayWidth, stripEscapes } from "../width.js";
import { buildTree } from "./build.js";
import { countNotBegun, headerParts } from "./header.js";
import { renderTree, type TreeRoom } from "./render.js";

const hint = "Ctrl-C stops and runs it · log: tiphys logs";
const now = start + 102_000;

function draw(room: TreeRoom, style = plainStyle): readonly string[] {
  const workflow = nightly();
  const items = buildTree({ workflow, podNotes: nightlyPodNotes, lastLines: nightlyLastLines });
  const header = headerParts({
    workflow,
    runtime: "docker",
    slots: { used: 3, max: 3 },
    now,
    notBegun: 5,
    stopping: "no",
  });
  return renderTree({ header, items, now, hint }, room, style);
}

test("the picture of the documentation, on a screen of 80 by 24", () => {
  expect(draw({ columns: 80, lines: 12 }).join("\n")).toMatchInlineSnapshot(`
    "nightly-x7k2f  Running 1m42s · docker · pods 16 of 25 done · slots 3 of 3
    ├─✔ checkout, lint, validate                                               12s
    ├─✔ fetch ×8                                                               31s
    ├─✖ unit      exit 2, attempt 3 of 3                                       21s
    ├─● build     attempt 2 of 4 (before: OOMKilled, exit 137)                 12s
    │             [3/9] make -j4 all
    ├─● train ×4  1 ✔  2 ●  1 ◷ waits for a slot
    │  ├─● (0:lr:0.1)   epoch 4/10 loss 0.412                                1m03s
    │  └─● (2:lr:0.01)  epoch 2/10 loss 0.977                                  48s
    ├─– package, evaluate, report, publish, deploy    cannot run: unit failed
    └─◷ onExit    cleanup              Ctrl-C stops and runs it · log: tiphys logs"
  `);
});

test("with room, nothing folds", () => {
  expect(draw({ columns: 80, lines: 40 }).join("\n")).toMatchInlineSnapshot(`
    "nightly-x7k2f  Running 1m42s · docker · pods 16 of 25 done · slots 3 of 3
    ├─✔ checkout                                                                4s
    ├─✔ lint                                                                    8s
    ├─✔ validate                                                                7s
    ├─✔ fetch ×8                                                               31s
    │  ├─✔ (0:0)                                                               31s
    │  ├─✔ (1:1)                                                               31s
    │  ├─✔ (2:2)                                                               31s
    │  ├─✔ (3:3)                                                               31s
    │  ├─✔ (4:4)                                                               31s
    │  ├─✔ (5:5)                                                               31s
    │  ├─✔ (6:6)                                                               31s
    │  └─✔ (7:7)                                                               31s
    ├─✖ unit      exit 2, attempt 3 of 3                                       21s
    ├─● build     attempt 2 of 4 (before: OOMKilled, exit 137)                 12s
    │             [3/9] make -j4 all
    ├─● train ×4  1 ✔  2 ●  1 ◷ waits for a slot
    │  ├─● (0:lr:0.1)    epoch 4/10 loss 0.412                               1m03s
    │  ├─✔ (1:lr:0.03)                                                         17s
    │  ├─● (2:lr:0.01)   epoch 2/10 loss 0.977                                 48s
    │  └─◷ (3:lr:0.001)  waits for a slot (3 of 3)
    ├─– package   cannot run: unit failed
    ├─– evaluate  cannot run: unit failed
    ├─– report    cannot run: unit failed
    ├─– publish   cannot run: unit failed
    ├─– deploy    cannot run: unit failed
    └─◷ onExit    cleanup              Ctrl-C stops and runs it · log: tiphys logs"
  `);
});

test("40 columns, ASCII", () => {
  expect(draw({ columns: 40, lines: 15 }, makeStyle(false, false)).join("\n")).toMatchInlineSnapshot(`
    "nightly-x7k2f  Running 1m42s - docker
    |-+ checkout, lint, validate       12s
    |-+ fetch x8                       31s
    |-x unit      exit 2, attempt 3... 21s
    |-* build     attempt 2 of 4 (b... 12s
    |             [3/9] make -j4 all
    |-* train x4  1 +  2 *  1 o waits f...
    |  |-* (0:lr:0.1)    epoch 4/... 1m03s
    |  |-+ (1:lr:0.03)                 17s
    |  |-* (2:lr:0.01)   epoch 2/10... 48s
    |  \`-o (3:lr:0.001)  waits for a sl...
    |-- package and 4 more    cannot ru...
    \`-o onExit    cleanup"
  `);
});

test("colours change nothing but colours", () => {
  const size = { columns: 60, lines: 10 };
  expect(draw(size, makeStyle(true, true)).map(stripEscapes)).toEqual(draw(size));
});

test("never wider than the screen, never more lines than there is room for", () => {
  for (const columns of [12, 18, 30, 40, 60, 80, 120, 200]) {
    for (const lines of [1, 2, 3, 4, 5, 7, 12, 20, 50]) {
      const drawn = draw({ columns, lines });
      expect(drawn.length).toBeLessThanOrEqual(lines);
      for (const line of drawn) expect(displayWidth(line)).toBeLessThanOrEqual(columns - 2);
    }
  }
});

test("a chain of thousands of tasks, running and failed, is drawn at once", () => {
  const names = Array.from({ length: 5000 }, (_, index) => `t${index}`);
  const tasks = names.map((name, index) => ({
    name,
    template: "t",
    ...(index === 0 ? {} : { dependencies: [names[index - 1] ?? ""] }),
  }));
  const drawn = (phase: "Running" | "Failed"): string => {
    const workflow = sketchWorkflow({
      spec: { entrypoint: "main", templates: [{ name: "main", dag: { tasks } }, { name: "t" }] },
      nodes: [
        { name: "wf", type: "DAG", phase: "Running", templateName: "main" },
        { name: "wf.t0", type: "Pod", phase, boundaryID: "wf", startedAt: at(90) },
      ],
    });
    const items = buildTree({ workflow, podNotes: new Map(), lastLines: new Map() });
    return renderTree({ header: ["wf"], items, now, hint: "" }, { columns: 60, lines: 4 }, plainStyle).join("\n");
  };
  expect(drawn("Running")).toMatchInlineSnapshot(`
    "wf
    ├─● t0                                                 12s
    ├─◷ t1     waits for t0
       … 4998 more"
  `);
  expect(drawn("Failed")).toMatchInlineSnapshot(`
    "wf
    ├─✖ t0                                                 12s
    └─– t1, t2, t3, t4, t5 and 4994 more    cannot run: t0 fa…"
  `);
});

test("a long name leaves room for why it failed", () => {
  const name = "wf.a-very-long-name-of-a-step-that-somebody-thought-of-and-then-made-longer";
  const workflow = sketchWorkflow({
    spec: { entrypoint: "main", templates: [{ name: "main", steps: [] }] },
    nodes: [
      { name: "wf", type: "Steps", phase: "Running", templateName: "main" },
      { name, type: "Pod", phase: "Failed", boundaryID: "wf", message: "Error (exit code 2)", startedAt: at(90) },
    ],
  });
  const items = buildTree({ workflow, podNotes: new Map(), lastLines: new Map() });
  expect(renderTree({ header: ["wf"], items, now, hint: "" }, { columns: 62, lines: 9 }, plainStyle)).toEqual([
    "wf",
    "└─✖ a-very-long-name-of-a-step-tha…  exit 2              12s",
  ]);
});

test("what pods and messages say stays on its line and moves nothing", () => {
  const workflow = sketchWorkflow({
    spec: { entrypoint: "main", templates: [{ name: "main", steps: [] }] },
    nodes: [
      { name: "wf", type: "Steps", phase: "Running", templateName: "main" },
      { name: "wf[0].a", type: "Pod", phase: "Pending", boundaryID: "wf" },
      { name: "wf[0].b", type: "Pod", phase: "Failed", boundaryID: "wf", message: "no\nway\x1b[2J\x07 out" },
    ],
  });
  const podNotes = new Map([["wf[0].a", "pull failed:\r\n\x1b]0;title\x07\tno route"]]);
  const items = buildTree({ workflow, podNotes, lastLines: new Map() });
  expect(renderTree({ header: ["wf"], items, now, hint: "" }, { columns: 60, lines: 9 }, plainStyle)).toEqual([
    "wf",
    "├─◷ a  pull failed: no route",
    "└─✖ b  no way out",
  ]);
});

test("a loop of 500 running items says how many found no room, failures first", () => {
  const children = Array.from({ length: 500 }, (_, index) => ({
    name: `wf[0].work(${index}:${index})`,
    displayName: `work(${index}:${index})`,
    type: "Pod" as const,
    phase: index === 321 ? ("Failed" as const) : ("Running" as const),
    boundaryID: "wf",
    startedAt: at(index / 100),
    message: index === 321 ? "Error (exit code 9)" : "",
  }));
  const workflow = sketchWorkflow({
    spec: { templates: [{ name: "main", steps: [[{ name: "work", template: "w", withItems: [1] }]] }] },
    nodes: [{ name: "wf", type: "Steps", phase: "Running", templateName: "main" }, ...children],
  });
  const items = buildTree({ workflow, podNotes: new Map(), lastLines: new Map() });
  const lines = renderTree({ header: ["wf"], items, now, hint }, { columns: 60, lines: 10 }, plainStyle);
  expect(lines.join("\n")).toMatchInlineSnapshot(`
    "wf
    └─● work ×500  1 ✖  499 ●
       ├─● (0:0)                                         1m42s
       ├─● (1:1)                                         1m41s
       ├─● (2:2)                                         1m41s
       ├─● (3:3)                                         1m41s
       ├─● (4:4)                                         1m41s
       ├─● (5:5)                                         1m41s
       └─✖ (321:321)  exit 9                             1m38s
       … 493 more"
  `);
});

test("a single step shows under its template's name", () => {
  const workflow = sketchWorkflow({
    name: "hello-abcde",
    spec: { templates: [{ name: "hello", container: { image: "busybox" } }] },
    nodes: [{ name: "hello-abcde", type: "Pod", phase: "Running", templateName: "hello", startedAt: at(100) }],
  });
  const lastLines = new Map([["hello-abcde", "你好 世界"]]);
  const items = buildTree({ workflow, podNotes: new Map(), lastLines });
  const header = headerParts({ workflow, runtime: "host", slots: null, now, notBegun: 0, stopping: "stopping" });
  expect(
    renderTree({ header, items, now, hint }, { columns: 60, lines: 10 }, plainStyle).join("\n"),
  ).toMatchInlineSnapshot(`
    "hello-abcde  Stopping 1m42s · Ctrl-C again terminates
    └─● hello  你好 世界                                    2s"
  `);
});

test("steps not begun wait for the group before; a suspended step and a skipped one say so", () => {
  const workflow = sketchWorkflow({
    spec: {
      templates: [
        {
          name: "main",
          steps: [
            [
              { name: "approve", template: "s" },
              { name: "maybe", template: "w", when: "false" },
            ],
            [{ name: "deploy", template: "w" }],
          ],
        },
      ],
    },
    nodes: [
      { name: "wf", type: "Steps", phase: "Running", templateName: "main" },
      { name: "wf[0].approve", type: "Suspend", phase: "Running", boundaryID: "wf", startedAt: at(90) },
      {
        name: "wf[0].maybe",
        type: "Skipped",
        phase: "Skipped",
        boundaryID: "wf",
        message: "when 'false' evaluated false",
      },
    ],
  });
  const items = buildTree({ workflow, podNotes: new Map(), lastLines: new Map() });
  expect(
    renderTree({ header: ["wf"], items, now, hint }, { columns: 60, lines: 10 }, plainStyle).join("\n"),
  ).toMatchInlineSnapshot(`
    "wf
    ├─ǁ approve  waits: tiphys resume wf                   12s
    ├─○ maybe    when 'false' evaluated false
    └─◷ deploy   waits for approve, maybe"
  `);
});

test("a loop under steps has no node of its own: it is no further task, and its skipped items are counted as such", () => {
  const workflow = sketchWorkflow({
    spec: {
      templates: [
        {
          name: "main",
          steps: [[{ name: "halve", template: "w", withItems: [1, 2, 3] }], [{ name: "print", template: "w" }]],
        },
      ],
    },
    nodes: [
      { name: "wf", type: "Steps", phase: "Running", templateName: "main" },
      { name: "wf[0].halve(0:1)", type: "Skipped", phase: "Skipped", boundaryID: "wf" },
      { name: "wf[0].halve(1:2)", type: "Pod", phase: "Pending", boundaryID: "wf" },
      { name: "wf[0].halve(2:3)", type: "Pod", phase: "Succeeded", boundaryID: "wf", startedAt: at(90) },
    ],
  });
  const items = buildTree({ workflow, podNotes: new Map(), lastLines: new Map() });
  const frame = { header: [String(countNotBegun(items))], items, now, hint: "" };
  expect(renderTree(frame, { columns: 60, lines: 4 }, plainStyle).join("\n")).toMatchInlineSnapshot(`
    "1
    ├─◷ halve ×3  1 ✔  1 ○  1 ◷
    └─◷ print     waits for halve"
  `);
});

test("what Ctrl-C would do next is said only while something runs", () => {
  const facts = { runtime: "host", slots: null, now, notBegun: 0 };
  const running = sketchWorkflow({ name: "wf", spec: {}, nodes: [] });
  const ended = sketchWorkflow({ name: "wf", spec: {}, status: { phase: "Failed", finishedAt: at(9) }, nodes: [] });
  const next = (workflow: Workflow, stopping: "stopping" | "terminating") =>
    headerParts({ ...facts, workflow, stopping }).filter((part) => part.startsWith("Ctrl-C"));
  expect(next(running, "stopping")).toEqual(["Ctrl-C again terminates"]);
  expect(next(running, "terminating")).toEqual(["Ctrl-C again leaves at once"]);
  expect(next(ended, "stopping")).toEqual([]);
});
