import { expect, test } from "vitest";
import { VirtualClock } from "../../kube/testing/virtual-clock.js";
import { Clearing } from "./clearing.js";

function clearing() {
  const clock = new VirtualClock();
  const cleared: string[] = [];
  const own = new Clearing(clock);
  const add = (name: string): void => own.add(async () => void cleared.push(name));
  return { clock, cleared, own, add };
}

test("what ended is cleared away a moment later, with what ended meanwhile", async () => {
  const { clock, cleared, own, add } = clearing();
  add("a");
  await clock.advance(249);
  add("b");
  expect([cleared, own.size]).toEqual([[], 2]);
  await clock.advance(1);
  expect([cleared, own.size, clock.pending]).toEqual([["a", "b"], 0, 0]);
  add("c");
  await clock.advance(250);
  expect(cleared).toEqual(["a", "b", "c"]);
});

test("the end waits for all of it, also for what is under way and for what comes after", async () => {
  const { clock, cleared, own, add } = clearing();
  let finish: () => void = () => undefined;
  own.add(() => new Promise((resolve) => (finish = resolve)));
  await clock.advance(250);
  add("b");
  const isClosed = own.close().then(() => cleared.push("closed"));
  add("c");
  await clock.advance(0);
  expect(cleared).toEqual(["b", "c"]);
  finish();
  await isClosed;
  expect([cleared, own.size, clock.pending]).toEqual([["b", "c", "closed"], 0, 0]);
});
