import * as fc from "fast-check";
import { expect, test } from "vitest";
import { dependsOf, evaluate, evaluateDepends, evaluateWhen, substitute } from "./index.js";

const context = { now: 0, seed: "seed" };

function reasonOf(source: string): string {
  const value = evaluate(source, new Map([["x", "y"]]), context);
  return value.ok ? "no fault" : value.error.reason;
}

/** Texts that are long and cost nothing to make: with them nearly all that an expression may cost is spent at once. */
const nearlySpent = Array.from({ length: 7 }, (_unused, index) => `let t${index} = repeat(repeat('x', 1000000), 16);`);

test("what is nearly spent is enough for a little", () => {
  expect(reasonOf(`${nearlySpent.join(" ")} reduce(0..99, {sprig.set(#acc, string(#), #)}, {})`)).toBe("no fault");
});

test.each([
  ["ranges in ranges", "map(1..2000, map(1..2000, #))"],
  ["a long list, searched again and again", "let b = 0..9999; filter(b, {-1 in b})"],
  ["a long list, cut again and again", "let b = 0..9999; map(b, {take(b, 9999)})"],
  ["a map that grows by copies", "reduce(0..9999, {sprig.set(#acc, string(#), #)}, {})"],
])("%s is a fault, where little is left to spend", (_name, source) => {
  expect(reasonOf(`${nearlySpent.join(" ")} ${source}`)).toBe("memory budget exceeded");
});

test.each([
  ["deep brackets", `${"(".repeat(5000)}1${")".repeat(5000)}`, "expression is nested too deeply"],
  ["deep lists", "[".repeat(5000), "expression is nested too deeply"],
  ["many signs", `${"-".repeat(5000)}1`, "expression is nested too deeply"],
  ["a long path", `x${".a".repeat(2000)}`, "expression is nested too deeply"],
  ["too many parts", Array(20_000).fill("1").join("+"), "compilation failed: expression exceeds maximum allowed nodes"],
  ["a long text", " ".repeat(300_000), "expression is longer than 200000 characters"],
  ["too many matches", "sprig.regexReplaceAll('a', repeat('a', 200001), 'b')", "memory budget exceeded"],
  ["a large range", "1..100000000", "memory budget exceeded"],
  [
    "text that doubles",
    `${Array.from({ length: 40 }, (_unused, index) => `let v${index + 1} = v${index} + v${index};`)
      .join(" ")
      .replace("let v1", "let v0 = 'xxxxxxxxxx'; let v1")} len(v40)`,
    "memory budget exceeded",
  ],
  ["repeated text", "repeat(repeat('x', 1000000), 1000000)", "memory budget exceeded"],
  [
    "lists that are in each other many times",
    "let a = 0..999; let b = map(a, {a}); map(a, {b})",
    "memory budget exceeded",
  ],
  ["a list in a list in a list", "reduce(1..100000, [#acc])", "value is nested too deeply"],
  ["many long texts", "map(0..9999, {upper(repeat('x', 1000000))})", "memory budget exceeded"],
  [
    "a long text, searched again and again",
    "let t = repeat('x', 1000000); filter(0..9999, {t contains 'y'})",
    "memory budget exceeded",
  ],
  [
    "a long text, matched again and again",
    "let t = repeat('x', 1000000); filter(0..9999, {t matches '(x+)+y'})",
    "memory budget exceeded",
  ],
  ["lists that are compared one by one", "uniq(map(0..10999, {[# < 1000 ? # : 0]}))", "memory budget exceeded"],
  ["the same with sprig", "sprig.uniq(map(0..10999, {[# < 1000 ? # : 0]}))", "memory budget exceeded"],
  ["a long glue", "join(map(0..999, {'a'}), repeat('x', 1000000))", "memory budget exceeded"],
  ["a long margin", "sprig.indent(1000000, repeat(repeat('\\n', 1000), 1000))", "memory budget exceeded"],
  ["long line ends", "sprig.wrapWith(1, repeat('x', 1000000), repeat('x', 1000000))", "memory budget exceeded"],
  ["a deep list from JSON", "(fromJSON(repeat('[', 9000) + repeat(']', 9000)))", "exceeded max depth"],
] as const)("%s is a fault, and soon", (_name, source, expected) => {
  expect(reasonOf(source)).toBe(expected);
});

test.each([
  ["a long sum", Array(2000).fill("1").join("+")],
  ["an element of a long list, again and again", "let b = 0..99999; len(map(0..99999, {get(b, #)}))"],
  [
    "a key of a large map, again and again",
    "let m = groupBy(0..9999, {string(#)}); len(filter(0..9999, {sprig.hasKey(m, string(#))}))",
  ],
  ["one long list in another", "let b = 0..4000; len(filter(b, {# in b}))"],
  ["a long text, changed a few times", "len(trim(lower(upper(repeat('xxxxxxxxx', 1000000)))))"],
  ["a list that is sorted, cut and joined", "len(join(map(sort(map(0..99999, {-#})), {string(#)}), ','))"],
])("%s is no fault", (_name, source) => {
  expect(reasonOf(source)).toBe("no fault");
});

test("a pattern that backtracks elsewhere takes no time", () => {
  expect(evaluate(`repeat('a', 50000) matches '(a+)+$b'`, new Map(), context)).toEqual({ ok: true, value: false });
  expect(evaluateWhen(`${"a".repeat(50_000)} =~ "(a*)*b"`)).toEqual({ ok: true, value: false });
});

test.each([
  "trim(repeat(' ', 1000000) + 'x' + repeat(' ', 1000000) + 'x')",
  "sprig.camelcase(repeat('_', 1000000) + 'x' + repeat('_', 1000000))",
  "sprig.snakecase(repeat('A', 1000000))",
  "sprig.base(repeat('/', 1000000) + 'x' + repeat('/', 1000000) + 'x')",
  "sprig.b64dec(repeat('=', 1000000) + 'x')",
  "sprig.semverCompare(repeat('1 - ', 100000), '1.0.0')",
  "sprig.regexReplaceAll('a', repeat('a', 100000), 'b')",
  "fromJSON('\"' + repeat('a', 4000000) + '\"')",
  "jsonpath('{}', '$' + repeat('.a', 100000))",
])("a long text takes a moment: %s", (source) => {
  const started = performance.now();
  evaluate(`len(string(${source}))`, new Map(), context);
  // Quadratic time would be hours; this is far from both.
  expect(performance.now() - started).toBeLessThan(20_000);
});

test("conditions may be long: they are worked out one operator after the other", () => {
  const numbers = Array.from({ length: 20_000 }, (_unused, index) => index);
  expect(evaluateWhen(`19999 in (${numbers.join(",")})`)).toEqual({ ok: true, value: true });
  expect(evaluateWhen(`${numbers.join(" + ")} == 1`)).toEqual({ ok: true, value: false });
  expect(evaluateWhen(Array(20_000).fill("a == a").join(" && "))).toEqual({ ok: true, value: true });
});

test.each([1, 400, 800])("a task may wait for %i others", (count) => {
  const names = Array.from({ length: count }, (_unused, index) => `task-${index}`);
  for (const task of [{ dependencies: names }, { depends: names.join(" && ") }]) {
    const depends = dependsOf(task, new Map());
    if (!depends.ok) throw new Error(depends.error);
    const ask = (failed: string) =>
      evaluateDepends(depends.value, (name, result) => name !== failed && result === "Succeeded");
    expect([ask(""), ask(names[count - 1] ?? "")]).toEqual([
      { ok: true, value: true },
      { ok: true, value: false },
    ]);
  }
});

test("names of the language's own objects mean nothing", () => {
  expect(evaluate("{}.constructor", new Map(), context)).toEqual({ ok: true, value: null });
  expect(evaluate("{}['__proto__']", new Map(), context)).toEqual({ ok: true, value: null });
  expect(reasonOf("constructor")).toBe("unknown name constructor");
  expect(reasonOf("sprig.constructor('x')")).toBe("cannot call nil");
});

const PIECES = [
  ..."()[]{}.,;:?#|&!=<>+-*/%^'\"`\\ \n",
  ..."abx19é😀",
  "sprig.",
  "map(",
  "filter(",
  "let x = ",
  "not ",
  " in ",
  "??",
  "?.",
  "..",
  "**",
  "matches",
  "nil",
  "{{",
  "}}",
  "{{=",
  "fromJSON(",
  "reduce(",
];

const scribble = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(""));

test("no text makes them throw", () => {
  fc.assert(
    fc.property(scribble, (text) => {
      evaluate(text, new Map([["x", "y"]]), context);
      evaluateWhen(text);
      for (const mode of ["allow-unresolved", "strict-steps", "no-unresolved"] as const) {
        substitute(text, new Map([["x", "y"]]), { mode, context });
      }
    }),
    { numRuns: 3000 },
  );
});

test("what has no tag comes back as it is", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      if (JSON.stringify(value).includes("{{")) return;
      const result = substitute(value, new Map(), { mode: "no-unresolved", context });
      expect(result.ok && result.value).toBe(value);
    }),
  );
});
