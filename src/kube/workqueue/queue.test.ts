import fc from "fast-check";
import { expect, test } from "vitest";
import { VirtualClock } from "../testing/virtual-clock.js";
import { Queue } from "./queue.js";

test("keys come out in order, each once, however often it was added", async () => {
  const queue = new Queue(new VirtualClock());
  for (const key of ["a", "b", "a", "c", "b"]) queue.add(key);
  expect([await queue.take(), await queue.take(), await queue.take()]).toEqual(["a", "b", "c"]);
  expect(queue.depth).toBe(0);
});

test("a key in work is given to nobody else, and runs once more when it became dirty", async () => {
  const queue = new Queue(new VirtualClock());
  queue.add("a");
  expect(await queue.take()).toBe("a");
  queue.add("a");
  queue.add("a");
  expect(queue.depth).toBe(0);
  queue.done("a");
  expect(queue.depth).toBe(1);
  expect(await queue.take()).toBe("a");
  queue.done("a");
  expect([queue.depth, queue.inWork]).toEqual([0, 0]);
});

test("who waits is served first come, first served; all hear of the shutdown", async () => {
  const queue = new Queue(new VirtualClock());
  const takes = [queue.take(), queue.take(), queue.take()];
  queue.add("a");
  queue.add("b");
  expect(await Promise.all(takes.slice(0, 2))).toEqual(["a", "b"]);
  queue.shutDown();
  queue.add("c");
  expect(await takes[2]).toBeUndefined();
  expect(await queue.take()).toBeUndefined();
});

test("what is added again before a waiting taker looks makes no second run", async () => {
  const queue = new Queue(new VirtualClock());
  const take = queue.take();
  queue.add("a");
  queue.add("a");
  expect(await take).toBe("a");
  queue.done("a");
  expect(queue.depth).toBe(0);
});

test("metrics: depth, time waited, time worked", async () => {
  const clock = new VirtualClock();
  const seen: string[] = [];
  const queue = new Queue(clock, {
    added: (depth) => seen.push(`added, depth ${depth}`),
    started: (waitedMs, depth) => seen.push(`started after ${waitedMs}, depth ${depth}`),
    finished: (workedMs) => seen.push(`worked ${workedMs}`),
  });
  queue.add("a");
  clock.advanceSync(5);
  await queue.take();
  clock.advanceSync(7);
  queue.done("a");
  expect(seen).toEqual(["added, depth 1", "started after 5, depth 0", "worked 7"]);
});

test("property: never two workers on one key, no key lost, nothing kept at the end", async () => {
  const act = fc.oneof(
    fc.record({ kind: fc.constant("add" as const), key: fc.constantFrom("a", "b", "c") }),
    fc.record({ kind: fc.constantFrom("take" as const, "done" as const), key: fc.constantFrom("a", "b", "c") }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 60 }), async (acts) => {
      const queue = new Queue(new VirtualClock());
      const inWork = new Set<string>();
      const owed = new Set<string>();
      const take = async (): Promise<void> => {
        const key = await queue.take();
        expect(inWork.has(key!)).toBe(false);
        inWork.add(key!);
        owed.delete(key!);
      };
      for (const { kind, key } of acts) {
        if (kind === "add") {
          queue.add(key);
          owed.add(key);
        } else if (kind === "take" && queue.depth > 0) await take();
        else if (kind === "done" && inWork.delete(key)) queue.done(key);
      }
      for (const key of inWork) queue.done(key);
      inWork.clear();
      while (queue.depth > 0) {
        await take();
        for (const key of inWork) queue.done(key);
        inWork.clear();
      }
      expect([...owed]).toEqual([]);
      expect(queue.inWork).toBe(0);
    }),
  );
});

test("a hundred thousand keys pass without growing", async () => {
  const queue = new Queue(new VirtualClock());
  for (let index = 0; index < 100_000; index++) queue.add(`k${index}`);
  for (let index = 0; index < 100_000; index++) {
    const key = await queue.take();
    expect(key === `k${index}`).toBe(true);
    queue.done(`k${index}`);
  }
  expect([queue.depth, queue.inWork]).toEqual([0, 0]);
});
