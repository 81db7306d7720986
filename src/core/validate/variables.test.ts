import { expect, test } from "vitest";
import { linesOf, type RuleCase } from "./testing/cases.js";

const rules: readonly RuleCase[] = [
  [
    "inputs",
    `
entrypoint: t
templates:
  - name: t
    inputs: {parameters: [{name: message, value: x}], artifacts: [{name: f, path: /f, raw: {data: x}}]}
    outputs: {parameters: [{name: o, valueFrom: {path: /o}}]}
    container: {image: i, args: ["{{ inputs.parameters.message }}", "{{inputs.artifacts.f.path}}", "{{outputs.parameters.o.path}}", "{{inputs.parameters}}", "{{pod.name}}", "{{foo}} {{foo.bar}} {{node.name}}"]}
`,
    `
entrypoint: t
templates:
  - name: t
    inputs: {parameters: [{name: message, value: x}], artifacts: [{name: f, path: /f, raw: {data: x}}]}
    container: {image: i, args: ["{{ inputs.parameters.mesage }}", "{{inputs.artifacts.message.path}}", "{{inputs.parameters.f}}", "{{inputs.artifacts.g}}"], env: [{name: E, value: "{{steps.a.outputs.result}} {{item.x}} {{pod.ip}}"}]}
`,
    [
      'error unresolved spec.templates[0].container.args[0]: {{ inputs.parameters.mesage }} | hint: did you mean "message"? | argo: templates.t: failed to resolve {{ inputs.parameters.mesage }}',
      "error unresolved spec.templates[0].container.args[1]: {{inputs.artifacts.message.path}} | hint: did you mean inputs.parameters.message? | argo: templates.t: failed to resolve {{inputs.artifacts.message.path}}",
      "error unresolved spec.templates[0].container.args[2]: {{inputs.parameters.f}} | hint: did you mean inputs.artifacts.f? | argo: templates.t: failed to resolve {{inputs.parameters.f}}",
      "error unresolved spec.templates[0].container.args[3]: {{inputs.artifacts.g}} | hint: the template's inputs are f | argo: templates.t: failed to resolve {{inputs.artifacts.g}}",
      "error unresolved spec.templates[0].container.env[0].value: {{steps.a.outputs.result}} | hint: only a steps or dag template has it: pass it to this one as an argument | argo: templates.t: failed to resolve {{steps.a.outputs.result}}",
      "error unresolved spec.templates[0].container.env[0].value: {{item.x}} | hint: only a loop over maps has it, in the step or task itself | argo: templates.t: failed to resolve {{item.x}}",
      "error unresolved spec.templates[0].container.env[0].value: {{pod.ip}} | hint: only a template that makes a pod has it, in its own fields | argo: templates.t: failed to resolve {{pod.ip}}",
    ],
  ],
  [
    "names that are booleans in YAML",
    `
entrypoint: t
arguments: {parameters: [{name: "y", value: x}]}
templates:
  - name: t
    inputs: {parameters: [{name: "n", value: x}]}
    container: {image: i, args: ["{{workflow.parameters.y}}", "{{inputs.parameters.n}}"]}
`,
    `
entrypoint: t
arguments: {parameters: [{name: y, value: x}]}
templates:
  - name: t
    inputs: {parameters: [{name: n, value: x}]}
    container: {image: i, args: ["{{workflow.parameters.y}}", "{{inputs.parameters.n}}"]}
`,
    [
      'error unresolved spec.templates[0].container.args[0]: {{workflow.parameters.y}} | hint: y is a boolean in YAML, read as true: write "y" in quotes where it gets its name | argo: templates.t: failed to resolve {{workflow.parameters.y}}',
      'error unresolved spec.templates[0].container.args[1]: {{inputs.parameters.n}} | hint: n is a boolean in YAML, read as false: write "n" in quotes where it gets its name | argo: templates.t: failed to resolve {{inputs.parameters.n}}',
    ],
  ],
  [
    "the workflow's variables",
    `
entrypoint: t
priority: 3
arguments: {parameters: [{name: env, value: x}]}
workflowMetadata: {labels: {l: x}, labelsFrom: {m: {expression: "'x'"}}, annotations: {a: x}}
templates:
  - name: t
    container: {image: i, args: ["{{workflow.name}} {{workflow.namespace}} {{workflow.uid}} {{workflow.status}} {{workflow.priority}} {{workflow.mainEntrypoint}} {{workflow.serviceAccountName}}", "{{workflow.parameters.env}} {{workflow.parameters}} {{workflow.parameters.json}}", "{{workflow.labels.l}} {{workflow.labels.m}} {{workflow.annotations.a}} {{workflow.labels}} {{workflow.annotations.json}}", "{{workflow.creationTimestamp.Y}} {{workflow.duration}} {{workflow.scheduledTime}}"]}
`,
    `
entrypoint: t
arguments: {parameters: [{name: env, value: x}]}
templates:
  - name: t
    container: {image: i, args: ["{{workflow.nme}} {{workflow.priority}} {{workflow.failures}}", "{{workflow.parameters.en}}", "{{workflow.labels.l}}", "{{workflow.outputs.parameters.x}}"]}
`,
    [
      'error unresolved spec.templates[0].container.args[0]: {{workflow.nme}} | hint: did you mean "name"? | argo: templates.t: failed to resolve {{workflow.nme}}',
      "error unresolved spec.templates[0].container.args[0]: {{workflow.priority}} | hint: spec.priority is not set | argo: templates.t: failed to resolve {{workflow.priority}}",
      "error unresolved spec.templates[0].container.args[0]: {{workflow.failures}} | hint: only exit handlers know it | argo: templates.t: failed to resolve {{workflow.failures}}",
      'error unresolved spec.templates[0].container.args[1]: {{workflow.parameters.en}} | hint: did you mean "env"? | argo: templates.t: failed to resolve {{workflow.parameters.en}}',
      "error unresolved spec.templates[0].container.args[2]: {{workflow.labels.l}} | hint: the workflow has no such entry in metadata.labels | argo: templates.t: failed to resolve {{workflow.labels.l}}",
      "error unresolved spec.templates[0].container.args[3]: {{workflow.outputs.parameters.x}} | hint: no output has a globalName before this | argo: templates.t: failed to resolve {{workflow.outputs.parameters.x}}",
    ],
  ],
  [
    "failures are for exit handlers",
    `
entrypoint: t
onExit: u
templates:
  - {name: t, container: {image: i}}
  - {name: u, container: {image: i, args: ["{{workflow.failures}} {{workflow.status}}"]}}
`,
    `
entrypoint: t
onExit: u
templates:
  - {name: t, container: {image: i, args: ["{{workflow.failures}}"]}}
  - {name: u, container: {image: i}}
`,
    [
      "error unresolved spec.templates[0].container.args[0]: {{workflow.failures}} | hint: only exit handlers know it | argo: templates.t: failed to resolve {{workflow.failures}}",
    ],
  ],
  [
    "retries",
    `
entrypoint: t
templates:
  - {name: t, retryStrategy: {limit: 1}, container: {image: i, args: ["{{retries}} {{lastRetry.exitCode}}"]}}
`,
    `
entrypoint: t
templates:
  - {name: t, retryStrategy: {limit: 1, expression: "lastRetri.exitCode == '1'"}, container: {image: i, args: ["{{retries}} {{inputs.parameters.x}}"]}}
`,
    [
      "error unresolved spec.templates[0].container.args[0]: {{inputs.parameters.x}} | hint: the template has no inputs: add x to its inputs.parameters | argo: templates.t: failed to resolve {{inputs.parameters.x}}",
      "error unresolved spec.templates[0].retryStrategy.expression: lastRetri in the expression lastRetri.exitCode == '1' | hint: did you mean \"lastRetry\"?",
    ],
  ],
  [
    "outputs in a form that there is not",
    `
entrypoint: s
templates:
  - name: s
    steps:
      - - {name: a, template: t}
      - - {name: b, template: u, arguments: {parameters: [{name: p, value: "{{steps.a.outputs.result}}"}]}}
  - {name: t, outputs: {parameters: [{name: commit, valueFrom: {path: /c}}]}, container: {image: i}}
  - {name: u, inputs: {parameters: [{name: p}]}, container: {image: i}}
`,
    `
entrypoint: s
templates:
  - name: s
    steps:
      - - {name: a, template: t}
      - - {name: b, template: u, arguments: {parameters: [{name: p, value: "{{steps.a.output.result}} {{steps.a.result}} {{steps.a.outputs.results}} {{steps.a.outputs.exitCode}} {{steps.a.outputs.parameter.commit}} {{steps.a.commit}} {{steps.a.nonsense}}"}]}}
  - {name: t, outputs: {parameters: [{name: commit, valueFrom: {path: /c}}]}, container: {image: i}}
  - {name: u, inputs: {parameters: [{name: p}]}, container: {image: i}}
`,
    [
      'error unresolved spec.templates[0].steps[1][0].arguments.parameters[0].value: {{steps.a.output.result}} | hint: did you mean "outputs.result"? | argo: templates.s.steps failed to resolve {{steps.a.output.result}}',
      'error unresolved spec.templates[0].steps[1][0].arguments.parameters[0].value: {{steps.a.result}} | hint: did you mean "outputs.result"? | argo: templates.s.steps failed to resolve {{steps.a.result}}',
      'error unresolved spec.templates[0].steps[1][0].arguments.parameters[0].value: {{steps.a.outputs.results}} | hint: did you mean "outputs.result"? | argo: templates.s.steps failed to resolve {{steps.a.outputs.results}}',
      'error unresolved spec.templates[0].steps[1][0].arguments.parameters[0].value: {{steps.a.outputs.exitCode}} | hint: did you mean "exitCode"? | argo: templates.s.steps failed to resolve {{steps.a.outputs.exitCode}}',
      'error unresolved spec.templates[0].steps[1][0].arguments.parameters[0].value: {{steps.a.outputs.parameter.commit}} | hint: did you mean "outputs.parameters.commit"? | argo: templates.s.steps failed to resolve {{steps.a.outputs.parameter.commit}}',
      'error unresolved spec.templates[0].steps[1][0].arguments.parameters[0].value: {{steps.a.commit}} | hint: did you mean "outputs.parameters.commit"? | argo: templates.s.steps failed to resolve {{steps.a.commit}}',
      "error unresolved spec.templates[0].steps[1][0].arguments.parameters[0].value: {{steps.a.nonsense}} | hint: a has the output commit | argo: templates.s.steps failed to resolve {{steps.a.nonsense}}",
    ],
  ],
  [
    "outputs of steps before",
    `
entrypoint: s
templates:
  - name: s
    steps:
      - - {name: a, template: t}
        - {name: b, template: d}
      - - {name: c, template: u, arguments: {parameters: [{name: p, value: "{{steps.a.outputs.parameters.commit}} {{steps.a.outputs.result}} {{steps.a.exitCode}} {{steps.a.status}} {{steps.a.id}} {{steps.b.ip}} {{steps.a.startedAt}} {{steps.a.finishedAt}} {{steps.a.hostNodeName}}"}]}}
    outputs: {parameters: [{name: o, valueFrom: {parameter: "{{steps.a.outputs.parameters.branch}}"}}, {name: q, valueFrom: {parameter: steps.c.outputs.result}}], artifacts: [{name: f, from: "{{steps.a.outputs.artifacts.src}}"}]}
  - {name: t, outputs: {parameters: [{name: commit, valueFrom: {path: /c}}, {name: branch, valueFrom: {path: /b}}], artifacts: [{name: src, path: /src}]}, container: {image: i}}
  - {name: d, daemon: true, container: {image: i}}
  - {name: u, inputs: {parameters: [{name: p}]}, container: {image: i}}
`,
    `
entrypoint: s
templates:
  - name: s
    steps:
      - - {name: checkout, template: t}
        - {name: same, template: u, arguments: {parameters: [{name: p, value: "{{steps.checkout.outputs.parameters.commit}}"}]}}
      - - {name: c, template: u, arguments: {parameters: [{name: p, value: "{{steps.checkout.outputs.parameters.sha}}"}]}}
        - {name: d, template: u, arguments: {parameters: [{name: p, value: "{{steps.checkout.outputs.parameters.comit}} {{steps.checkout.ip}} {{steps.later.outputs.result}} {{tasks.checkout.outputs.result}}"}]}}
        - {name: e, template: u, arguments: {parameters: [{name: p, value: "{{steps.chekout.status}} {{steps.e.outputs.result}} {{steps.nested.outputs.result}} {{steps.checkout.outputs.parameters}}"}]}}
      - - {name: later, template: t}
        - {name: nested, inline: {steps: []}}
    outputs: {parameters: [{name: q, valueFrom: {parameter: steps.nested.outputs.result}}]}
  - {name: t, outputs: {parameters: [{name: commit, valueFrom: {path: /c}}, {name: branch, valueFrom: {path: /b}}]}, container: {image: i}}
  - {name: u, inputs: {parameters: [{name: p}]}, container: {image: i}}
`,
    [
      "error unresolved spec.templates[0].steps[0][1].arguments.parameters[0].value: {{steps.checkout.outputs.parameters.commit}} | hint: checkout runs at the same time: put this step into a later group",
      "error unresolved spec.templates[0].steps[1][0].arguments.parameters[0].value: {{steps.checkout.outputs.parameters.sha}} | hint: checkout has the outputs commit, branch | argo: templates.s.steps failed to resolve {{steps.checkout.outputs.parameters.sha}}",
      'error unresolved spec.templates[0].steps[1][1].arguments.parameters[0].value: {{steps.checkout.outputs.parameters.comit}} | hint: did you mean "commit"? checkout has the outputs commit, branch | argo: templates.s.steps failed to resolve {{steps.checkout.outputs.parameters.comit}}',
      "error unresolved spec.templates[0].steps[1][1].arguments.parameters[0].value: {{steps.checkout.ip}} | hint: only a daemon has an address: checkout is none | argo: templates.s.steps failed to resolve {{steps.checkout.ip}}",
      "error unresolved spec.templates[0].steps[1][1].arguments.parameters[0].value: {{steps.later.outputs.result}} | hint: the steps known here are checkout, same, c | argo: templates.s.steps failed to resolve {{steps.later.outputs.result}}",
      "error unresolved spec.templates[0].steps[1][1].arguments.parameters[0].value: {{tasks.checkout.outputs.result}} | hint: these are steps: steps.checkout… | argo: templates.s.steps failed to resolve {{tasks.checkout.outputs.result}}",
      'error unresolved spec.templates[0].steps[1][2].arguments.parameters[0].value: {{steps.chekout.status}} | hint: did you mean "checkout"? | argo: templates.s.steps failed to resolve {{steps.chekout.status}}',
      "error unresolved spec.templates[0].steps[1][2].arguments.parameters[0].value: {{steps.e.outputs.result}} | hint: a step does not know its own outputs | argo: templates.s.steps failed to resolve {{steps.e.outputs.result}}",
      "error unresolved spec.templates[0].steps[1][2].arguments.parameters[0].value: {{steps.nested.outputs.result}} | hint: the steps known here are checkout, same, c, d | argo: templates.s.steps failed to resolve {{steps.nested.outputs.result}}",
      "error unresolved spec.templates[0].steps[1][2].arguments.parameters[0].value: {{steps.checkout.outputs.parameters}} | hint: only a loop over items has all outputs in one: checkout has the outputs commit, branch | argo: templates.s.steps failed to resolve {{steps.checkout.outputs.parameters}}",
      "error unresolved spec.templates[0].outputs.parameters[0].valueFrom.parameter: steps.nested.outputs.result | hint: nested has no outputs",
    ],
  ],
  [
    "outputs in a DAG",
    `
entrypoint: d
templates:
  - name: d
    dag:
      tasks:
        - {name: checkout, template: t}
        - {name: c, template: u, dependencies: [checkout], arguments: {parameters: [{name: p, value: "{{tasks.checkout.outputs.parameters.commit}}"}]}}
  - {name: t, outputs: {parameters: [{name: commit, valueFrom: {path: /c}}, {name: branch, valueFrom: {path: /b}}]}, container: {image: i}}
  - {name: u, inputs: {parameters: [{name: p}]}, container: {image: i}}
`,
    `
entrypoint: d
templates:
  - name: d
    dag:
      tasks:
        - {name: checkout, template: t}
        - {name: c, template: u, dependencies: [checkout], arguments: {parameters: [{name: p, value: "{{steps.checkout.outputs.parameters.sha}}"}]}}
        - {name: e, template: u, dependencies: [checkout], arguments: {parameters: [{name: p, value: "{{tasks.checkout.outputs.artifacts.x}} {{tasks.nope.status}}"}]}}
  - {name: t, outputs: {parameters: [{name: commit, valueFrom: {path: /c}}, {name: branch, valueFrom: {path: /b}}]}, container: {image: i}}
  - {name: u, inputs: {parameters: [{name: p}]}, container: {image: i}}
`,
    [
      "error unresolved spec.templates[0].dag.tasks[1].arguments.parameters[0].value: {{steps.checkout.outputs.parameters.sha}} | hint: this is a DAG: tasks.checkout…; checkout has the outputs commit, branch | argo: templates.d.tasks.c failed to resolve {{steps.checkout.outputs.parameters.sha}}",
      "error unresolved spec.templates[0].dag.tasks[2].arguments.parameters[0].value: {{tasks.checkout.outputs.artifacts.x}} | hint: checkout has the outputs commit, branch | argo: templates.d.tasks.e failed to resolve {{tasks.checkout.outputs.artifacts.x}}",
      "error unresolved spec.templates[0].dag.tasks[2].arguments.parameters[0].value: {{tasks.nope.status}} | hint: the tasks known here are checkout, c | argo: templates.d.tasks.e failed to resolve {{tasks.nope.status}}",
    ],
  ],
  [
    "items of loops",
    `
entrypoint: s
templates:
  - name: s
    steps:
      - - {name: a, template: u, withItems: [{k: v, w: x}], arguments: {parameters: [{name: p, value: "{{item.k}} {{item}}"}]}}
        - {name: b, template: u, withParam: "{{workflow.parameters.list}}", arguments: {parameters: [{name: p, value: "{{item.anything}}"}]}}
        - {name: c, withItems: [1], inline: {container: {image: i, args: ["{{item}}"]}}}
      - - {name: d, template: u, arguments: {parameters: [{name: p, value: "{{steps.a.outputs.parameters}} {{steps.b.outputs.result}}"}]}}
  - {name: u, inputs: {parameters: [{name: p}]}, script: {image: i, source: x}}
arguments: {parameters: [{name: list, value: "[]"}]}
`,
    `
entrypoint: s
templates:
  - name: s
    steps:
      - - {name: a, template: u, withItems: [{key: v, w: x}], arguments: {parameters: [{name: p, value: "{{item.kay}}"}]}}
        - {name: b, template: u, arguments: {parameters: [{name: p, value: "{{item}}"}]}}
        - {name: c, template: u, withSequence: {count: 2}, arguments: {parameters: [{name: p, value: "{{item.x}}"}]}}
      - - {name: d, template: u, arguments: {parameters: [{name: p, value: "{{steps.c.outputs.parameters}}"}]}}
  - name: d
    dag:
      tasks:
        - {name: a, template: u, withItems: [{key: v, w: x}], arguments: {parameters: [{name: p, value: "{{item.kay}} {{item.w}}"}]}}
        - {name: b, template: u, arguments: {parameters: [{name: p, value: "{{item.w}}"}]}}
  - {name: u, inputs: {parameters: [{name: p}]}, script: {image: i, source: x}}
`,
    [
      'error unresolved spec.templates[0].steps[0][0].arguments.parameters[0].value: {{item.kay}} | hint: did you mean "key"? | argo: templates.s.steps failed to resolve {{item.kay}}',
      "warning unresolved spec.templates[0].steps[0][1].arguments.parameters[0].value: {{item}} | hint: there is no loop: it will stand there as it is",
      "error unresolved spec.templates[0].steps[0][2].arguments.parameters[0].value: {{item.x}} | hint: the items have key, w | argo: templates.s.steps failed to resolve {{item.x}}",
      "error unresolved spec.templates[0].steps[1][0].arguments.parameters[0].value: {{steps.c.outputs.parameters}} | hint: only a loop over items has all outputs in one: c has the output result | argo: templates.s.steps failed to resolve {{steps.c.outputs.parameters}}",
      'error unresolved spec.templates[1].dag.tasks[0].arguments.parameters[0].value: {{item.kay}} | hint: did you mean "key"? | argo: templates.d templates.d.tasks.a failed to resolve {{item.kay}}',
      "error unresolved spec.templates[1].dag.tasks[1].arguments.parameters[0].value: {{item.w}} | hint: only a loop over maps has it, in the step or task itself | argo: templates.d templates.d.tasks.b failed to resolve {{item.w}}",
    ],
  ],
  [
    "exported outputs",
    `
entrypoint: s
templates:
  - name: s
    steps:
      - - {name: a, template: t}
      - - {name: b, template: u, arguments: {parameters: [{name: p, value: "{{workflow.outputs.parameters.commit}}"}], artifacts: [{name: f, from: "{{workflow.outputs.artifacts.src}}"}]}}
  - {name: t, outputs: {parameters: [{name: c, globalName: commit, valueFrom: {path: /c}}], artifacts: [{name: s, globalName: src, path: /s}]}, container: {image: i}}
  - {name: u, inputs: {parameters: [{name: p}], artifacts: [{name: f, path: /f}]}, container: {image: i}}
`,
    `
entrypoint: s
templates:
  - name: s
    steps:
      - - {name: b, template: u, arguments: {parameters: [{name: p, value: "{{workflow.outputs.parameters.commit}}"}], artifacts: [{name: f, from: "{{workflow.outputs.artifacts.src}}"}]}}
      - - {name: a, template: t}
      - - {name: c, template: u, arguments: {parameters: [{name: p, value: "{{workflow.outputs.parameters.comit}}"}], artifacts: [{name: f, raw: {data: x}}]}}
  - {name: t, outputs: {parameters: [{name: c, globalName: commit, valueFrom: {path: /c}}]}, container: {image: i}}
  - {name: u, inputs: {parameters: [{name: p}], artifacts: [{name: f, path: /f}]}, container: {image: i}}
`,
    [
      "error unresolved spec.templates[0].steps[0][0].arguments.parameters[0].value: {{workflow.outputs.parameters.commit}} | hint: no output has a globalName before this | argo: templates.s.steps failed to resolve {{workflow.outputs.parameters.commit}}",
      "error unresolved spec.templates[0].steps[0][0].arguments.artifacts[0].from: {{workflow.outputs.artifacts.src}} | hint: no output has a globalName before this | argo: templates.s.steps failed to resolve {{workflow.outputs.artifacts.src}}",
      'error unresolved spec.templates[0].steps[2][0].arguments.parameters[0].value: {{workflow.outputs.parameters.comit}} | hint: did you mean "commit"? | argo: templates.s.steps failed to resolve {{workflow.outputs.parameters.comit}}',
    ],
  ],
  [
    "exports whose names come at run time",
    `
entrypoint: s
onExit: e
arguments: {parameters: [{name: v, value: car}]}
templates:
  - name: s
    steps:
      - - {name: a, template: t}
      - - {name: b, template: u, arguments: {parameters: [{name: p, value: "{{workflow.outputs.parameters.any}}"}]}}
  - {name: t, outputs: {parameters: [{name: c, globalName: "x-{{workflow.parameters.v}}", valueFrom: {path: /c}}], artifacts: [{name: s, globalName: "out-{{workflow.parameters.v}}", path: /s}]}, container: {image: i}}
  - {name: u, inputs: {parameters: [{name: p}]}, container: {image: i}}
  - {name: e, inputs: {artifacts: [{name: f, path: /f, s3: {key: "{{workflow.outputs.artifacts.out-car}}"}}]}, container: {image: i}}
`,
    `
entrypoint: s
onExit: e
templates:
  - {name: s, steps: [[{name: a, template: t}]]}
  - {name: t, outputs: {artifacts: [{name: s, globalName: out, path: /s}]}, container: {image: i}}
  - {name: e, inputs: {artifacts: [{name: f, path: /f, s3: {key: "{{workflow.outputs.artifacts.out-car}}"}}]}, container: {image: i}}
`,
    [
      "error unresolved spec.templates[2].inputs.artifacts[0].s3.key: {{workflow.outputs.artifacts.out-car}} | hint: exported before this: out | argo: templates.e: failed to resolve {{workflow.outputs.artifacts.out-car}}",
    ],
  ],
  [
    "names made of variables",
    `
entrypoint: s
templates:
  - name: s
    inputs: {parameters: [{name: d, value: x}]}
    steps:
      - - {name: "run-{{inputs.parameters.d}}", template: t}
      - - {name: b, template: t, when: "{{steps.run-{{inputs.parameters.d}}.status}} != Succeeded"}
  - {name: t, container: {image: i}}
`,
    `
entrypoint: s
templates:
  - name: s
    inputs: {parameters: [{name: d, value: x}]}
    steps:
      - - {name: "run-{{inputs.parameters.d}}", template: t}
      - - {name: b, template: t, when: "{{steps.run-{{inputs.parameters.e}}.status}} != Succeeded"}
      - - {name: c, template: t, withItems: [d], when: "{{inputs.parameters.{{item}}}} == x"}
  - {name: t, container: {image: i}}
`,
    [
      "error unresolved spec.templates[0].steps[1][0].when: {{steps.run-{{inputs.parameters.e}}.status}} | argo: templates.s.steps failed to resolve {{steps.run-{{inputs.parameters.e}}",
      "error unresolved spec.templates[0].steps[2][0].when: {{inputs.parameters.{{item}}}} | argo: templates.s.steps failed to resolve {{inputs.parameters.{{item}}",
    ],
  ],
  [
    "templates written in place",
    `
entrypoint: s
templates:
  - name: s
    inputs: {parameters: [{name: outer, value: x}]}
    steps:
      - - {name: a, inline: {inputs: {parameters: [{name: p}]}, container: {image: i, args: ["{{inputs.parameters.p}} {{inputs.parameters.outer}}"]}}, arguments: {parameters: [{name: p, value: "{{inputs.parameters.outer}}"}]}}
      - - {name: b, inline: {script: {image: i, source: x}}}
      - - {name: c, template: u, arguments: {parameters: [{name: p, value: "{{steps.b.outputs.result}}"}]}}
  - {name: u, inputs: {parameters: [{name: p}]}, container: {image: i}}
`,
    `
entrypoint: s
templates:
  - name: s
    inputs: {parameters: [{name: outer, value: x}]}
    steps:
      - - {name: a, inline: {container: {image: i, args: ["{{inputs.parameters.nope}}"]}}}
        - {name: b, inline: {container: {image: i, args: ["{{inputs.parameters.other}}"]}}}
        - {name: c, inline: {container: {image: i, args: ["{{pod.name}} {{inputs.parameters.outer}}"]}}}
`,
    [
      "error unresolved spec.templates[0].steps[0][0].inline.container.args[0]: {{inputs.parameters.nope}} | hint: the template's inputs are outer | argo: templates.s.steps[0].a templates.: failed to resolve {{inputs.parameters.nope}}",
      'error unresolved spec.templates[0].steps[0][1].inline.container.args[0]: {{inputs.parameters.other}} | hint: did you mean "outer"? | argo: templates.s.steps failed to resolve {{inputs.parameters.other}}',
      "error unresolved spec.templates[0].steps[0][2].inline.container.args[0]: {{pod.name}} | hint: Argo reads an inline template as part of its step: make it one of spec.templates | argo: templates.s.steps failed to resolve {{pod.name}}",
    ],
  ],
  [
    "expressions",
    `
entrypoint: s
arguments: {parameters: [{name: env, value: x}]}
templates:
  - name: s
    steps:
      - - {name: a, template: t, arguments: {parameters: [{name: p, value: "{{=sprig.upper(workflow.parameters.env) + asInt('1')}}"}]}}
      - - {name: b, template: t, arguments: {parameters: [{name: p, value: "{{=steps.a.outputs.result ?? steps.nope.outputs.result ?? 'x'}} {{=item}} {{=let x = 1; x + len([1])}} {{=map([1], # + 1)}} {{=jsonpath(workflow.parameters.json, '$')}}"}]}}
    outputs: {parameters: [{name: o, valueFrom: {expression: "steps.b.outputs.result"}}]}
  - {name: t, inputs: {parameters: [{name: p}]}, container: {image: i, args: ["{{=inputs.parameters.p}} {{=inputs.parameters['p']}}"]}}
`,
    `
entrypoint: s
arguments: {parameters: [{name: env, value: x}]}
templates:
  - name: s
    steps:
      - - {name: a, template: t, arguments: {parameters: [{name: p, value: "{{=sprig.uper(workflow.parameters.evn) + asInt('1')}}"}]}}
      - - {name: b, template: t, arguments: {parameters: [{name: p, value: "{{=steps.nope.outputs.result}} {{=foo(1)}} {{=tasks.a.status}} {{=workflow.nme}}"}]}}
      - - {name: c, template: t, arguments: {parameters: [{name: p, value: "{{=(1 + }}"}]}}
    outputs: {parameters: [{name: o, valueFrom: {expression: "steps.b.outputs.parameters.x =="}}], artifacts: [{name: f, fromExpression: "steps.b.outputs.artifacts.x"}]}
  - {name: t, inputs: {parameters: [{name: p}]}, container: {image: i, args: ["{{=inputs.parameters.q}} {{=steps.a.outputs.result}}"]}}
`,
    [
      "error unresolved spec.templates[1].container.args[0]: inputs.parameters.q in the expression inputs.parameters.q | hint: the template's inputs are p",
      "error unresolved spec.templates[1].container.args[0]: steps in the expression steps.a.outputs.result | hint: only a steps or dag template has it: pass it to this one as an argument",
      "error unresolved spec.templates[0].steps[0][0].arguments.parameters[0].value: sprig.uper in the expression sprig.uper(workflow.parameters.evn) + asInt('1') | hint: did you mean \"sprig.upper\"?",
      "error unresolved spec.templates[0].steps[0][0].arguments.parameters[0].value: workflow.parameters.evn in the expression sprig.uper(workflow.parameters.evn) + asInt('1') | hint: did you mean \"env\"?",
      "error unresolved spec.templates[0].steps[1][0].arguments.parameters[0].value: steps.nope in the expression steps.nope.outputs.result | hint: the steps known here are a",
      "error unresolved spec.templates[0].steps[1][0].arguments.parameters[0].value: foo in the expression foo(1) | hint: variables begin with inputs, workflow, steps, tasks, item, outputs, retries, lastRetry, … (13)",
      "error unresolved spec.templates[0].steps[1][0].arguments.parameters[0].value: tasks in the expression tasks.a.status | hint: these are steps: steps…",
      'error unresolved spec.templates[0].steps[1][0].arguments.parameters[0].value: workflow.nme in the expression workflow.nme | hint: did you mean "name"?',
      "error bad-expression spec.templates[0].steps[2][0].arguments.parameters[0].value: the expression cannot be read: unexpected token EOF (1:5) | hint: (1 + \n....^",
      "error unresolved spec.templates[0].outputs.artifacts[0].fromExpression: steps.b.outputs.artifacts.x in the expression steps.b.outputs.artifacts.x | hint: b has the output result",
      "error bad-expression spec.templates[0].outputs.parameters[0].valueFrom.expression: the expression cannot be read: unexpected token EOF (1:31) | hint: steps.b.outputs.parameters.x ==\n..............................^",
    ],
  ],
];

test.each(rules)("%s", (_rule, right, wrong, lines) => {
  expect(linesOf(right)).toEqual([]);
  expect(linesOf(wrong)).toEqual(lines);
});
