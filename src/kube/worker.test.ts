import { expect, test } from "vitest";
import { sleep } from "./clock.js";
import { ApiError } from "./errors.js";
import { SeededChance } from "./testing/seeded-chance.js";
import { VirtualClock } from "./testing/virtual-clock.js";
import { done, type Failure, type Outcome, runWorkers } from "./worker.js";
import { WorkQueue } from "./workqueue/work-queue.js";

function running(handle: (key: string, clock: VirtualClock) => Promise<Outcome>, workers = 2) {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock, chance: new SeededChance(1), backoff: { baseMs: 100, capMs: 1000 } });
  const stop = new AbortController();
  const failures: Failure[] = [];
  const onFailure = (failure: Failure) => failures.push(failure);
  const ended = runWorkers({ queue, workers, handle: (key) => handle(key, clock), onFailure }, stop.signal);
  return { clock, queue, stop, failures, ended };
}

test("passes run side by side, but never two on one key", async () => {
  const log: string[] = [];
  const { clock, queue, stop, ended } = running(async (key, time) => {
    log.push(`+${key}`);
    await sleep(time, 10);
    log.push(`-${key}`);
    return done;
  });
  for (const key of ["a", "b", "c"]) queue.add(key);
  await clock.advance(0);
  queue.add("a");
  await clock.advance(100);
  expect(log).toEqual(["+a", "+b", "-a", "+c", "-b", "+a", "-c", "-a"]);
  expect(queue.size).toBe(0);
  stop.abort();
  await ended;
});

test("done with a moment, retry after a while", async () => {
  const runs: string[] = [];
  let answers: Outcome[] = [];
  const { clock, queue } = running(async (key, time) => {
    runs.push(`${key}@${time.monotonic()}`);
    return answers.shift() ?? done;
  });
  answers = [{ kind: "done", wakeAt: clock.now() + 500 }, { kind: "retry", afterMs: 70 }, done];
  queue.add("a");
  await clock.advance(10_000);
  expect(runs).toEqual(["a@0", "a@500", "a@570"]);
  expect(queue.size).toBe(0);
});

test("a pass in between takes the place of the moment that was set", async () => {
  const runs: number[] = [];
  let isFirst = true;
  const { clock, queue } = running(async (_key, time) => {
    runs.push(time.monotonic());
    const outcome: Outcome = isFirst ? { kind: "done", wakeAt: time.now() + 500 } : done;
    isFirst = false;
    return outcome;
  });
  queue.add("a");
  await clock.advance(100);
  queue.add("a");
  await clock.advance(10_000);
  expect(runs).toEqual([0, 100]);
});

test("a pass that throws comes again, later and later, and holds up nobody", async () => {
  const runs: string[] = [];
  const { clock, queue, failures } = running(async (key) => {
    runs.push(key);
    if (key === "bad" && runs.filter((run) => run === "bad").length < 4) throw new Error("oops");
    return done;
  }, 1);
  queue.add("bad");
  queue.add("good");
  await clock.advance(10_000);
  expect(runs).toEqual(["bad", "good", "bad", "bad", "bad"]);
  expect(failures.map(({ failures: count }) => count)).toEqual([1, 2, 3]);
  expect(queue.size).toBe(0);
});

test("a handler that throws at once, and a reporter that throws, are survived", async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock, chance: new SeededChance(1) });
  const stop = new AbortController();
  let runs = 0;
  const fail = (): never => {
    runs++;
    throw new Error("at once");
  };
  const ended = runWorkers({ queue, workers: 1, handle: fail, onFailure: fail }, stop.signal);
  queue.add("a");
  await clock.advance(1000);
  expect(runs).toBeGreaterThan(3);
  stop.abort();
  await ended;
});

test("Retry-After is the least wait", async () => {
  const { clock, queue, failures } = running(async () => {
    throw new ApiError(429, "TooManyRequests", "slow", 30);
  });
  queue.add("a");
  await clock.advance(29_000);
  expect(failures.map(({ retryMs }) => retryMs)).toEqual([30_000]);
});

test("the stop waits for what is under way", async () => {
  let finished = 0;
  const { clock, queue, stop, ended } = running(async (_key, time) => {
    await sleep(time, 50);
    finished++;
    return done;
  });
  for (const key of ["a", "b", "c"]) queue.add(key);
  await clock.advance(10);
  stop.abort();
  await clock.advance(100);
  await ended;
  expect(finished).toBe(2);
});
