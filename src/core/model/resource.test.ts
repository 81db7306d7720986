import { expect, test } from "vitest";
import type { Problem } from "../std/problem.js";
import { decodeAs, decodeResource, encodeResource } from "./resource.js";
import { readDocuments } from "./source/read.js";

function decodeText(text: string): ReturnType<typeof decodeResource> {
  const { documents, problems } = readDocuments(text, "wf.yaml");
  expect(problems).toEqual([]);
  const document = documents[0];
  if (document === undefined) throw new Error("no document");
  return decodeResource(document);
}

const HEAD = "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {generateName: x-}\n";

/** A message as the command line tells it, without the excerpt. */
function told({ code, message, hint, position }: Problem): string {
  return `${position?.line}:${position?.column} ${code} ${message}${hint === undefined ? "" : ` | ${hint}`}`;
}

test.each<[string, string, string[]]>([
  [
    "an unknown field",
    "spec:\n  templats: []\n",
    ['5:3 unknown-field spec.templats: no such field | did you mean "templates"?'],
  ],
  [
    "a wrong case",
    "spec:\n  templates:\n  - name: a\n    container: {image: x, imagePullpolicy: Always}\n",
    ['7:27 unknown-field spec.templates[0].container.imagePullpolicy: no such field | did you mean "imagePullPolicy"?'],
  ],
  [
    "unknown fields in parts that are only carried",
    "spec:\n  affinity: {nodeAffinity: {required: []}}\n  tolerations: [{keys: a}]\n  securityContext: {runAsUsr: 1}\n  volumes: [{name: v, nfs: {server: s, path: p, pth: q}}]\n",
    [
      "5:29 unknown-field spec.affinity.nodeAffinity.required: no such field",
      '6:18 unknown-field spec.tolerations[0].keys: no such field | did you mean "key"?',
      '7:21 unknown-field spec.securityContext.runAsUsr: no such field | did you mean "runAsUser"?',
      '8:49 unknown-field spec.volumes[0].nfs.pth: no such field | did you mean "path"?',
    ],
  ],
  [
    "wrong types, all at once",
    'spec:\n  parallelism: "5"\n  suspend: "{{x}}"\n  entrypoint: [a]\n  templates: {}\n  activeDeadlineSeconds: 1.5\n  ttlStrategy: {secondsAfterSuccess: 1h}\n',
    [
      '5:16 wrong-type spec.parallelism: must be a whole number, not text ("5") | write 5 without quotes',
      '6:12 wrong-type spec.suspend: must be true or false, not text ("{{x}}") | a variable cannot stand here: the manifest must hold the value itself',
      "7:3 wrong-type spec.entrypoint: must be text, not a list | one template begins: the others are called from it",
      "8:3 wrong-type spec.templates: must be a list, not a map | its items begin with a dash: - name: …",
      "9:26 wrong-type spec.activeDeadlineSeconds: must be a whole number, not 1.5",
      '10:38 wrong-type spec.ttlStrategy.secondsAfterSuccess: must be a whole number, not text ("1h") | write the seconds: 3600',
    ],
  ],
  [
    "values out of range",
    "spec:\n  parallelism: 0\n  podGC: {strategy: OnPodComplete}\n  templates:\n  - name: a\n    inputs: {artifacts: [{name: b, mode: 512}]}\n    container: {image: x, resources: {limits: {cpu: lots, memory: '{{m}}'}}}\n",
    [
      "5:16 bad-value spec.parallelism: must be 1 or more, not 0",
      '6:21 bad-value spec.podGC.strategy: "OnPodComplete" is not one of OnPodCompletion, OnPodSuccess, OnWorkflowCompletion, OnWorkflowSuccess | did you mean "OnPodCompletion"?',
      "9:42 bad-value spec.templates[0].inputs.artifacts[0].mode: must be 511 or less, not 512",
      '10:53 bad-value spec.templates[0].container.resources.limits.cpu: "lots" is not a quantity | such as 500m, 2, 1.5, 256Mi',
      '10:67 bad-value spec.templates[0].container.resources.limits.memory: "{{m}}" is not a quantity | a variable cannot stand in a quantity; Argo takes one in podSpecPatch only',
    ],
  ],
  ["a missing spec", "", ["1:1 missing-field spec: is missing"]],
  [
    "missing names",
    "spec:\n  templates:\n  - dag: {tasks: [{template: a}]}\n    inputs:\n      parameters:\n      - value: 1\n",
    [
      "6:19 missing-field spec.templates[0].dag.tasks[0].name: is missing",
      "9:9 missing-field spec.templates[0].inputs.parameters[0].name: is missing",
    ],
  ],
  [
    "a step group that is no list",
    "spec:\n  templates:\n  - name: a\n    steps:\n    - {name: b, template: c}\n",
    [
      "8:7 wrong-type spec.templates[0].steps[0]: must be a list, not a map | steps that run at once are a list in the list: - - name: ...",
    ],
  ],
  [
    "a list that is something else, with the list to write",
    `spec:
  arguments: {parameters: {env: dev}}
  templates:
  - name: a
    container: {command: echo hi, args: hello, env: {A: 1}}
    steps: [[{withItems: "{{x}}", withParam: [1]}]]
    dag: {tasks: [{name: a, depends: [b]}]}
  - {name: b, volumes: {work: {}}}
`,
    [
      '5:15 wrong-type spec.arguments.parameters: must be a list, not a map | write a list: - {name: env, value: "dev"}',
      '8:26 wrong-type spec.templates[0].container.command: must be a list, not text ("echo hi") | write [sh, -c, "echo hi"]',
      '8:41 wrong-type spec.templates[0].container.args: must be a list, not text ("hello") | write [hello]',
      "8:48 wrong-type spec.templates[0].container.env: must be a list, not a map | write a list: - {name: A, value: 1}",
      '9:26 wrong-type spec.templates[0].steps[0][0].withItems: must be a list, not text ("{{x}}") | a list that only the run knows goes into withParam',
      "9:35 wrong-type spec.templates[0].steps[0][0].withParam: must be text, not a list | a list that stands in the file goes into withItems",
      "10:29 wrong-type spec.templates[0].dag.tasks[0].depends: must be text, not a list | depends is an expression, as in a && b; a list goes into dependencies",
      "11:15 wrong-type spec.templates[1].volumes: must be a list, not a map | write a list: - name: work",
    ],
  ],
  [
    "fields at the wrong place, with another system's space, and no second time as missing",
    `spec:
  templates:
  - name: a
    image: x
    container: {env: [{nam: A}]}
  script: {}
  \u00a0volumes: []
`,
    [
      "7:5 unknown-field spec.templates[0].image: no such field | it stands in container or script: is the line indented too little?",
      '8:24 unknown-field spec.templates[0].container.env[0].nam: no such field | did you mean "name"?',
      "9:3 unknown-field spec.script: no such field | it stands in an item of templates: is the line indented too little?",
      '10:3 unknown-field spec["\u00a0volumes"]: no such field | it holds a space that is a letter to YAML (U+00A0): type the line anew',
    ],
  ],
  [
    "fields of Argo 3",
    "spec:\n  ttlSecondsAfterFinished: 5\n  synchronization: {mutex: {name: a}}\n",
    [
      "5:3 unknown-field spec.ttlSecondsAfterFinished: no such field | Argo 4: ttlStrategy: {secondsAfterCompletion: ...}",
      "6:21 unknown-field spec.synchronization.mutex: no such field | Argo 4 takes a list: mutexes: [{name: ...}]",
    ],
  ],
])("tells %s", (_name, body, expected) => {
  expect(decodeText(HEAD + body).problems.map(told)).toEqual(expected);
});

test.each<[string, string, string]>([
  [
    "on: [push]\njobs: {}\n",
    "GitHub Actions",
    "not-kind this is not a Kubernetes resource: it has no apiVersion and no kind",
  ],
  [
    "apiVersion: argoproj.io/v1alpha1\n",
    "add kind: Workflow",
    "not-kind this is not a Kubernetes resource: it has no kind",
  ],
  ["text: hello\n", "", "not-kind this is not a Kubernetes resource: it has no apiVersion and no kind"],
  ["hello\n", "", "not-kind this is not a Kubernetes resource: that would be a map with apiVersion and kind"],
  ["kind: Workflow\napiVersion: v1\n", "write: apiVersion: argoproj.io/v1alpha1", "not-kind v1 has no Workflow here"],
  ["kind: Workflw\napiVersion: x\n", 'did you mean "Workflow"?', "not-kind kind Workflw is not known"],
  ["kind: Deployment\napiVersion: apps/v1\n", "known are Workflow,", "not-kind kind Deployment is not known"],
])("%j is no resource", (text, hint, expected) => {
  const { value, problems } = decodeText(text);
  expect(value).toBeUndefined();
  expect(problems.map(({ code, message }) => `${code} ${message}`)).toEqual([expected]);
  expect(problems[0]?.hint ?? "").toContain(hint);
});

test.each<[header: string, told: readonly string[]]>([
  ["kind: Workflow", ["not-kind this is not a Kubernetes resource: it has no apiVersion"]],
  ["kind: Workflw\napiVersion: argoproj.io/v1alpha1", ["not-kind kind Workflw is not known"]],
  ["kind: Workflow\napiVersion: argoproj.io/v1", ["not-kind argoproj.io/v1 has no Workflow here"]],
])("below %j, where the kind is plain, faults are told too", (header, expected) => {
  const { value, problems } = decodeText(`${header}\nspec: {entrypont: a}\n`);
  expect(value?.kind).toBe("Workflow");
  expect(problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
    ...expected,
    "unknown-field spec.entrypont: no such field",
  ]);
});

/** Argo's tolerance: what a parameter's value, default or enum becomes. */
test.each<[string, string]>([
  ["5", "5"],
  ["1.50", "1.5"],
  ["1e21", "1000000000000000000000"],
  ["0777", "511"],
  ["yes", "true"],
  ["12345678901234567890", "12345678901234567890"],
  ["'{}'", "{}"],
  ["2001-12-14", "2001-12-14"],
  ["n", "false"],
  ["True", "true"],
  ["1_000", "1000"],
])("a parameter's value %s is the text %s, which is told where it is another", (scalar, expected) => {
  const text = `${HEAD}spec:\n  arguments:\n    parameters:\n    - {name: a, value: ${scalar}, default: ${scalar}, enum: [${scalar}]}\n`;
  const { value, problems } = decodeText(text);
  const isKept = scalar === expected || scalar.startsWith("'");
  const columns = ["24 value", `${35 + scalar.length} default`, `${44 + 2 * scalar.length} enum[0]`].map((one) =>
    one.split(" "),
  );
  const warnings = columns.map(
    ([column, field]) =>
      `7:${column} bad-value spec.arguments.parameters[0].${field}: ${scalar} is read as ${expected} | to keep it as it is written: "${scalar}"`,
  );
  expect(problems.map(told)).toEqual(isKept ? [] : warnings);
  expect(problems.every(({ severity }) => severity === "warning")).toBe(true);
  const spec = value?.kind === "Workflow" ? value.spec : undefined;
  expect(spec?.arguments?.parameters).toEqual([{ name: "a", value: expected, default: expected, enum: [expected] }]);
});

test("Argo's other tolerances: items, durations, numbers in text, null", () => {
  const { value, problems } = decodeText(`${HEAD}spec:
  entrypoint: null
  podGC: {deleteDelayDuration: 5}
  hostAliases:
  templates:
  - name: a
    activeDeadlineSeconds: "{{x}}"
    suspend: {duration: 20}
    metadata: {labels: {i: 1, b: true, f: 1.5, e: }}
    steps:
    - - {name: b, template: c, withItems: [1, a, {k: [null, 2.50]}, [1], true, null], withSequence: {count: 3}}
`);
  expect(problems).toEqual([]);
  expect(value?.kind === "Workflow" ? value.spec : undefined).toEqual({
    podGC: { deleteDelayDuration: 5 },
    templates: [
      {
        name: "a",
        activeDeadlineSeconds: "{{x}}",
        suspend: { duration: "20" },
        metadata: { labels: { i: "1", b: "true", f: "1.5", e: "" } },
        steps: [
          [
            {
              name: "b",
              template: "c",
              withItems: [1, "a", { k: [null, 2.5] }, [1], true, null],
              withSequence: { count: 3 },
            },
          ],
        ],
      },
    ],
  });
});

test("JSON is held to JSON's rigour: a number is no text, but a parameter's value may be one", () => {
  const workflow = (labels: object): string =>
    JSON.stringify({
      apiVersion: "argoproj.io/v1alpha1",
      kind: "Workflow",
      metadata: { labels },
      spec: { arguments: { parameters: [{ name: "a", value: 1 }] } },
    });
  expect(decodeText(workflow({ a: "1" })).problems).toEqual([]);
  expect(decodeText(workflow({ a: 1 })).problems.map(({ message }) => message)).toEqual([
    "metadata.labels.a: must be text, not 1",
  ]);
});

test("unknown fields can be left out in silence, as for objects that the API holds", () => {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", future: 1 }, data: { k: "v" } };
  const { value, problems } = decodeAs("ConfigMap", object, { unknownFields: "ignore" });
  expect(problems).toEqual([]);
  expect(value).toEqual({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { k: "v" } });
  expect(decodeAs("Secret", object).problems.map(({ message }) => message)).toEqual([
    "this is a ConfigMap; a Secret is wanted here",
  ]);
});

test("keys that JavaScript knows are keys like any other", () => {
  const { value, problems } = decodeText(
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {__proto__: x, constructor: w, toString: z}\nconstructor: 1\n",
  );
  expect(problems.map(({ message }) => message)).toEqual(["constructor: no such field"]);
  const data = value?.kind === "ConfigMap" ? value.data : undefined;
  expect(Object.entries(data ?? {})).toEqual([
    ["__proto__", "x"],
    ["constructor", "w"],
    ["toString", "z"],
  ]);
});

test("encoding puts fields in the order of the schema and leaves out what is absent", () => {
  const encoded = encodeResource({
    spec: { templates: [{ container: { args: ["x"], image: "i" }, name: "a" }], entrypoint: "a" },
    metadata: { labels: { z: "1", b: "2" }, name: "w" },
    kind: "Workflow",
    apiVersion: "argoproj.io/v1alpha1",
  });
  expect(JSON.stringify(encoded)).toBe(
    '{"apiVersion":"argoproj.io/v1alpha1","kind":"Workflow","metadata":{"name":"w","labels":{"z":"1","b":"2"}},"spec":{"entrypoint":"a","templates":[{"name":"a","container":{"image":"i","args":["x"]}}]}}',
  );
});

test("a file of twenty thousand faults is told in bounded time", () => {
  const { problems } = decodeText(
    `${HEAD}spec:\n${Array.from({ length: 20_000 }, (_, index) => `  f${index}: 1\n`).join("")}`,
  );
  expect(problems).toHaveLength(201);
  expect(problems.at(-1)?.message).toBe("19800 more problems are not shown");
});

test("what reads as it is written is not told, whatever stands for text", () => {
  const values = ["1", "-2.5", "true", "2024-01-02", "12:30", '"1.10"', "'no'", "&x 7", "*x", "|\n       1.10"];
  const list = values.map((value, index) => `   - name: p${index}\n     value: ${value}\n`).join("");
  expect(decodeText(`${HEAD}spec:\n  arguments:\n   parameters:\n${list}`).problems).toEqual([]);
});
