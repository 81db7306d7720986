import fc from "fast-check";
import { expect, test } from "vitest";
import { sleep } from "../clock.js";
import { ProcessClock } from "./process-clock.js";
import { VirtualClock } from "./virtual-clock.js";

test("timers run in order of time, then of registration, each at its own moment", async () => {
  const clock = new VirtualClock();
  const seen: string[] = [];
  const note = (name: string) => () => seen.push(`${name}@${clock.monotonic()}`);
  clock.after(20, note("c"));
  clock.after(10, note("a"));
  clock.after(10, note("b"));
  clock.after(0, note("now"));
  clock.after(31, note("later"));
  await clock.advance(30);
  expect(seen).toEqual(["now@0", "a@10", "b@10", "c@20"]);
  expect(clock.monotonic()).toBe(30);
  expect(clock.pending).toBe(1);
});

test("promises come to rest between two timers", async () => {
  const clock = new VirtualClock();
  const seen: string[] = [];
  const program = async (): Promise<void> => {
    await sleep(clock, 10);
    for (let index = 0; index < 50; index++) await Promise.resolve();
    seen.push(`first@${clock.monotonic()}`);
    await sleep(clock, 5);
    seen.push(`second@${clock.monotonic()}`);
  };
  const ended = program();
  clock.after(11, () => seen.push("other@11"));
  await clock.advance(100);
  await ended;
  expect(seen).toEqual(["first@10", "other@11", "second@15"]);
});

test("the wall clock jumps alone", async () => {
  const clock = new VirtualClock({ startMs: 1000 });
  let ran = false;
  clock.after(10, () => {
    ran = true;
  });
  clock.jumpWall(-500);
  expect([clock.now(), clock.monotonic()]).toEqual([500, 0]);
  clock.jumpWall(3_600_000);
  await clock.advance(9);
  expect(ran).toBe(false);
  await clock.advance(1);
  expect(ran).toBe(true);
  expect(clock.now()).toBe(3_600_510);
});

test("runUntil stops at the moment, at the limit, or when nothing is left", async () => {
  const clock = new VirtualClock();
  let ticks = 0;
  const tick = (): void => {
    ticks++;
    if (ticks < 10) clock.after(1000, tick);
  };
  clock.after(1000, tick);
  expect(await clock.runUntil(() => ticks === 3)).toBe(true);
  expect(clock.monotonic()).toBe(3000);
  expect(await clock.runUntil(() => ticks === 9, 2000)).toBe(false);
  expect(await clock.runUntil(() => false)).toBe(false);
  expect(ticks).toBe(10);
});

test("cancelled timers do not run and are not kept", () => {
  const clock = new VirtualClock();
  let runs = 0;
  for (let index = 0; index < 10_000; index++) clock.after(1_000_000, () => runs++).cancel();
  clock.after(5, () => runs++);
  expect(clock.pending).toBe(1);
  clock.advanceSync(2_000_000);
  expect([runs, clock.pending]).toEqual([1, 0]);
});

test("property: cancelling any subset leaves the others in order", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(50), fc.boolean())), (timers) => {
      const clock = new VirtualClock();
      const seen: number[] = [];
      const handles = timers.map(([delay], index) => clock.after(delay, () => seen.push(index)));
      for (const [index, [, isCancelled]] of timers.entries()) if (isCancelled) handles[index]?.cancel();
      clock.advanceSync(50);
      const expected = [...timers.entries()]
        .filter(([, [, isCancelled]]) => !isCancelled)
        .sort(([a, [left]], [b, [right]]) => left - right || a - b)
        .map(([index]) => index);
      expect(seen).toEqual(expected);
      expect(clock.pending).toBe(0);
    }),
  );
});

test("a paused process misses its timers and runs them in order when it goes on", () => {
  const world = new VirtualClock();
  const clock = new ProcessClock(world);
  const seen: string[] = [];
  clock.after(1, () => seen.push("a"));
  clock.after(2, () => seen.push("b"));
  const cancelled = clock.after(3, () => seen.push("never"));
  clock.after(100, () => seen.push("c"));
  clock.pause();
  world.advanceSync(50);
  expect(seen).toEqual([]);
  cancelled.cancel();
  clock.resume();
  expect(seen).toEqual(["a", "b"]);
  world.advanceSync(50);
  expect(seen).toEqual(["a", "b", "c"]);
  expect(clock.pending).toBe(0);
});

test("a killed process runs nothing more, and leaves nothing behind", () => {
  const world = new VirtualClock();
  const clock = new ProcessClock(world);
  let runs = 0;
  clock.after(1, () => {
    runs++;
    clock.kill();
  });
  clock.after(1, () => runs++);
  world.advanceSync(1);
  clock.after(1, () => runs++);
  world.advanceSync(10);
  expect([runs, clock.pending, world.pending]).toEqual([1, 0, 0]);
});
