import { expect, test } from "vitest";
import { linesOf, type RuleCase } from "./testing/cases.js";

const rules: readonly RuleCase[] = [
  [
    "paths of input artifacts",
    `
entrypoint: a
templates:
  - {name: a, inputs: {artifacts: [{name: f, path: /f/..g, raw: {data: x}}]}, container: {image: i}}
`,
    `
entrypoint: a
templates:
  - {name: a, inputs: {artifacts: [{name: f, raw: {data: x}}, {name: g, path: /g/../h, raw: {data: x}}]}, container: {image: i}}
`,
    [
      "error missing-field spec.templates[0].inputs.artifacts[0]: the artifact \"f\" has no path | hint: add path: /tmp/… | argo: error in templates.a.inputs.artifacts.f: Artifact 'f' did not specify a path",
      "error invalid spec.templates[0].inputs.artifacts[1].path: a path may not go up with .. | argo: error in templates.a.inputs.artifacts.g: Artifact 'g' attempted to use a path containing '..'. Directory traversal is not permitted",
    ],
  ],
  [
    "steps have no paths",
    `
entrypoint: a
templates:
  - {name: a, inputs: {artifacts: [{name: f, raw: {data: x}}]}, outputs: {artifacts: [{name: g, from: "{{inputs.artifacts.f}}"}]}, steps: []}
`,
    `
entrypoint: a
templates:
  - {name: a, inputs: {artifacts: [{name: f, path: /f, raw: {data: x}}]}, outputs: {artifacts: [{name: g, path: /g}]}, steps: []}
`,
    [
      "error conflict spec.templates[0].inputs.artifacts[0].path: only a template that makes a pod has paths | hint: leave it out here: the template that is called says where it lies | argo: templates.a.inputs.artifacts.f.path only valid in container/script templates",
      "error conflict spec.templates[0].outputs.artifacts[0].path: only a template that makes a pod has paths | hint: leave it out here: the template that is called says where it lies | argo: templates.a.outputs.artifacts.g.path only valid in container/script templates",
    ],
  ],
  [
    "where inputs come from",
    `
entrypoint: a
templates:
  - {name: a, inputs: {artifacts: [{name: f, path: /f, git: {repo: "https://x"}}]}, container: {image: i}}
`,
    `
entrypoint: a
templates:
  - {name: a, inputs: {artifacts: [{name: f, path: /f, from: "{{workflow.outputs.artifacts.x}}", git: {repo: ""}}]}, container: {image: i}}
`,
    [
      "error conflict spec.templates[0].inputs.artifacts[0].from: an input has no from: the caller gives it | hint: write from in the arguments of the step or task | argo: templates.a.inputs.artifacts.f.from not valid in inputs",
      "error missing-field spec.templates[0].inputs.artifacts[0].git.repo: git.repo is missing | argo: templates.a.inputs.artifacts.f.git.repo is required",
      "error unresolved spec.templates[0].inputs.artifacts[0].from: {{workflow.outputs.artifacts.x}} | hint: no output has a globalName before this | argo: templates.a: failed to resolve {{workflow.outputs.artifacts.x}}",
    ],
  ],
  [
    "hdfs",
    `
entrypoint: a
templates:
  - {name: a, inputs: {artifacts: [{name: f, path: /f, hdfs: {addresses: [h], path: /x, hdfsUser: u}}]}, container: {image: i}}
`,
    `
entrypoint: a
templates:
  - name: a
    inputs:
      artifacts:
        - {name: a, path: /a, hdfs: {path: /x, hdfsUser: u}}
        - {name: b, path: /b, hdfs: {addresses: [h], hdfsUser: u}}
        - {name: c, path: /c, hdfs: {addresses: [h], path: x, hdfsUser: u}}
        - {name: d, path: /d, hdfs: {addresses: [h], path: /x}}
        - {name: e, path: /e, hdfs: {addresses: [h], path: /x, krbKeytabSecret: {name: s, key: k}}}
        - {name: f, path: /f, hdfs: {addresses: [h], path: /x, krbCCacheSecret: {name: s, key: k}}}
    container: {image: i}
`,
    [
      "error invalid spec.templates[0].inputs.artifacts[0].hdfs: addresses is missing | argo: templates.a.inputs.artifacts.a.hdfs.addresses is required",
      "error invalid spec.templates[0].inputs.artifacts[1].hdfs: path is missing | argo: templates.a.inputs.artifacts.b.hdfs.path is required",
      "error invalid spec.templates[0].inputs.artifacts[2].hdfs: path must begin with / | argo: templates.a.inputs.artifacts.c.hdfs.path must be a absolute file path",
      "error invalid spec.templates[0].inputs.artifacts[3].hdfs: it names no user: add hdfsUser, krbCCacheSecret or krbKeytabSecret | argo: either templates.a.inputs.artifacts.d.hdfs.hdfsUser, templates.a.inputs.artifacts.d.hdfs.krbCCacheSecret or templates.a.inputs.artifacts.d.hdfs.krbKeytabSecret is required",
      "error invalid spec.templates[0].inputs.artifacts[4].hdfs: a keytab needs krbServicePrincipalName, krbConfigConfigMap, krbUsername and krbRealm | argo: templates.a.inputs.artifacts.e.hdfs.krbServicePrincipalName, templates.a.inputs.artifacts.e.hdfs.krbConfigConfigMap, templates.a.inputs.artifacts.e.hdfs.krbUsername and templates.a.inputs.artifacts.e.hdfs.krbRealm are required with templates.a.inputs.artifacts.e.hdfs.krbKeytabSecret",
      "error invalid spec.templates[0].inputs.artifacts[5].hdfs: a credential cache needs krbServicePrincipalName and krbConfigConfigMap | argo: templates.a.inputs.artifacts.f.hdfs.krbServicePrincipalName and templates.a.inputs.artifacts.f.hdfs.krbConfigConfigMap are required with templates.a.inputs.artifacts.f.hdfs.krbCCacheSecret",
    ],
  ],
  [
    "choices of an input",
    `
entrypoint: a
templates:
  - {name: a, inputs: {parameters: [{name: p, value: x, enum: [x, z]}]}, container: {image: i}}
`,
    `
entrypoint: a
templates:
  - {name: a, inputs: {parameters: [{name: p, default: v, enum: [x, z]}]}, container: {image: i}}
`,
    ['warning invalid spec.templates[0].inputs.parameters[0].default: "v" is none of the choices for "p": x, z'],
  ],
  [
    "paths of output artifacts",
    `
entrypoint: a
templates:
  - {name: a, outputs: {artifacts: [{name: f, path: /f}]}, container: {image: i}}
`,
    `
entrypoint: a
templates:
  - {name: a, outputs: {artifacts: [{name: f}, {name: g, path: ../g}]}, container: {image: i}}
`,
    [
      "error missing-field spec.templates[0].outputs.artifacts[0]: the artifact \"f\" has no path | hint: add path: /tmp/… | argo: error in templates.a.outputs.artifacts.f: Artifact 'f' did not specify a path",
      "error invalid spec.templates[0].outputs.artifacts[1].path: a path may not go up with .. | argo: error in templates.a.outputs.artifacts.g: Artifact 'g' attempted to use a path containing '..'. Directory traversal is not permitted",
    ],
  ],
  [
    "where outputs come from",
    `
entrypoint: a
templates:
  - {name: a, outputs: {parameters: [{name: p, valueFrom: {path: /p, default: x}}, {name: q, value: x}]}, container: {image: i}}
  - {name: b, outputs: {parameters: [{name: p, valueFrom: {supplied: {}}}]}, suspend: {}}
  - {name: c, outputs: {parameters: [{name: p, valueFrom: {expression: "1"}}]}, steps: []}
`,
    `
entrypoint: a
templates:
  - name: a
    outputs:
      parameters:
        - {name: both, value: x, valueFrom: {path: /p}}
        - {name: none}
        - {name: nothing, valueFrom: {default: x}}
        - {name: two, valueFrom: {path: /p, jsonPath: "{.x}"}}
        - {name: other, valueFrom: {parameter: "{{workflow.name}}"}}
    container: {image: i}
  - name: b
    outputs: {parameters: [{name: p, valueFrom: {path: /p}}, {name: q, valueFrom: {parameter: "{{workflow.name}}", expression: "1"}}]}
    steps: []
  - {name: c, outputs: {parameters: [{name: p, valueFrom: {path: /p}}]}, resource: {action: get}}
`,
    [
      "error conflict spec.templates[0].outputs.parameters[0].valueFrom: value and valueFrom: one of them is enough | argo: templates.a.outputs.parameters.both has both valueFrom and value specified, choose one",
      'error missing-field spec.templates[0].outputs.parameters[1]: the output "none" has no value | hint: add valueFrom: {path: …} | argo: templates.a.outputs.parameters.none does not have valueFrom or value specified',
      'error missing-field spec.templates[0].outputs.parameters[2].valueFrom: the output "nothing" does not say where its value comes from | hint: add path: … | argo: valueFrom type unspecified. choose one of: path, jqFilter, jsonPath, parameter, raw, expression',
      "error conflict spec.templates[0].outputs.parameters[2].valueFrom: a container template gives its outputs otherwise | hint: write path: … | argo: templates.a.outputs.parameters.nothing.path must be specified for Container templates",
      "error conflict spec.templates[0].outputs.parameters[3].valueFrom: path and jsonPath: one of them is enough | argo: multiple valueFrom types specified. choose one of: path, jqFilter, jsonPath, parameter, raw",
      "error conflict spec.templates[0].outputs.parameters[4].valueFrom: a container template gives its outputs otherwise | hint: write path: … | argo: templates.a.outputs.parameters.other.path must be specified for Container templates",
      "error conflict spec.templates[1].outputs.parameters[0].valueFrom: a steps template gives its outputs otherwise | hint: write parameter: … | argo: templates.b templates.b.outputs.parameters.p.parameter or expression must be specified for Steps templates",
      "error conflict spec.templates[1].outputs.parameters[1].valueFrom: parameter and expression: one of them is enough | argo: templates.b multiple valueFrom types specified. choose one of: path, jqFilter, jsonPath, parameter, raw",
      "error conflict spec.templates[2].outputs.parameters[0].valueFrom: a resource template gives its outputs otherwise | hint: write jsonPath: … | argo: templates.c templates.c.outputs.parameters.p .jqFilter or jsonPath must be specified for Resource templates",
    ],
  ],
  [
    "archive location",
    `
entrypoint: a
templates:
  - {name: a, archiveLocation: {git: {repo: x}}, container: {image: i}}
`,
    `
entrypoint: a
templates:
  - {name: a, archiveLocation: {git: {repo: ""}}, container: {image: i}}
`,
    [
      "error missing-field spec.templates[0].archiveLocation.git.repo: git.repo is missing | argo: templates.a.archiveLocation.git.repo is required",
    ],
  ],
  [
    "values of the workflow's parameters",
    `
entrypoint: a
arguments: {parameters: [{name: env, value: dev, enum: [dev, prod]}, {name: c, valueFrom: {configMapKeyRef: {name: c, key: k}}}]}
templates:
  - {name: a, suspend: {}}
`,
    `
entrypoint: a
arguments:
  parameters:
    - {name: env, description: "which\\n  cluster", enum: [dev, prod]}
    - {name: day}
    - {name: words, enum: [two words]}
    - {name: mode, value: fats, enum: [fast, slow]}
    - {name: empty, value: x, enum: []}
    - {name: from, valueFrom: {path: /x}}
    - {name: nothing, valueFrom: {default: x}}
    - {name: both, valueFrom: {supplied: {}, expression: "1"}}
    - {name: later, valueFrom: {supplied: {}}, enum: [x]}
templates:
  - {name: a, suspend: {}}
`,
    [
      'error no-parameter spec.arguments.parameters[0].name: "env" (which cluster; dev or prod) has no value: add -p env=dev | argo: spec.arguments.env.value or spec.arguments.env.valueFrom is required',
      'error no-parameter spec.arguments.parameters[1].name: "day" has no value: add -p day=VALUE | argo: spec.arguments.day.value or spec.arguments.day.valueFrom is required',
      "error no-parameter spec.arguments.parameters[2].name: \"words\" (two words) has no value: add -p 'words=two words' | argo: spec.arguments.words.value or spec.arguments.words.valueFrom is required",
      'error invalid spec.arguments.parameters[3].value: "fats" is none of the choices for "mode": fast, slow | hint: did you mean "fast"? | argo: spec.arguments.mode.value should be present in spec.arguments.mode.enum list',
      'error invalid spec.arguments.parameters[4].enum: the choices for "empty" are empty | argo: spec.arguments.empty.enum should contain at least one value',
      "error conflict spec.arguments.parameters[5].valueFrom.path: an argument takes no value from path | hint: an argument takes: value, or valueFrom configMapKeyRef, supplied, event | argo: spec.arguments.from.valueFrom only allows: default, configMapKeyRef and supplied",
      'error conflict spec.arguments.parameters[6].valueFrom: "nothing" has no source of a value | hint: an argument takes: value, or valueFrom configMapKeyRef, supplied, event | argo: spec.arguments.nothing.valueFrom only allows: default, configMapKeyRef and supplied',
      "error conflict spec.arguments.parameters[7].valueFrom.expression: an argument takes no value from expression | hint: an argument takes: value, or valueFrom configMapKeyRef, supplied, event | argo: spec.arguments.both.valueFrom only allows: default, configMapKeyRef and supplied",
      'error no-parameter spec.arguments.parameters[8].name: "later" (x) has no value | hint: add -p later=x | argo: spec.arguments.later.value is required',
    ],
  ],
  [
    "artifacts that are given",
    `
entrypoint: a
arguments: {artifacts: [{name: f, raw: {data: x}}, {name: g, s3: {key: k}}]}
templates:
  - {name: a, suspend: {}}
`,
    `
entrypoint: a
arguments: {artifacts: [{name: f}, {name: g, from: "{{x}}", fromExpression: x}, {name: h, fromExpression: x}]}
templates:
  - {name: a, suspend: {}}
`,
    [
      'error missing-field spec.arguments.artifacts[0]: the artifact "f" comes from nowhere | hint: add where it lies: s3, http, raw, …; or give a file: --artifact f=PATH | argo: spec.arguments.f.from, artifact location, or key is required',
      "error conflict spec.arguments.artifacts[1].fromExpression: from and fromExpression: one of them is enough | argo: spec.arguments.g shouldn't have both `from` and `fromExpression` in Artifact",
      'error missing-field spec.arguments.artifacts[2]: the artifact "h" has fromExpression only | hint: Argo takes that in outputs only: use from | argo: spec.arguments.h.from, artifact location, or key is required',
    ],
  ],
  [
    "what the entrypoint needs",
    `
entrypoint: a
arguments: {parameters: [{name: p, value: x}], artifacts: [{name: f, raw: {data: x}}]}
templates:
  - {name: a, inputs: {parameters: [{name: p}, {name: q, default: x}, {name: r, valueFrom: {configMapKeyRef: {name: c, key: k}}}], artifacts: [{name: f, path: /f}, {name: g, path: /g, optional: true}]}, container: {image: i}}
`,
    `
entrypoint: a
templates:
  - {name: a, inputs: {parameters: [{name: p, description: which one, enum: [x, z]}, {name: q}], artifacts: [{name: f, path: /f}]}, container: {image: i}}
`,
    [
      'error no-parameter spec.templates[0].inputs.parameters[0].name: "p" (which one; x or z) has no value: add -p p=x | argo: templates.a inputs.parameters.p was not supplied',
      'error no-parameter spec.templates[0].inputs.parameters[1].name: "q" has no value: add -p q=VALUE | argo: templates.a inputs.parameters.q was not supplied',
      'error no-parameter spec.arguments: template "a" needs the artifact "f" | hint: add it to arguments.artifacts, make the input optional, or give a file: --artifact f=PATH | argo: templates.a inputs.artifacts.f was not supplied',
    ],
  ],
  [
    "what a step gives",
    `
entrypoint: a
templates:
  - {name: b, inputs: {parameters: [{name: p}], artifacts: [{name: f, path: /f}]}, container: {image: i}}
  - name: a
    steps:
      - - {name: s, template: b, arguments: {parameters: [{name: p, value: x}], artifacts: [{name: f, raw: {data: x}}]}}
`,
    `
entrypoint: a
templates:
  - {name: b, inputs: {parameters: [{name: message}], artifacts: [{name: f, path: /f}]}, container: {image: i}}
  - name: a
    steps:
      - - {name: s, template: b, arguments: {parameters: [{name: mesage, value: x}, {name: q}], artifacts: [{name: g, raw: {data: x}}]}}
`,
    [
      'error no-parameter spec.templates[1].steps[0][0].arguments.parameters[1].name: "q" has no value | hint: add value: … | argo: templates.a.steps[0].s.arguments.q.value or templates.a.steps[0].s.arguments.q.valueFrom is required',
      'error no-parameter spec.templates[1].steps[0][0]: template "b" needs "message" | hint: add to its arguments.parameters: {name: message, value: …} | argo: templates.a.steps[0].s templates.b inputs.parameters.message was not supplied',
      'error no-parameter spec.templates[1].steps[0][0]: template "b" needs the artifact "f" | hint: add it to arguments.artifacts, or make the input optional | argo: templates.a.steps[0].s templates.b inputs.artifacts.f was not supplied',
      'warning unused spec.templates[1].steps[0][0].arguments.parameters[0].name: template "b" does not take "mesage" | hint: did you mean "message"?',
      'warning unused spec.templates[1].steps[0][0].arguments.parameters[1].name: template "b" does not take "q" | hint: its inputs are message',
      'warning unused spec.templates[1].steps[0][0].arguments.artifacts[0].name: template "b" does not take "g" | hint: its inputs are f',
    ],
  ],
];

test.each(rules)("%s", (_rule, right, wrong, lines) => {
  expect(linesOf(right)).toEqual([]);
  expect(linesOf(wrong)).toEqual(lines);
});
