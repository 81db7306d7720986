import { expect, test } from "vitest";
import { SeededChance } from "./seeded-chance.js";

test("the same seed gives the same numbers, another seed others", () => {
  const draw = (seed: number): number[] => {
    const chance = new SeededChance(seed);
    return Array.from({ length: 5 }, () => chance.next());
  };
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
});

test("numbers fill [0, 1) evenly", () => {
  const chance = new SeededChance(42);
  const buckets = new Array<number>(10).fill(0);
  for (let index = 0; index < 10_000; index++) buckets[chance.below(10)]! += 1;
  for (const count of buckets) expect(Math.abs(count - 1000)).toBeLessThan(150);
});

test("UUIDs are version 4 and differ", () => {
  const chance = new SeededChance(7);
  const uuids = Array.from({ length: 1000 }, () => chance.uuid());
  expect(new Set(uuids).size).toBe(1000);
  for (const uuid of uuids)
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("a fork does not depend on what others draw from it later", () => {
  const chance = new SeededChance(3);
  const fork = chance.fork("faults");
  expect(chance.fork("faults").next()).toBe(fork.next());
  expect(chance.fork("order").next()).not.toBe(chance.fork("faults").next());
});
