import { expect, test } from "vitest";
import type { Problem } from "../../core/std/problem.js";
import { type ProblemStyle, problemsText } from "./problems.js";
import { makeStyle, plainStyle } from "./style.js";

const file = "/home/me/ci.yaml";

const lines: Readonly<Record<number, string>> = {
  12: "  templats:",
  31: "      image: {{inputs.parameters.image}}",
  44: '          value: "{{steps.checkout.outputs.parameters.sha}}"',
  58: "        - name: go-build",
  70: "      你好: {a: wide}",
  71: `      source: ${"x".repeat(120)} echo {{bad}} ${"y".repeat(80)}`,
};

const options: ProblemStyle = {
  style: plainStyle,
  columns: 80,
  lineOf: (name, line) => (name === file ? lines[line] : undefined),
  nameOf: (name) => name.replace("/home/me/", ""),
};

function problem(code: Problem["code"], message: string, more: Partial<Problem> = {}): Problem {
  return { code, severity: "error", path: "", message, ...more };
}

function at(line: number, column: number, length = 1): NonNullable<Problem["position"]> {
  return { file, line, column, length };
}

test("where, what, the line, what to do", () => {
  const problems = [
    problem("unknown-field", "spec.templats: no such field", {
      path: "spec.templats",
      position: at(12, 3, 8),
      hint: 'did you mean "templates"?',
    }),
    problem("yaml-brace", "a value that begins with {{ is a map in YAML", {
      position: at(31, 14, 2),
      hint: 'write: image: "{{inputs.parameters.image}}"',
    }),
    problem("unresolved", "{{steps.checkout.outputs.parameters.sha}}", {
      position: at(44, 18, 41),
      hint: "this is a DAG: tasks.checkout…; checkout has the outputs commit, branch",
    }),
    problem("no-template", 'WorkflowTemplate "go-build" was not given', {
      position: at(58, 9),
      hint: "../lib/go.yaml:1 defines it: add --with ../lib",
    }),
    problem("wrong-type", "spec.x: a map, where text belongs", { path: "spec.x", position: at(70, 11, 9) }),
    problem("unresolved", "{{bad}}", { position: at(71, 142, 7) }),
    problem("missing", "before step 1: Secret db (key url, ci.yaml:70:15), ConfigMap app (ci.yaml:74:15)", {
      hint: "--secret db=.env --configmap app=DIR, or from your cluster:\nkubectl -n ml-prod get secret/db cm/app -o yaml > l.yaml; tiphys run ci.yaml --with l.yaml",
    }),
    problem("ignored", "nodeSelector means nothing on one machine", { severity: "notice" }),
  ];
  expect(problemsText(problems, options)).toMatchInlineSnapshot(`
    "ci.yaml:12:3  error[unknown-field]  spec.templats: no such field
      12 │   templats:
         │   ^^^^^^^^ did you mean "templates"?
    ci.yaml:31:14  error[yaml-brace]  a value that begins with {{ is a map in YAML
      31 │       image: {{inputs.parameters.image}}
         │              ^^
         │ write: image: "{{inputs.parameters.image}}"
    ci.yaml:44:18  error[unresolved]  {{steps.checkout.outputs.parameters.sha}}
      44 │           value: "{{steps.checkout.outputs.parameters.sha}}"
         │                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
         │ this is a DAG: tasks.checkout…; checkout has the outputs commit, branch
    ci.yaml:58:9  error[no-template]  WorkflowTemplate "go-build" was not given
      58 │         - name: go-build
         │         ^
         │ ../lib/go.yaml:1 defines it: add --with ../lib
    ci.yaml:70:11  error[wrong-type]  spec.x: a map, where text belongs
      70 │       你好: {a: wide}
         │             ^^^^^^^^^
    ci.yaml:71:142  error[unresolved]  {{bad}}
      71 │ …xxxxxxxxxxxxxxxxx echo {{bad}} yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…
         │                          ^^^^^^^
    error[missing]  before step 1: Secret db (key url, ci.yaml:70:15), ConfigMap app (ci.yaml:74:15)
         │ --secret db=.env --configmap app=DIR, or from your cluster:
         │ kubectl -n ml-prod get secret/db cm/app -o yaml > l.yaml; tiphys run ci.yaml --with l.yaml
    notice[ignored]  nodeSelector means nothing on one machine
    "
  `);
});

test("many problems end in a count; colours change nothing else", () => {
  const many = Array.from({ length: 53 }, (_, index) => problem("invalid", `number ${index}`));
  const text = problemsText(many, options);
  expect(text.split("\n").slice(49, 51)).toEqual(["error[invalid]  number 49", "… and 3 more problems"]);
  const colored = problemsText(many, { ...options, style: makeStyle(true, true) });
  expect(colored.replace(/\x1b\[\d+m/g, "")).toBe(text);
});
