import { expect, test } from "vitest";
import type { WorkflowSpec } from "../model/argo/workflow.js";
import { readSpec } from "./readable.js";

function spec(value: unknown): WorkflowSpec {
  return value as WorkflowSpec;
}

test("what is right is taken as it stands", () => {
  const right = spec({ entrypoint: "a", templates: [{ name: "a", container: { image: "b" } }], unknown: 1 });
  expect(readSpec(right)).toEqual({ spec: right, fault: undefined });
  expect(readSpec(right).spec).toBe(right);
});

test.each([
  [{ templates: "none" }, "spec.templates"],
  [{ templates: [{ name: "a", steps: {} }] }, "spec.templates[0].steps"],
  [{ entrypoint: 7 }, "spec.entrypoint"],
])("%j: the fault is named, and left out", (value, path) => {
  const { spec: read, fault } = readSpec(spec(value));
  expect(fault).toContain(path);
  expect(Array.isArray(read.templates ?? [])).toBe(true);
});

test("null is nothing, and in a list an empty value", () => {
  expect(readSpec(spec({ entrypoint: null, templates: [null] })).fault).toBeUndefined();
  expect(readSpec(spec({ entrypoint: null, templates: [null] })).spec.templates?.[0]).toEqual({});
});
