import { expect, test } from "vitest";
import { VirtualClock } from "../testing/virtual-clock.js";
import { TokenBucket } from "./token-bucket.js";

test("a burst at once, then the rate, in the order of coming", async () => {
  const clock = new VirtualClock();
  const bucket = new TokenBucket({ clock, ratePerSecond: 10, burst: 3 });
  const seen: string[] = [];
  for (let index = 0; index < 6; index++) void bucket.take().then(() => seen.push(`${index}@${clock.monotonic()}`));
  await clock.advance(1000);
  expect(seen).toEqual(["0@0", "1@0", "2@0", "3@100", "4@200", "5@300"]);
  expect(clock.pending).toBe(0);
});

test("the reserve is never more than the burst", async () => {
  const clock = new VirtualClock();
  const bucket = new TokenBucket({ clock, ratePerSecond: 10, burst: 2 });
  await clock.advance(3_600_000);
  expect([bucket.tryTake(), bucket.tryTake(), bucket.tryTake()]).toEqual([true, true, false]);
});

test("the stop ends all waiting, and nobody takes any more", async () => {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const bucket = new TokenBucket({ clock, ratePerSecond: 1, burst: 1, signal: stop.signal });
  await bucket.take();
  const waiting = [bucket.take(), bucket.take()];
  stop.abort(new Error("stop"));
  for (const one of [...waiting, bucket.take()]) await expect(one).rejects.toThrow("stop");
  expect([bucket.waiting, clock.pending]).toEqual([0, 0]);
});

test("over a long time the rate is kept exactly", async () => {
  const clock = new VirtualClock();
  const bucket = new TokenBucket({ clock, ratePerSecond: 7, burst: 1 });
  let taken = 0;
  const work = async (): Promise<void> => {
    for (;;) {
      await bucket.take();
      taken++;
    }
  };
  void work();
  await clock.advance(100_000);
  expect(Math.abs(taken - 700)).toBeLessThan(8);
});
