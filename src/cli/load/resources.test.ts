import { expect, test } from "vitest";
import { loadResources } from "./resources.js";

test.each([
  [
    "one of Argo's kinds that does not say whose it is",
    "kind: Workflow\nmetadata: {name: a}\nspec: {}\n",
    ["not-kind"],
  ],
  ["another tool's kind", "kind: Pipeline\nname: a\n", []],
  ["another tool's file", "on: push\njobs: {}\n", []],
  ["a kind of another group", "apiVersion: example.com/v1\nkind: Workflow\nmetadata: {name: a}\n", ["ignored"]],
])("in a folder, %s", (_what, text, codes) => {
  const texts = [{ file: "f.yaml", text, origin: "folder" }] as const;
  const { problems } = loadResources(texts, { toRun: true, manner: "walk" });
  expect(problems.map(({ code }) => code)).toEqual(codes);
});
