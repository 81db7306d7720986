import { expect, test } from "vitest";
import { missingParameters, missingParameterText, parameterPlace, unusedParameters } from "./parameters.js";
import { parseLabels } from "./prepare.js";
import { parseFrom } from "./select.js";

test.each([
  ["workflowtemplate/a", "WorkflowTemplate"],
  ["workflowtemplates/a", "WorkflowTemplate"],
  ["wftmpl/a", "WorkflowTemplate"],
  ["WorkflowTemplate/a", "WorkflowTemplate"],
  ["cwftmpl/a", "ClusterWorkflowTemplate"],
  ["cronwf/a", "CronWorkflow"],
])("--from %s", (text, kind) => {
  expect(parseFrom(text)).toMatchObject({ kind, name: "a" });
});

test.each([
  ["a", "resource identifier 'a' is malformed. Should be `kind/name`, e.g. cronwf/hello-world-cwf"],
  ["pod/a", "Resource kind 'pod' is not supported for submitting"],
])("--from %s is refused", (text, message) => {
  expect(() => parseFrom(text)).toThrow(message);
});

test("labels", () => {
  expect(parseLabels("a=b,c=d=e,f=")).toEqual({ a: "b", c: "d=e", f: "" });
  expect(() => parseLabels("=b")).toThrow("unexpected empty label key");
});

const template = { name: "main", inputs: { parameters: [{ name: "input" }, { name: "has", default: "1" }] } };

test("parameters: the workflow's beat its template's; inputs of the entry count; references are uses", () => {
  const own = { workflowTemplateRef: { name: "t" }, arguments: { parameters: [{ name: "a", value: "own" }] } };
  const outer = {
    entrypoint: "main",
    templates: [template, { name: "x", container: { image: "{{workflow.parameters.used}}" } }],
    arguments: { parameters: [{ name: "a" }, { name: "b" }] },
  };
  const place = parameterPlace([own, outer], undefined);
  expect(missingParameters(place, []).map(({ name }) => name)).toEqual(["b", "input"]);
  expect(
    missingParameters(place, [
      { name: "b", value: "" },
      { name: "input", value: "x" },
    ]),
  ).toEqual([]);
  const unused = unusedParameters(
    [
      { name: "used", value: "1" },
      { name: "inptu", value: "1" },
    ],
    [place],
  );
  expect(unused).toMatchObject([{ message: "-p inptu=1: nothing takes it", hint: 'did you mean "input"?' }]);
});

test.each([
  [
    { name: "env", description: "which\n cluster", enum: ["dev", "prod"] },
    '"env" (which cluster; dev or prod) has no value: add -p env=dev',
  ],
  [{ name: "n", default: "two words" }, "\"n\" has no value: add -p 'n=two words'"],
  [{ name: "n" }, '"n" has no value: add -p n=VALUE'],
])("%j", (parameter, text) => {
  expect(missingParameterText(parameter)).toBe(text);
});
