import { expect, test } from "vitest";
import { identifiersOf, type Scope, type SubstituteMode, substitute, tagsOf } from "../index.js";

const context = { now: Date.UTC(2024, 0, 1), seed: "seed" };

const scope: Scope = new Map<string, string | null | object>([
  ["workflow.name", "wf"],
  ["workflow.parameters", '[{"name":"x"}]'],
  ["workflow.parameters.x", "6"],
  ["inputs.parameters.message", "hello world"],
  ["inputs.parameters.a", "A"],
  ["inputs.parameters.a2", "A2"],
  ["inputs.parameters.a-b", "dashed"],
  ["inputs.parameters.color", "\u001b[31m"],
  ["inputs.parameters.tag", "{{workflow.name}}"],
  ["inputs.artifacts.art", { name: "art", s3: { key: "k" } }],
  ["steps.one.status", "Succeeded"],
  ["steps.one.outputs.result", "[1,2]"],
  ["steps.skipped.outputs.parameters.p", null],
]) as Scope;

function run(text: string, mode: SubstituteMode): string {
  const result = substitute(text, scope, { mode, context });
  return result.ok ? result.value : `! ${result.error.kind}: ${result.error.message}`;
}

test.each([
  // simple tags
  ["plain", "plain"],
  ["{{workflow.name}}", "wf"],
  ["<{{ workflow.name }}|{{workflow.name}}>", "<wf|wf>"],
  ["{{\n workflow.name }}", "{{\n workflow.name }}"],
  ["{{unknown.thing}}", "{{unknown.thing}}"],
  ["{{ unknown }} {{workflow.name}}", "{{ unknown }} wf"],
  ["open {{workflow.name", "open {{workflow.name"],
  ["{{workflow.name}} {{", "wf {{"],
  ["{{inputs.parameters.color}}", "\u001b[31m"],
  // a value is never scanned again
  ["{{inputs.parameters.tag}}", "{{workflow.name}}"],
  // inside out, over two passes
  ["{{steps.{{inputs.parameters.a}}.status}}", "{{steps.A.status}}"],
  ['{{- with secret "{{inputs.parameters.message}}" -}} {{ .Data }}', '{{- with secret "hello world" -}} {{ .Data }}'],
  ["{{- with {{ {{nope}} }}", "{{- with {{ {{nope}} }}"],
  // expressions
  ["{{=workflow.name}}", "wf"],
  ["{{= workflow.name + '!' }}", "wf!"],
  ["{{=inputs.parameters.a}}{{=inputs.parameters.a2}}", "AA2"],
  ["{{=inputs.parameters['a-b']}}", "dashed"],
  ["{{=sprig.trunc(5, inputs.parameters.message)}}", "hello"],
  ["{{=asInt(workflow.parameters.x) / 4}}", "1.5"],
  ["{{=fromJSON(steps.one.outputs.result)}}", "[1,2]"],
  ["{{={'b': 1, 'a': '<'} }}", '{"a":"\\u003c","b":1}'],
  ["{{='<' + '\"'}}", '<"'],
  ["{{=true}}", "true"],
  ["{{=1 > 0 ? 'yes' : 'no'}}", "yes"],
  ["{{=inputs.artifacts.art.s3.key}}", "k"],
  ["{{=steps.skipped.outputs.parameters.p ?? 'none'}}", "none"],
  // left for a later pass: not there yet, or not working yet
  ["{{=item}}", "{{=item}}"],
  ["{{=sprig.int(retries) + 1}}", "{{=sprig.int(retries) + 1}}"],
  ["{{=workflow.status == 'Succeeded' ? 'a' : 'b'}}", "{{=workflow.status == 'Succeeded' ? 'a' : 'b'}}"],
  ["{{=item ?? 'x'}}", "{{=item ?? 'x'}}"],
  ["{{=lastRetry.exitCode}}", "{{=lastRetry.exitCode}}"],
  ["{{=foo.bar}}", "{{=foo.bar}}"],
  ["{{=sprig.nope('a')}}", "{{=sprig.nope('a')}}"],
  ["{{=asInt(inputs.parameters.a) * 2}}", "{{=asInt(inputs.parameters.a) * 2}}"],
  ["{{=nil}}", "{{=nil}}"],
  // a syntax error is one in every mode
  ["{{=1 +}}", "! failed: failed to evaluate expression: unexpected token EOF (1:3)\n | 1 +\n | ..^"],
  [
    "{{steps.skipped.outputs.parameters.p}}",
    "! absent: unable to substitute {{steps.skipped.outputs.parameters.p}}: output is an absent optional (skipped/omitted node with no default)",
  ],
  [
    "{{x.{{steps.skipped.outputs.parameters.p}}}}",
    '! absent: unable to substitute nested tag {{x.{{steps.skipped.outputs.parameters.p}}: "steps.skipped.outputs.parameters.p" is an absent optional',
  ],
  ["{{inputs.artifacts.art}}", "! missing: failed to resolve {{inputs.artifacts.art}} to string"],
] as const)("allow-unresolved: %s", (text, expected) => {
  expect(run(text, "allow-unresolved")).toBe(expected);
});

test.each([
  ["{{steps.one.status}}", "Succeeded"],
  ["{{other}}", "{{other}}"],
  ["{{stepsish.x}}", "{{stepsish.x}}"],
  ["{{steps.two.status}}", "! missing: failed to resolve {{steps.two.status}}"],
  ["{{ tasks.x }}", "! missing: failed to resolve {{ tasks.x }}"],
  ["{{steps.two.outputs.artifacts.x}}", "{{steps.two.outputs.artifacts.x}}"],
  ["{{=steps.two.status}}", "! missing: failed to evaluate expression: steps.two is missing"],
  ["{{=steps.two?.status ?? 'none'}}", "none"],
  ["{{=item + steps.one.status}}", "{{=item + steps.one.status}}"],
  ["{{=nil}}", '! failed: failed to evaluate expression "nil"'],
  ["{{=1 / 0}}", "! failed: failed to marshal evaluated expression: json: unsupported value: +Inf"],
  [
    "{{=[1][5]}}",
    "! failed: failed to evaluate expression: index out of range: 5 (array length is 1) (1:4)\n | [1][5]\n | ...^",
  ],
] as const)("strict-steps: %s", (text, expected) => {
  expect(run(text, "strict-steps")).toBe(expected);
});

test.each([
  ["{{workflow.name}}", "wf"],
  ["{{nope}}", "! missing: failed to resolve {{nope}}"],
  ['{{inputs.parameters["a"]}}', '! missing: failed to resolve {{inputs.parameters[\\"a\\"]}}'],
  ["{{=nope}}", "! missing: failed to evaluate expression: nope is missing"],
  ["v:{{= nil }};", '! failed: failed to evaluate expression " nil "'],
  ["{{=let x = 2; x * 2}}", "4"],
] as const)("no-unresolved: %s", (text, expected) => {
  expect(run(text, "no-unresolved")).toBe(expected);
});

test("errors are left alone while validation's placeholders stand for the values", () => {
  const placeholders = new Map([["inputs.parameters.x", "__argo__internal__placeholder-0"]]);
  const text = "{{=asInt(inputs.parameters.x)}}";
  expect(substitute(text, placeholders, { mode: "no-unresolved", context })).toEqual({ ok: true, value: text });
});

test("texts, lists and names of fields are replaced; what has no tag is shared", () => {
  const untouched = { deep: ["x"] };
  const value = { "{{workflow.name}}-key": ["{{workflow.name}}", 1, null, true], untouched };
  const result = substitute(value, scope, { mode: "allow-unresolved", context });
  expect(result).toEqual({ ok: true, value: { "wf-key": ["wf", 1, null, true], untouched } });
  expect(result.ok && result.value.untouched).toBe(untouched);
  const same = substitute(untouched, scope, { mode: "allow-unresolved", context });
  expect(same.ok && same.value).toBe(untouched);
});

test("a field called __proto__ is a field", () => {
  const value: unknown = JSON.parse('{"__proto__": "{{workflow.name}}", "b": 1}');
  const result = substitute(value, scope, { mode: "allow-unresolved", context });
  expect(JSON.stringify(result)).toBe('{"ok":true,"value":{"__proto__":"wf","b":1}}');
  const evil = new Map([["__proto__.polluted", "x"]]);
  expect(substitute("{{=a}}", evil, { mode: "allow-unresolved", context }).ok).toBe(true);
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});

test("tags with their places", () => {
  const value = { a: ["x {{b}} {{= c }}"], "{{k}}": 1 };
  expect(tagsOf(value)).toEqual([
    { text: "b", kind: "simple", path: ["a", 0], offset: 2, inKey: false },
    { text: " c ", kind: "expression", path: ["a", 0], offset: 8, inKey: false },
    { text: "k", kind: "simple", path: ["{{k}}"], offset: 0, inKey: true },
  ]);
});

test.each([
  ["a.b['c-d'] + sprig.upper(x)", ["a", "a.b", "a.b.c-d", "sprig", "sprig.upper", "x"]],
  ["let v = a; v + b", ["a", "b"]],
  ["map(list, #.x)", ["list"]],
  ["len(x) > 0 ? y : 'z'", ["x", "y"]],
] as const)("identifiers of %s", (source, expected) => {
  expect(identifiersOf(source)).toEqual({ ok: true, value: expected });
});
