import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../std/json.js";
import { readDocuments } from "../source/read.js";
import { printJson } from "./json.js";
import { printYaml } from "./yaml.js";

function readOne(text: string): Json | undefined {
  const { documents, problems } = readDocuments(text, "printed.yaml");
  expect(problems).toEqual([]);
  return documents[0]?.value;
}

test.each<[Json, string]>([
  [{ b: 1, a: "x" }, "a: x\nb: 1\n"],
  [{ list: [{ name: "a", m: 1 }, ["x", "y"], []] }, 'list:\n- m: 1\n  name: a\n- - x\n  - "y"\n- []\n'],
  [{ empty: {}, none: null, yes: true }, 'empty: {}\nnone: null\n"yes": true\n'],
  [
    { a: "1", b: "true", c: "on", d: "0777", e: "2001-12-14", f: "12:30:45", g: "" },
    'a: "1"\nb: "true"\nc: "on"\nd: "0777"\ne: "2001-12-14"\nf: "12:30:45"\ng: ""\n',
  ],
  [{ a: "{{x}}", b: "x: y", c: "it's", d: "- x", e: "#c" }, "a: '{{x}}'\nb: 'x: y'\nc: it's\nd: '- x'\ne: '#c'\n"],
  [{ s: "echo 1\necho 2\n" }, "s: |\n  echo 1\n  echo 2\n"],
  [{ s: ["a\nb"] }, "s:\n- |-\n  a\n  b\n"],
  [{ s: "a\n\n" }, "s: |+\n  a\n\n"],
  [{ s: "  a\nb" }, 's: "  a\\nb"\n'],
  [{ a: "-x", b: ".5x", c: "-", d: "a:b", e: "http://x/y" }, "a: -x\nb: .5x\nc: '-'\nd: a:b\ne: http://x/y\n"],
])("prints %j as kubectl does", (value, expected) => {
  expect(printYaml(value)).toBe(expected);
  expect(readOne(printYaml(value))).toEqual(value);
});

const text = fc.oneof(
  fc.string({ unit: "binary" }).filter((value) => !/[\ud800-\udfff]/u.test(value)),
  fc.string({ unit: fc.constantFrom(..."ab01-:#{}[]|>'\"\\ \n\t.,&*!%@`?~<=yn_+eExX\r\u0085\u2028\ufeff\u0001é😀") }),
  fc.constantFrom(
    "yes",
    "y",
    "0x1F",
    "1e3",
    ".inf",
    "1_000",
    "<<",
    "=",
    "null",
    "---",
    "...",
    "- a\n- b",
    "\n",
    "a\n ",
    "a\n\tb",
  ),
);
const value = fc.letrec<{ readonly json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(text, tie("json"), { maxKeys: 4 }),
  ),
})).json;

test("any JSON printed as YAML reads again as itself", () => {
  fc.assert(
    fc.property(value, (json) => {
      const wrapped = { value: json };
      expect(readOne(printYaml(wrapped))).toEqual(wrapped);
    }),
    { numRuns: 2000 },
  );
});

test("any JSON printed as JSON reads again as itself", () => {
  fc.assert(
    fc.property(value, (json) => {
      // JSON has no negative zero: JSON.stringify writes 0.
      const wrapped = { value: JSON.parse(JSON.stringify(json)) };
      expect(JSON.parse(printJson(wrapped))).toEqual(wrapped);
      expect(readOne(printJson(wrapped))).toEqual(wrapped);
    }),
    { numRuns: 500 },
  );
});
