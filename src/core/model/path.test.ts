import fc from "fast-check";
import { expect, test } from "vitest";
import { joinPath, type PathSegment, parsePath } from "./path.js";

test.each<[readonly PathSegment[], string]>([
  [["spec", "templates", 0, "name"], "spec.templates[0].name"],
  [["steps", 1, 0], "steps[1][0]"],
  [["metadata", "labels", "a/b.c"], 'metadata.labels["a/b.c"]'],
  [[0, "kind"], "[0].kind"],
  [[], ""],
])("%j is written %s", (segments, path) => {
  expect(joinPath(segments)).toBe(path);
  expect(parsePath(path)).toEqual(segments);
});

test("any path reads again as its segments", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(), fc.string())), (segments) => {
      expect(parsePath(joinPath(segments))).toEqual(segments);
    }),
  );
});
