import { expect, test } from "vitest";
import { SeededChance } from "../testing/seeded-chance.js";
import { VirtualClock } from "../testing/virtual-clock.js";
import { WorkQueue } from "./work-queue.js";

function create() {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock, chance: new SeededChance(1), backoff: { baseMs: 100, capMs: 1000 } });
  const ready = async (): Promise<string[]> => {
    const keys: string[] = [];
    while (queue.depth > 0) {
      const key = await queue.take();
      keys.push(key!);
      queue.done(key!);
    }
    return keys;
  };
  return { clock, queue, ready };
}

test("after a while; the earliest of several delays counts, once", async () => {
  const { clock, queue, ready } = create();
  queue.addAfter("a", 100);
  queue.addAfter("a", 50);
  queue.addAfter("a", 80);
  queue.addAfter("b", 60);
  queue.addAfter("now", 0);
  expect(await ready()).toEqual(["now"]);
  clock.advanceSync(49);
  expect(await ready()).toEqual([]);
  clock.advanceSync(1);
  expect(await ready()).toEqual(["a"]);
  clock.advanceSync(1000);
  expect(await ready()).toEqual(["b"]);
  expect([queue.size, clock.pending]).toEqual([0, 0]);
});

test("at a moment: the last one set counts", async () => {
  const { clock, queue, ready } = create();
  const start = clock.now();
  queue.wakeAt("a", start + 100);
  queue.wakeAt("a", start + 200);
  queue.wakeAt("b", start + 150);
  queue.wakeAt("b", undefined);
  clock.advanceSync(199);
  expect(await ready()).toEqual([]);
  clock.advanceSync(1);
  expect(await ready()).toEqual(["a"]);
  expect([queue.size, clock.pending]).toEqual([0, 0]);
});

test("a moment that is past is now", async () => {
  const { clock, queue, ready } = create();
  queue.wakeAt("a", clock.now() - 1000);
  clock.advanceSync(0);
  expect(await ready()).toEqual(["a"]);
});

test("a moment follows the wall clock when it jumps; a delay does not", async () => {
  const { clock, queue, ready } = create();
  const hourMs = 3_600_000;
  queue.wakeAt("moment", clock.now() + 10 * hourMs);
  queue.addAfter("delay", 10 * hourMs);
  clock.jumpWall(10 * hourMs);
  clock.advanceSync(60_000);
  expect(await ready()).toEqual(["moment"]);
  queue.wakeAt("moment", clock.now() + hourMs);
  clock.jumpWall(-hourMs);
  clock.advanceSync(hourMs + 60_000);
  expect(await ready()).toEqual([]);
  clock.advanceSync(hourMs);
  expect(await ready()).toEqual(["moment"]);
});

test("failures wait longer and longer, up to the cap, and a success makes an end of it", async () => {
  const { clock, queue, ready } = create();
  const waits: number[] = [];
  for (let index = 0; index < 8; index++) {
    waits.push(queue.addFailed("a"));
    clock.advanceSync(1000);
    expect(await ready()).toEqual(["a"]);
  }
  expect(queue.failures("a")).toBe(8);
  for (const [index, wait] of waits.entries()) {
    const full = Math.min(1000, 100 * 2 ** index);
    expect(wait).toBeGreaterThanOrEqual(full / 2);
    expect(wait).toBeLessThanOrEqual(full);
  }
  queue.forget("a");
  expect([queue.failures("a"), queue.size]).toEqual([0, 0]);
  expect(queue.addFailed("a", 5000)).toBe(5000);
});

test("the shutdown drops what was to come", async () => {
  const { clock, queue } = create();
  queue.addAfter("a", 10);
  queue.wakeAt("b", clock.now() + 10);
  queue.addFailed("c");
  queue.add("d");
  queue.shutDown();
  queue.addAfter("e", 10);
  queue.wakeAt("e", clock.now() + 10);
  queue.addFailed("e");
  expect([queue.size, clock.pending, await queue.take()]).toEqual([0, 0, undefined]);
});

test("replacing moments again and again does not grow", () => {
  const { clock, queue } = create();
  for (let index = 0; index < 100_000; index++) queue.wakeAt(`k${index % 10}`, clock.now() + 100_000 - index);
  for (let index = 0; index < 10; index++) queue.wakeAt(`k${index}`, undefined);
  expect([queue.size, clock.pending]).toEqual([0, 0]);
});
