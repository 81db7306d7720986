import { expect, test } from "vitest";
import { createPrng } from "./prng.js";

test("the same seed, the same numbers; another seed, others", () => {
  const draw = (seed: string): readonly number[] => {
    const prng = createPrng(seed);
    return Array.from({ length: 5 }, () => prng.next());
  };
  expect(draw("a")).toEqual(draw("a"));
  const seeds = ["", "a", "b", "ab", "ba", "aa", "uid/node(0)", "uid/node(1)"];
  expect(new Set(seeds.map((seed) => draw(seed).join())).size).toBe(seeds.length);
});

test("numbers spread evenly and stay below the limit", () => {
  const prng = createPrng("spread");
  const counts = Array.from({ length: 10 }, () => 0);
  for (let round = 0; round < 10_000; round++) {
    const drawn = prng.below(10);
    counts[drawn] = (counts[drawn] ?? 0) + 1;
  }
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
  for (let round = 0; round < 1000; round++) {
    const fraction = prng.fraction();
    expect(fraction >= 0 && fraction < 1).toBe(true);
  }
  expect(prng.below(1)).toBe(0);
});
