import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NodeStatus } from "../model/argo/node.js";
import type { Invocation, Outputs, Parameter, Template } from "../model/argo/template.js";
import type { WorkflowSpec } from "../model/argo/workflow.js";
import type { KubeObject } from "../model/kube/meta.js";
import { aggregateOutputs } from "./aggregate.js";
import { bindArguments } from "./arguments.js";
import { executedSpec, withTemplateDefaults } from "./executed-spec.js";
import { expandLoop } from "./expand.js";
import { globalVariables } from "./globals.js";
import { compositeOutputs } from "./outputs.js";
import { goJsonString, parseRawJson, printRawJson } from "./raw-json.js";
import { resolveReferences } from "./references.js";
import { extendScope, LocalScope } from "./scope.js";
import { strategicMerge } from "./strategic-merge.js";

const context = { now: 0, seed: "" };
const none = { texts: new Map(), artifacts: new Map() };

describe("loops", () => {
  const names = (invocation: Invocation): unknown => {
    const expanded = expandLoop({ name: "a", ...invocation }, new Map(), context);
    return expanded.ok
      ? expanded.value.map(({ name, template }) => `${name} ${template ?? ""}`)
      : expanded.error.message;
  };

  test.each<[string, Invocation, unknown]>([
    ["no loop", { template: "t" }, ["a t"]],
    [
      "scalars",
      { template: "{{item}}", withItems: ["x", 1, 1.5, true] },
      ["a(0:x) x", "a(1:1) 1", "a(2:1.5) 1.5", "a(3:true) true"],
    ],
    ["brackets are left out of names", { template: "{{item}}", withItems: ["f(x)"] }, ["a(0:fx) f(x)"]],
    ["maps", { template: "{{item.k}}", withItems: [{ k: "v", b: 2 }] }, ["a(0:b:2,k:v) v"]],
    ["lists", { template: "{{item}}", withItems: [[1, "two"]] }, ['a(0:[1 two]) [1,"two"]']],
    [
      "numbers as they are written",
      { template: "{{item}}", withParam: "[1.0, 12345678901234567890]" },
      ["a(0:1.0) 1.0", "a(1:12345678901234567890) 12345678901234567890"],
    ],
    ["counting down", { template: "{{item}}", withSequence: { start: 2, end: "1" } }, ["a(0:2) 2", "a(1:1) 1"]],
    ["formats", { template: "{{item}}", withSequence: { count: 1, start: 10, format: "n%02X" } }, ["a(0:n0A) n0A"]],
    ["a count of none", { template: "{{item}}", withSequence: { count: 0 } }, []],
    [
      "no list",
      { withParam: "{}" },
      "withParam value could not be parsed as a JSON list: {}: json: cannot unmarshal object into Go value of type []v1alpha1.Item",
    ],
    [
      "no JSON",
      { withParam: "nope" },
      "withParam value could not be parsed as a JSON list: nope: invalid character 'o' in literal null (expecting 'u')",
    ],
    [
      "more than can be held",
      { withSequence: { count: 1000, format: "%1000000d" } },
      "withSequence has items of 1000000000 characters together, more than 64000000",
    ],
    ["neither end nor count", { withSequence: {} }, "neither end nor count was specified in withSequence"],
    ["an unknown tag", { template: "{{nope}}", withItems: [1] }, "failed to resolve {{nope}}"],
  ])("%s", (_title, invocation, expected) => {
    expect(names(invocation)).toEqual(expected);
  });
});

describe("JSON as it is written", () => {
  test("what JSON.stringify makes is read and printed the same, with Go's order and escapes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const parsed = parseRawJson(JSON.stringify(value));
        if (!parsed.ok) throw new Error(parsed.error);
        expect(JSON.parse(printRawJson(parsed.value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("any text is read or refused, never thrown at", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseRawJson(text).ok).toBe(isJson(text));
      }),
    );
  });

  test.each([
    ["", "unexpected end of JSON input"],
    ["[1", "unexpected end of JSON input"],
    ["1 2", "invalid character '2' after top-level value"],
    ["{1}", "invalid character '1' looking for beginning of object key string"],
    ["[1 2]", "invalid character '2' after array element"],
    ['"\t"', "invalid character '\\t' in string literal"],
    ["01", "invalid character '1' after top-level value"],
    [`${"[".repeat(5_000)}`, "exceeded max depth"],
  ])("%j: %s", (text, message) => {
    expect(parseRawJson(text)).toEqual({ ok: false, error: message });
  });

  test("texts are escaped as Go does", () => {
    expect(goJsonString('<a> & "b"')).toBe('"\\u003ca\\u003e \\u0026 \\"b\\""');
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("aggregation", () => {
  const item = (index: number, outputs: Outputs, phase: NodeStatus["phase"] = "Succeeded"): NodeStatus => ({
    id: `${index}`,
    name: `wf.a(${index}:x)`,
    displayName: "",
    type: "Pod",
    ...(phase === undefined ? {} : { phase }),
    outputs,
  });
  const parameter = (value: string): Outputs => ({ parameters: [{ name: "p", value }] });

  test.each<[string, readonly NodeStatus[], Record<string, string>]>([
    [
      "results are JSON",
      [item(1, { result: "2" }), item(0, { result: '{"a": 1}' })],
      { "s.outputs.result": '[{"a":1},2]' },
    ],
    [
      "only what succeeded counts",
      [item(0, { result: "1" }, "Failed"), item(1, { result: "2" })],
      { "s.outputs.result": "[2]" },
    ],
    [
      "parameters are texts",
      [item(0, parameter("1")), item(1, parameter("[2]"))],
      { "s.outputs.parameters.p": '["1","[2]"]', "s.outputs.parameters": '[{"p":"1"},{"p":"[2]"}]' },
    ],
    [
      "unless all are lists or maps",
      [item(0, parameter("[1]")), item(1, parameter("{}"))],
      { "s.outputs.parameters.p": "[[1],{}]" },
    ],
  ])("%s", (_title, items, expected) => {
    const scope = new LocalScope();
    expect(aggregateOutputs(scope, "s", items)).toEqual({ ok: true, value: undefined });
    for (const [name, value] of Object.entries(expected)) expect(scope.variables.get(name)).toBe(value);
  });

  test.each([
    ["hello", "invalid character 'h' looking for beginning of value"],
    ["1\n2", "invalid character '2' after top-level value"],
    ["", "unexpected end of JSON input"],
  ])("a result that is not one JSON value, %j, is Argo's error", (result, error) => {
    const items = [item(0, { result: "1" }), item(1, { result })];
    expect(aggregateOutputs(new LocalScope(), "s", items)).toEqual({ ok: false, error });
  });
});

describe("arguments", () => {
  const bind = (
    inputs: readonly Parameter[],
    given: readonly Parameter[],
    objects: readonly KubeObject[] = [],
  ): unknown => {
    const template: Template = { name: "t", inputs: { parameters: inputs } };
    const facts = {
      get: (need: { readonly name: string }) => objects.find((one) => one.metadata.name === need.name) ?? null,
    };
    const globals = new Map([["workflow.parameters.k", "key"]]);
    const bound = bindArguments(
      template,
      { parameters: given },
      { globals, locals: new Map(), namespace: "ns", facts, context },
    );
    if (bound.kind !== "found") return bound.kind === "problem" ? bound.message : bound.need;
    return (bound.value.inputs?.parameters ?? []).map(({ value }) => value);
  };
  const from = { configMapKeyRef: { name: "cm", key: "{{workflow.parameters.k}}" } };
  const map = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "cm", labels: { "workflows.argoproj.io/configmap-type": "Parameter" } },
    data: { key: "found" },
  };

  test.each<[string, readonly Parameter[], readonly Parameter[], readonly KubeObject[], unknown]>([
    ["given", [{ name: "a" }], [{ name: "a", value: "1" }], [], ["1"]],
    ["default", [{ name: "a", default: "d" }], [], [], ["d"]],
    ["given over default", [{ name: "a", default: "d" }], [{ name: "a", value: "" }], [], [""]],
    ["missing", [{ name: "a" }], [], [], "inputs.parameters.a was not supplied"],
    ["from a ConfigMap", [{ name: "a" }], [{ name: "a", valueFrom: from }], [map], ["found"]],
    [
      "from a ConfigMap that is not there",
      [{ name: "a" }],
      [{ name: "a", valueFrom: { ...from, default: "d" } }],
      [],
      ["d"],
    ],
    [
      "one input in another",
      [{ name: "a" }, { name: "b", value: "<{{workflow.parameters.k}}>" }],
      [{ name: "a", value: "1" }],
      [],
      ["1", "<key>"],
    ],
  ])("%s", (_title, inputs, given, objects, expected) => {
    expect(bind(inputs, given, objects)).toEqual(expected);
  });
});

describe("references to what a skipped producer left", () => {
  const scope = new LocalScope();
  scope.addAbsentOutputs("steps.p", {
    parameters: [
      { name: "with", valueFrom: { path: "/w", default: "d" } },
      { name: "without", valueFrom: { path: "/x" } },
    ],
  });
  const argument = (value: string): unknown => {
    const step = { name: "c", arguments: { parameters: [{ name: "x", value }] } };
    const resolved = resolveReferences(step, scope.over(none), context);
    return resolved.ok ? resolved.value.arguments?.parameters[0]?.value : resolved.error.message;
  };

  test("a default is the value", () => {
    expect(argument("{{steps.p.outputs.parameters.with}}")).toBe("d");
  });

  test("an argument that is nothing else is absent", () => {
    expect(argument("{{steps.p.outputs.parameters.without}}")).toContain("absent-optional");
  });

  test("in a longer text it is an error", () => {
    expect(argument("x{{steps.p.outputs.parameters.without}}")).toContain("output is an absent optional");
  });

  test("in an expression it is nil", () => {
    expect(argument("{{=steps.p.outputs.parameters.without ?? 'none'}}")).toBe("none");
  });

  test("`when` goes first: what is skipped needs no arguments", () => {
    const step = { name: "c", when: "false", arguments: { parameters: [{ name: "x", value: "{{steps.nope.id}}" }] } };
    expect(resolveReferences(step, scope.over(none), context).ok).toBe(true);
  });
});

test("outputs of a composite take the default where there is nothing", () => {
  const template: Template = {
    outputs: {
      parameters: [
        { name: "a", valueFrom: { parameter: "{{steps.x.outputs.result}}" } },
        { name: "b", valueFrom: { parameter: "{{steps.y.outputs.result}}", default: "d" } },
        { name: "c", valueFrom: { expression: "asInt(steps.x.outputs.result) + 1" } },
      ],
    },
  };
  const scope = new LocalScope();
  scope.set("steps.x.outputs.result", "41");
  const outputs = compositeOutputs(template, scope.over(none), context);
  expect(outputs.ok && outputs.value?.parameters?.map(({ value }) => value)).toEqual(["41", "d", "42"]);
});

describe("merging", () => {
  test("lists with a merge key are merged by it, others are replaced", () => {
    const base = {
      env: [
        { name: "A", value: "1" },
        { name: "B", value: "2" },
      ],
      args: ["x"],
      keep: 1,
    };
    const patch = {
      env: [
        { name: "B", value: "3" },
        { name: "C", value: "4" },
      ],
      args: ["y"],
    };
    expect(strategicMerge(base, patch)).toEqual({
      env: [
        { name: "A", value: "1" },
        { name: "B", value: "3" },
        { name: "C", value: "4" },
      ],
      args: ["y"],
      keep: 1,
    });
  });

  test("templateDefaults reach only templates of their kind", () => {
    const defaults: Template = { container: { imagePullPolicy: "Always" }, timeout: "5s" };
    const dag: Template = { name: "d", dag: { tasks: [] } };
    expect(withTemplateDefaults(dag, defaults)).toEqual({ name: "d", dag: { tasks: [] }, timeout: "5s" });
    const container: Template = { name: "c", container: { image: "x" } };
    expect(withTemplateDefaults(container, defaults).container).toEqual({ image: "x", imagePullPolicy: "Always" });
  });

  test("workflow over template over defaults; suspend is the user's own", () => {
    const template = (spec: WorkflowSpec): KubeObject & { spec: WorkflowSpec } => ({
      apiVersion: "argoproj.io/v1alpha1",
      kind: "WorkflowTemplate",
      metadata: { name: "t" },
      spec,
    });
    const resource = template({
      entrypoint: "a",
      suspend: true,
      arguments: {
        parameters: [
          { name: "p", value: "low" },
          { name: "q", value: "low" },
        ],
      },
    });
    const workflow = {
      ...template({ workflowTemplateRef: { name: "t" }, arguments: { parameters: [{ name: "q", value: "high" }] } }),
      kind: "Workflow",
    };
    const merged = executedSpec(workflow, { entrypoint: "z", priority: 3 }, { get: () => resource });
    expect(merged).toEqual({
      kind: "found",
      value: {
        entrypoint: "a",
        priority: 3,
        workflowTemplateRef: { name: "t" },
        arguments: {
          parameters: [
            { name: "q", value: "high" },
            { name: "p", value: "low" },
          ],
        },
      },
    });
  });
});

test("a scope over another: both are seen, the upper one first", () => {
  const lower = new Map([
    ["a", "1"],
    ["b", "2"],
  ]);
  const scope = extendScope(lower, [
    ["b", "3"],
    ["c", "4"],
  ]);
  expect([...scope]).toEqual([
    ["a", "1"],
    ["b", "3"],
    ["c", "4"],
  ]);
  expect([...scope.keys()]).toEqual(["a", "b", "c"]);
  expect([...scope.values()]).toEqual(["1", "3", "4"]);
  expect(scope.size).toBe(3);
  expect(scope.has("a") && !scope.has("d")).toBe(true);
  const seen: unknown[] = [];
  scope.forEach((value, name) => {
    seen.push([name, value]);
  });
  expect(seen.length).toBe(3);
});

test("the whole of the parameters is JSON as Go writes it", () => {
  const parameters = [{ name: "p", value: "<a> & b" }];
  const template: Template = {
    inputs: { parameters: [{ name: "p" }] },
    container: { image: "{{inputs.parameters}} {{workflow.parameters.json}}" },
  };
  const metadata = { name: "wf", namespace: "ns" };
  const workflow = { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", metadata, spec: {} };
  const globals = globalVariables(workflow, { arguments: { parameters } }, { get: () => undefined });
  if (globals.kind !== "found") throw new Error("no globals");
  const bound = bindArguments(
    template,
    { parameters },
    { globals: globals.value.texts, locals: new Map(), namespace: "ns", facts: { get: () => undefined }, context },
  );
  const text = '[{"name":"p","value":"\\u003ca\\u003e \\u0026 b"}]';
  expect(bound.kind === "found" && bound.value.container?.image).toBe(`${text} ${text}`);
});
