import { expect, test } from "vitest";
import { baseName, cleanPath, fileNameOf, planOutputs } from "./plan.js";

test("outputs with a path are planned, at the path's clean form", () => {
  const plan = planOutputs({
    outputs: {
      parameters: [
        { name: "a", valueFrom: { path: "/tmp//a/" } },
        { name: "b", value: "x" },
        { name: "c", valueFrom: { expression: "1" } },
      ],
      artifacts: [{ name: "d", path: "/out/./d/" }, { name: "e" }],
    },
  });
  expect(plan.parameters.map(({ parameter, path }) => [parameter.name, path])).toEqual([["a", "/tmp/a"]]);
  expect(plan.artifacts.map(({ artifact, path, fileName }) => [artifact.name, path, fileName])).toEqual([
    ["d", "/out/d", "d.tgz"],
  ]);
});

test.each([
  [{ name: "a", path: "/x/y" }, "a.tgz"],
  [{ name: "a", path: "/x/y", archive: { tar: {} } }, "a.tgz"],
  [{ name: "a", path: "/x/y", archive: { zip: {} } }, "a.zip"],
  [{ name: "a", path: "/x/y/", archive: { none: {} } }, "y"],
  [{ name: "a", path: "/", archive: { none: {} } }, "a"],
  [{ name: "a", path: "//./", archive: { none: {} } }, "a"],
])("%j is put as %s", (artifact, fileName) => {
  expect(fileNameOf(artifact)).toBe(fileName);
});

test.each([
  ["/a//b/./c/", "/a/b/c", "c"],
  ["/", "/", ""],
  ["a/b", "a/b", "b"],
  ["/a/../b", "/a/../b", "b"],
])("the path %j is %j, its last part %j", (path, clean, last) => {
  expect(cleanPath(path)).toBe(clean);
  expect(baseName(path)).toBe(last);
});
