import { expect, test } from "vitest";
import { linkLeaves } from "./links.js";

test.each<readonly [target: string, depth: number, leaves: boolean]>([
  ["a", 0, false],
  ["a/b/./c", 0, false],
  ["./a", 0, false],
  [".", 0, false],
  ["..", 0, true],
  ["..", 1, false],
  ["../..", 1, true],
  ["../a", 1, false],
  ["../../a", 1, true],
  ["./../../a", 1, true],
  ["a/../b", 5, true],
  ["/a", 5, true],
  ["", 5, true],
  ["a\0b", 5, true],
])("%j at depth %i leaves: %s", (target, depth, leaves) => {
  expect(linkLeaves(target, depth)).toBe(leaves);
});
