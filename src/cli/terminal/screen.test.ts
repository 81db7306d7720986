import { expect, test } from "vitest";
import { settle, VirtualClock } from "../../kube/testing/virtual-clock.js";
import { shownLines } from "../fakes/grid.js";
import { FakeOutput } from "../fakes/output.js";
import { Screen } from "./screen.js";

function setup(columns = 40) {
  const clock = new VirtualClock();
  const output = new FakeOutput({ columns, rows: 24 });
  const state = { tree: ["wf Running", "└─● a"] as readonly string[], frames: 0 };
  const screen = new Screen(
    { stdout: output, stderr: output, clock },
    () => {
      state.frames += 1;
      return state.tree;
    },
    (count) => `… ${count} lines not shown`,
  );
  return { clock, output, state, screen };
}

test("lines scroll above the tree, which is drawn anew below them", async () => {
  const { clock, output, state, screen } = setup();
  screen.refresh();
  await clock.advance(100);
  screen.line("a │ one");
  screen.line("a │ two");
  state.tree = ["wf Running", "├─✔ a", "└─● b"];
  await clock.advance(100);
  state.tree = ["wf Succeeded"];
  screen.close("keep the tree");
  expect(shownLines(output.text, 40)).toEqual(["a │ one", "a │ two", "wf Succeeded"]);
});

test("at most ten drawings a second, however much happens", async () => {
  const { clock, state, screen } = setup();
  for (let turn = 0; turn < 1000; turn++) {
    screen.line(`line ${turn}`);
    await clock.advance(1);
  }
  expect(state.frames).toBeLessThanOrEqual(11);
});

test("what a slow terminal cannot take is skipped, with a count", async () => {
  const { clock, output, screen } = setup();
  screen.refresh();
  output.stall();
  await clock.advance(100);
  for (let turn = 0; turn < 1000; turn++) screen.line(`line ${turn}`);
  await clock.advance(1000);
  expect(output.text).not.toContain("line");
  output.resume();
  await settle();
  await clock.advance(100);
  const shown = shownLines(output.text, 40);
  expect(shown[0]).toBe("… 600 lines not shown");
  expect(shown[1]).toBe("line 600");
  expect(shown.at(-3)).toBe("line 999");
});

test("after the screen became narrower, what wrapped is cleared too", async () => {
  const { clock, output, state, screen } = setup(40);
  state.tree = ["x".repeat(38), "y".repeat(38)];
  screen.refresh();
  await clock.advance(100);
  output.text = `${"x".repeat(38)}\n${"y".repeat(38)}\n`;
  output.resize(20, 24);
  state.tree = ["short"];
  await clock.advance(200);
  expect(shownLines(output.text, 20)).toEqual(["short"]);
});

test("nothing is written after the end; without the tree only the lines stay", async () => {
  const { clock, output, screen } = setup();
  screen.refresh();
  await clock.advance(100);
  screen.line("last words");
  screen.close("without the tree");
  const text = output.text;
  screen.line("too late");
  screen.refresh();
  await clock.advance(1000);
  expect(output.text).toBe(text);
  expect(shownLines(text, 40)).toEqual(["last words"]);
});
