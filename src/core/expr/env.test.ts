import * as fc from "fast-check";
import { expect, test } from "vitest";
import { envFor } from "./env.js";
import { compileExpression, runExpression } from "./evaluate.js";
import { accessesIn } from "./identifiers.js";
import { envOf, jsonOfValue, printValue, type Scope } from "./index.js";

test.each([
  [
    { "workflow.name": "w", "inputs.parameters.a-b": "x" },
    '{"inputs":{"parameters":{"a-b":"x"}},"workflow":{"name":"w"}}',
  ],
  [{ a: "dropped", "a.b": "kept", "a-b": "other" }, '{"a":{"b":"kept"},"a-b":"other"}'],
  [{ "a.b": "dropped", "a.b.c": "kept", "a.x": null }, '{"a":{"b":{"c":"kept"},"x":null}}'],
  [{ "inputs.artifacts.art": { s3: { key: "k" } } }, '{"inputs":{"artifacts":{"art":{"s3":{"key":"k"}}}}}'],
  [{ item: '{"k":1}', "item.k": "1" }, '{"item":{"k":"1"}}'],
] as const)("%j", (variables, expected) => {
  const env = envOf(new Map(Object.entries(variables)) as Scope);
  const sorted = Object.fromEntries([...env].sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => [k, jsonOfValue(v)]));
  expect(JSON.stringify(sorted)).toBe(expected);
});

const name = fc
  .array(fc.constantFrom("a", "b", "c", "steps", "b-1"), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join("."));

const path = fc
  .array(fc.constantFrom("a", "b", "c", "steps", "b-1"), { minLength: 1, maxLength: 4 })
  .map(([first = "a", ...rest]) => first.replace("-1", "") + rest.map((part) => `['${part}']`).join(""));

test("an expression sees the same in its part of the environment as in all of it", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(name, { maxLength: 12 }),
      fc.array(path, { minLength: 1, maxLength: 3 }),
      (names, paths) => {
        const scope: Scope = new Map(names.map((variable) => [variable, `value of ${variable}`]));
        const compiled = compileExpression(`toJson([${paths.join(", ")}])`);
        if (!compiled.ok) throw new Error(compiled.error.message);
        const [all, part] = [envOf(scope), envFor(scope, accessesIn(compiled.value.root))].map((env) => {
          const value = runExpression(compiled.value, env, { now: 0, seed: "" });
          return value.ok ? printValue(value.value) : value.error.message;
        });
        expect(part).toBe(all);
      },
    ),
    { numRuns: 3000 },
  );
});
