import { expect, test } from "vitest";
import { dependsOf, evaluateDepends, parseDepends, type TaskResult } from "./index.js";

const tasks = new Map([
  ["a", {}],
  ["b-1", {}],
  ["lenient", { continueOn: { error: true, failed: true } }],
  ["c", { continueOn: { failed: true } }],
]);

test.each([
  ["a", "(a.Succeeded || a.Skipped || a.Daemoned)", ["a"], []],
  [
    "lenient",
    "(lenient.Succeeded || lenient.Skipped || lenient.Daemoned || lenient.Errored || lenient.Failed)",
    ["lenient"],
    [],
  ],
  ["c", "(c.Succeeded || c.Skipped || c.Daemoned || c.Failed)", ["c"], []],
  ["!b-1.Failed", "!b-1.Failed", ["b-1"], []],
  ["a && b-1.Failed", "(a.Succeeded || a.Skipped || a.Daemoned) && b-1.Failed", ["a", "b-1"], []],
  ["b-1.AnySucceeded || a.Succeeded", "b-1.AnySucceeded || a.Succeeded", ["a", "b-1"], ["b-1"]],
  ["a.AllFailed", "a.AllFailed", ["a"], ["a"]],
] as const)("%s", (text, expression, named, loops) => {
  expect(parseDepends(text, tasks)).toEqual({ ok: true, value: { expression, tasks: named, loops } });
});

test("a result there is not is named", () => {
  expect(parseDepends("a.Nope", tasks)).toEqual({ ok: false, error: "task result 'Nope' for task 'a' is invalid" });
});

test.each([
  [{}, "", []],
  [
    { dependencies: ["b-1", "a"] },
    "(b-1.Succeeded || b-1.Skipped || b-1.Daemoned) && (a.Succeeded || a.Skipped || a.Daemoned)",
    ["a", "b-1"],
  ],
  [{ depends: "a.Failed" }, "a.Failed", ["a"]],
] as const)("of a task: %j", (task, expression, named) => {
  expect(dependsOf(task, tasks)).toEqual({ ok: true, value: { expression, tasks: named, loops: [] } });
});

/** Each task has exactly the one result given. */
function evaluate(text: string, results: Readonly<Record<string, TaskResult>>): unknown {
  const depends = parseDepends(text, tasks);
  if (!depends.ok) return depends.error;
  const value = evaluateDepends(depends.value, (task, result) => results[task] === result);
  return value.ok ? value.value : value.error;
}

test.each([
  ["", {}, true],
  ["a", { a: "Succeeded" }, true],
  ["a", { a: "Skipped" }, true],
  ["a", { a: "Daemoned" }, true],
  ["a", { a: "Omitted" }, false],
  ["a", { a: "Failed" }, false],
  ["c", { c: "Failed" }, true],
  ["c", { c: "Errored" }, false],
  ["!a.Omitted", { a: "Succeeded" }, true],
  ["(a.Failed || b-1.Errored) && a.Failed", { a: "Failed", "b-1": "Succeeded" }, true],
  ["a && b-1", { a: "Succeeded", "b-1": "Failed" }, false],
  ["b-1.AllFailed", { "b-1": "AllFailed" }, true],
  ["a.Failed and not c.Failed", { a: "Failed", c: "Succeeded" }, "unable to evaluate expression"],
  ["a ||", { a: "Failed" }, "unable to evaluate expression"],
] satisfies readonly (readonly [string, Readonly<Record<string, TaskResult>>, unknown])[])(
  "%s with %j",
  (text, results, expected) => {
    const value = evaluate(text, results);
    if (typeof expected === "string") expect(value).toContain(expected);
    else expect(value).toBe(expected);
  },
);
