import fc from "fast-check";
import { expect, test } from "vitest";
import { Heap } from "./heap.js";

test("property: what goes in comes out sorted", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer(), (numbers, limit) => {
      const heap = new Heap<number>((a, b) => a < b);
      for (const number of numbers) heap.push(number);
      heap.retain((number) => number <= limit);
      const popped: number[] = [];
      for (let next = heap.pop(); next !== undefined; next = heap.pop()) popped.push(next);
      expect(popped).toEqual(numbers.filter((number) => number <= limit).sort((a, b) => a - b));
      expect(heap.size).toBe(0);
    }),
  );
});
