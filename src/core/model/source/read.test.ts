import { expect, test } from "vitest";
import type { Problem } from "../../std/problem.js";
import { depthMax, textLengthMax } from "./bounds.js";
import { readDocuments } from "./read.js";

function valuesOf(text: string): unknown[] {
  const { documents, problems } = readDocuments(text, "in.yaml");
  expect(problems).toEqual([]);
  return documents.map((document) => document.value);
}

/** `line:column+length code path`, as short as a table wants it. */
function brief({ code, path, position }: Problem): string {
  const place = position === undefined ? "?" : `${position.line}:${position.column}+${position.length ?? 1}`;
  return `${place} ${code}${path === "" ? "" : ` ${path}`}`;
}

test.each<[string, string, unknown[]]>([
  ["merge keys", "base: &b {x: 1, z: 0}\nc:\n  <<: *b\n  z: 2\n", [{ base: { x: 1, z: 0 }, c: { x: 1, z: 2 } }]],
  [
    "several merges",
    "a: &a {p: 1}\nb: &b {p: 2, q: 3}\nc: {<<: [*a, *b]}\n",
    [{ a: { p: 1 }, b: { p: 2, q: 3 }, c: { p: 1, q: 3 } }],
  ],
  ["keys that are no text", "on: 1\n0777: 2\n1.5: 3\n", [{ true: 1, "511": 2, "1.5": 3 }]],
  ["several documents", "a: 1\n---\nb: 2\n--- # three\nc: 3\n...\n", [{ a: 1 }, { b: 2 }, { c: 3 }]],
  ["empty documents between", "---\n# nothing\n---\na: 1\n---\n", [{ a: 1 }]],
  ["directives", "%YAML 1.1\n---\na: 1\n", [{ a: 1 }]],
  ["a list kind", "kind: List\nitems:\n- {kind: A}\n- {kind: B}\n", [{ kind: "A" }, { kind: "B" }]],
  ["a bare list of objects", '[{"kind": "A"}, {"kind": "B"}]', [{ kind: "A" }, { kind: "B" }]],
  ["JSON", '{"a": 1,\n\t"b": ["\\ud83d\\ude00", "\\/"], "c": 1e2}', [{ a: 1, b: ["😀", "/"], c: 100 }]],
  ["a byte order mark and CRLF", "\uFEFFa: 1\r\nb: |\r\n  x\r\n  y\r\n", [{ a: 1, b: "x\ny\n" }]],
  ["a marker inside a block", "a: |\n  ---\n  x\n", [{ a: "---\nx\n" }]],
  [
    "braces inside blocks and quotes",
    "a: |\n  b: {{x}}\nc: '{{y}}'\nd: x{{z}}\n",
    [{ a: "b: {{x}}\n", c: "{{y}}", d: "x{{z}}" }],
  ],
  ["__proto__ as any key", "__proto__: {a: 1}\n", [JSON.parse('{"__proto__":{"a":1}}')]],
])("reads %s", (_name, text, expected) => {
  expect(valuesOf(text)).toEqual(expected);
});

test.each<[string, string, string[]]>([
  ["a tab", "a:\n\tb: 1\n", ["2:1+1 yaml-syntax"]],
  ["two keys on one line", "a: b: c\n", ["1:4+1 yaml-syntax"]],
  ["an open bracket", "a: [1, 2\n", ["1:4+1 yaml-syntax"]],
  ["a line that hangs between two", "a:\n  b:\n    c: 1\n   d: 2\n", ["4:4+1 yaml-syntax"]],
  ["a key that left its item", "a:\n- - b: 1\n    c: 2\n  d: 3\n", ["4:3+1 yaml-syntax"]],
  ["an open bracket inside another", "a:\n  b: {x: 1, y: [2\nc: 4\n", ["2:16+1 yaml-syntax"]],
  ["an open bracket around closed ones", "a: [1, [2], {b: c}\nd: 1\n", ["1:4+1 yaml-syntax"]],
  ["an open quote", 'a:\n- [echo, "one]\nb: 1\n', ["2:10+1 yaml-syntax"]],
  ["an unknown alias", "a: *b\n", ["1:4+2 yaml-alias"]],
  ["a map as key", "{a: 1}: 2\n", ["1:1+6 yaml-syntax"]],
  ["a variable as value", "image: {{x}}\n", ["1:8+5 yaml-brace"]],
  ["a variable with a tail", "a: 1\nimage: {{x}}:latest\nb: 2\n", ["2:8+12 yaml-brace"]],
  ["a variable in a list", "args: [a, {{x.y}}]\n", ["1:11+7 yaml-brace"]],
  ["a variable as item", "args:\n- {{x}}\n", ["2:3+5 yaml-brace"]],
  ["a variable beside another fault", "a: {{x}}\nb: 1\nc: d: e\n", ["1:4+5 yaml-brace", "3:4+1 yaml-syntax"]],
  ["keys twice", "a: 1\nb: {c: 1, c: 2}\na: 3\n", ["3:1+1 duplicate-field a", "2:11+1 duplicate-field b.c"]],
  ["an alias inside itself", "a: &a [*a]\n", ["1:1+1 yaml-alias"]],
  ["NUL", "a: \0\n", ["1:4+1 not-text"]],
  ["bytes that were not UTF-8", "# gr\uFFFD\uFFFDe\na: 1\n", ["1:5+1 not-text"]],
  ["a lone surrogate", "a: \ud800\n", ["1:4+1 not-text"]],
  ["nothing", "", ["1:1+1 empty"]],
  ["comments only", "# a\n---\n# b\n", ["1:1+1 empty"]],
])("tells %s", (_name, text, expected) => {
  const told = readDocuments(text, "in.yaml").problems.map(brief);
  expect(new Set(told)).toEqual(new Set(expected));
});

test("the hint of a brace is the line to write", () => {
  const hints = readDocuments("image: {{x}}:1 # c\n---\n- - {{y}}\n---\na: [{{z}}]\n", "in.yaml").problems.map(
    (p) => p.hint,
  );
  expect(hints).toEqual(['write: image: "{{x}}:1"', 'write: - - "{{y}}"', 'write: "{{z}}"']);
});

test.each<[string, string, string | undefined]>([
  ["Helm's braces", "a:\n  image: {{ .Values.image }}\n", "render it first: helm template CHART | tiphys run -"],
  ["Helm's conditions", "a:\n  {{- if .Values.x }}\n  b: 1\n", "render it first: helm template CHART | tiphys run -"],
  ["a comma too many", '{"a": 1,, }', undefined],
  ["a key that left its item", "a:\n- - b: 1\n  d: 3\n", "line it up with its neighbours"],
  ["a tab, and no more of its line", "a:\n\t- b: 1\n", "YAML takes spaces only"],
])("the hint of %s", (_name, text, expected) => {
  expect(readDocuments(text, "in.yaml").problems.map(({ hint }) => hint)).toEqual([expected]);
});

test("a faulty document leaves its neighbours readable, and a key that stands twice its own", () => {
  const { documents, problems } = readDocuments("a: 1\n---\nb: c: d\n---\ne: 1\ne: 2\n", "in.yaml");
  expect(documents.map((document) => document.value)).toEqual([{ a: 1 }, { e: 2 }]);
  expect(problems.map(brief)).toEqual(["3:4+1 yaml-syntax", "6:1+1 duplicate-field e"]);
});

const bomb = [
  "a: &a [x,x,x,x,x,x,x,x,x]",
  ..."bcdefghijk".split("").map((name, index) => {
    const items = Array(9).fill(`*${"abcdefghij"[index]}`).join(",");
    return `${name}: &${name} [${items}]`;
  }),
].join("\n");

test.each<[string, string, string]>([
  ["20,000 brackets", `a: ${"[".repeat(20_000)}`, "too-deep"],
  ["20,000 dashes", `${"- ".repeat(20_000)}x`, "too-deep"],
  ["20,000 maps", "{a: ".repeat(20_000), "too-deep"],
  ["depth behind a fault", `a: b: c\nx: ${"[".repeat(20_000)}`, "yaml-syntax"],
  ["an alias bomb", bomb, "yaml-alias"],
  ["a long text repeated", `a: &a ${"x".repeat(500_000)}\nb: [${Array(100).fill("*a").join(", ")}]\n`, "yaml-alias"],
  ["too large", "a".repeat(textLengthMax + 1), "too-large"],
  ["20,000 equal keys", "a: 1\n".repeat(20_000), "duplicate-field"],
])("%s is a problem, not a crash", (_name, text, code) => {
  expect(readDocuments(text, "in.yaml").problems[0]?.code).toBe(code);
});

test("nesting up to the bound is read", () => {
  const depth = depthMax - 2;
  expect(readDocuments(`a: ${"[".repeat(depth)}${"]".repeat(depth)}`, "in.yaml").problems).toEqual([]);
});

test.each<[string, string, string]>([
  ["spec", "1:1+4", "1:1+4"],
  ["spec.templates[0].name", "3:11+3", "3:5+4"],
  ["spec.templates[0].container", "4:5+9", "4:5+9"],
  ["spec.templates[0].container.image", "5:14+6", "5:7+5"],
  ["spec.templates[0].container.nothing.here", "4:5+9", "4:5+9"],
  ["spec.templates[1]", "6:5+9", "6:5+9"],
  ["spec.empty", "7:3+5", "7:3+5"],
  ["merged.inherited", "8:22+1", "8:11+9"],
])("the position of %s", (path, value, key) => {
  const text = `spec:
  templates:
  - name: one
    container:
      image: "al:3"
  - {name: b}
  empty:
base: &b {inherited: 1}
merged:
  <<: *b
`;
  const document = readDocuments(text, "in.yaml").documents[0];
  const show = (place: { line: number; column: number; length?: number } | undefined): string =>
    `${place?.line}:${place?.column}+${place?.length}`;
  expect(show(document?.positionOf(path))).toBe(value);
  expect(show(document?.keyPositionOf(path))).toBe(key);
});

test("positions count in the file, whatever the document and the list it stands in", () => {
  const text = "a: 1\r\n---\r\nkind: List\r\nitems:\r\n- kind: A\r\n- kind: B\r\n  x: é😀\r\n";
  const document = readDocuments(text, "in.yaml").documents[2];
  expect(document?.positionOf("x")).toEqual({ file: "in.yaml", line: 7, column: 6, length: 3 });
});
