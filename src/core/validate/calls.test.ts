import { expect, test } from "vitest";
import { linesOf, type RuleCase } from "./testing/cases.js";

const rules: readonly RuleCase[] = [
  [
    "the entrypoint is there",
    `
entrypoint: main
templates: [{name: main, suspend: {}}]
`,
    `
entrypoint: mian
templates: [{name: main, suspend: {}}]
`,
    [
      'error no-template spec.entrypoint: there is no template "mian" | hint: did you mean "main"? | argo: template name \'mian\' undefined',
    ],
  ],
  [
    "there is an entrypoint",
    `
entrypoint: main
templates: [{name: main, suspend: {}}]
`,
    `
templates: [{name: main, suspend: {}}]
`,
    [
      "error no-entrypoint spec: it says not where to begin | hint: add entrypoint: main | argo: spec.entrypoint is required",
    ],
  ],
  [
    "exit handlers are there",
    `
entrypoint: main
onExit: bye
hooks: {exit: {template: bye}, running: {template: bye, expression: workflow.status == "Running"}}
templates: [{name: main, suspend: {}}, {name: bye, suspend: {}}]
`,
    `
entrypoint: main
onExit: by
hooks: {exit: {template: byebye}, running: {template: bye}, failed: {template: nope, expression: "workflow.status =="}}
templates: [{name: main, suspend: {}}, {name: bye, suspend: {}}]
`,
    [
      'error no-template spec.onExit: there is no template "by" | hint: did you mean "bye"? | argo: template name \'by\' undefined',
      'error missing-field spec.hooks.running: hook "running" has no expression | hint: add expression: workflow.status == "Running", or call the hook exit | argo: hooks.running Expression required',
      'error no-template spec.hooks.exit.template: there is no template "byebye" | hint: the templates are main, bye',
      "error bad-expression spec.hooks.failed.expression: the expression cannot be read: unexpected token EOF (1:18) | hint: workflow.status ==\n.................^",
      'error no-template spec.hooks.failed.template: there is no template "nope" | hint: the templates are main, bye',
    ],
  ],
  [
    "a step names one template",
    `
entrypoint: main
templates:
  - name: main
    steps: [[{name: a, template: t}, {name: b, inline: {suspend: {}}}, {name: c, templateRef: {name: lib, template: t}}]]
  - {name: t, suspend: {}}
---
kind: WorkflowTemplate
metadata: {name: lib}
spec: {templates: [{name: t, suspend: {}}]}
`,
    `
entrypoint: main
templates:
  - name: main
    steps:
      - - {name: a}
        - {name: b, template: tt}
        - {name: c, template: t, templateRef: {name: lib, template: t}}
        - {name: d, template: t, inline: {suspend: {}}}
        - {name: e, templateRef: {template: t}}
        - {name: f, templateRef: {name: lib}}
        - {name: g, templateRef: {name: lib, template: t}}
        - {name: h, template: "{{item}}", withItems: [t]}
  - {name: t, suspend: {}}
`,
    [
      "error missing-field spec.templates[0].steps[0][0]: it names no template | hint: add template: NAME | argo: templates.main.steps[0].a template  not found",
      'error no-template spec.templates[0].steps[0][1].template: there is no template "tt" | hint: did you mean "t"? | argo: templates.main.steps[0].b template name \'tt\' undefined',
      "error conflict spec.templates[0].steps[0][2].template: template and templateRef: one of them is enough | argo: templates.main.steps[0].c template name cannot be specified with templateRef",
      "error conflict spec.templates[0].steps[0][3].inline: inline and template: one of them is enough",
      "error missing-field spec.templates[0].steps[0][4].templateRef: templateRef names no resource | hint: add name: … | argo: templates.main.steps[0].e resource name is required",
      "error missing-field spec.templates[0].steps[0][5].templateRef: templateRef names no template | hint: add template: … | argo: templates.main.steps[0].f template name is required",
      'error no-template spec.templates[0].steps[0][6].templateRef: WorkflowTemplate "lib" was not given | hint: add --with FILE, a file that defines it | argo: templates.main.steps[0].g template reference lib.t not found',
      "error no-template spec.templates[0].steps[0][7].template: there is no template \"{{item}}\" | hint: Argo takes a variable in templateRef only | argo: templates.main.steps[0].h template name '{{item}}' undefined",
    ],
  ],
  [
    "hooks of steps and tasks",
    `
entrypoint: main
templates:
  - name: main
    steps:
      - - name: a
          template: t
          hooks: {exit: {template: t}, running: {template: p, arguments: {parameters: [{name: x, value: "{{steps.a.status}}"}]}, expression: steps.a.status == "Running"}}
      - - {name: b, inline: {dag: {tasks: [{name: c, template: t, hooks: {exit: {template: t}}}]}}}
  - {name: t, suspend: {}}
  - {name: p, inputs: {parameters: [{name: x}]}, suspend: {}}
`,
    `
entrypoint: main
templates:
  - name: main
    steps:
      - - name: a
          template: t
          onExit: nope
          hooks: {exit: {template: missing}, running: {template: p}, failed: {template: p, expression: steps.z.status == "Failed"}}
  - name: d
    dag: {tasks: [{name: a, template: t, hooks: {running: {template: t}}}]}
  - {name: t, suspend: {}}
  - {name: p, inputs: {parameters: [{name: x}]}, suspend: {}}
`,
    [
      'error missing-field spec.templates[0].steps[0][0].hooks.running: hook "running" has no expression | hint: add expression: workflow.status == "Running", or call the hook exit | argo: templates.main.steps[0].a.running Expression required',
      'error no-template spec.templates[0].steps[0][0].hooks.exit.template: there is no template "missing" | hint: the templates are main, d, t, p',
      'error unresolved spec.templates[0].steps[0][0].hooks.failed.expression: steps.z in the expression steps.z.status == "Failed" | hint: there is no step before it',
      'error no-parameter spec.templates[0].steps[0][0].hooks.failed: template "p" needs "x" | hint: add to its arguments.parameters: {name: x, value: …}',
      'error no-parameter spec.templates[0].steps[0][0].hooks.running: template "p" needs "x" | hint: add to its arguments.parameters: {name: x, value: …}',
      'error no-template spec.templates[0].steps[0][0].onExit: there is no template "nope" | hint: the templates are main, d, t, p',
      'error missing-field spec.templates[1].dag.tasks[0].hooks.running: hook "running" has no expression | hint: add expression: workflow.status == "Running", or call the hook exit',
    ],
  ],
  [
    "loops",
    `
entrypoint: main
templates:
  - name: main
    steps:
      - - {name: a, template: t, withItems: [1, {k: v}]}
        - {name: b, template: t, withParam: "{{workflow.parameters}}"}
        - {name: c, template: t, withParam: "[1, 2]"}
        - {name: d, template: t, withSequence: {count: "{{workflow.parameters.count}}"}}
        - {name: e, template: t, withSequence: {start: 3, end: "1", format: "%02d"}}
  - {name: t, suspend: {}}
arguments: {parameters: [{name: count, value: 2}]}
`,
    `
entrypoint: main
templates:
  - name: main
    steps:
      - - {name: a, template: t, withItems: [1], withParam: "[]"}
        - {name: b, template: t, withParam: "one, two"}
        - {name: c, template: t, withSequence: {count: 1, end: 2}}
        - {name: d, template: t, withSequence: {start: 1}}
        - {name: e, template: t, withSequence: {count: many}}
  - name: d
    dag:
      tasks:
        - {name: a, template: t, withItems: [1], withSequence: {count: 1}}
        - {name: b, template: t, withParam: "{}"}
  - {name: t, suspend: {}}
`,
    [
      "error conflict spec.templates[0].steps[0][0].withParam: withItems and withParam: one of them is enough | argo: templates.main.steps[0].a only one of withItems, withParam, withSequence can be specified",
      'error bad-value spec.templates[0].steps[0][1].withParam: withParam is not a JSON list | hint: such as ["a", "b"], or "{{…}}"; a list in YAML goes into withItems',
      "error conflict spec.templates[0].steps[0][2].withSequence.end: count and end: one of them is enough | argo: templates.main.steps[0].c only one of count or end can be defined in withSequence",
      "error missing-field spec.templates[0].steps[0][3].withSequence: withSequence has no end | hint: add count: N or end: N",
      'error bad-value spec.templates[0].steps[0][4].withSequence.count: "many" is no whole number',
      "error conflict spec.templates[1].dag.tasks[0].withSequence: withItems and withSequence: one of them is enough | argo: templates.d templates.d.tasks.a only one of withItems, withParam, withSequence can be specified",
      'error bad-value spec.templates[1].dag.tasks[1].withParam: withParam is not a JSON list | hint: such as ["a", "b"], or "{{…}}"; a list in YAML goes into withItems',
    ],
  ],
  [
    "conditions",
    `
entrypoint: main
templates:
  - name: main
    steps:
      - - {name: a, template: t, when: "{{workflow.parameters.x}} == yes"}
        - {name: b, template: t, when: "\\"{{workflow.name}}\\" =~ '^a' && ({{workflow.parameters.x}} > 3 || true)"}
        - {name: c, template: t, when: "{{=workflow.name == 'a'}}"}
  - {name: t, suspend: {}}
arguments: {parameters: [{name: x, value: 2}]}
`,
    `
entrypoint: main
templates:
  - name: main
    steps:
      - - {name: a, template: t, when: "{{workflow.name}} = yes"}
        - {name: b, template: t, when: "({{workflow.name}} == yes"}
        - {name: c, template: t, when: "{{workflow.name}} =="}
        - {name: d, template: t, when: "steps.a.outputs.result == 'yes'"}
  - {name: t, suspend: {}}
`,
    [
      'error bad-expression spec.templates[0].steps[0][0].when: when cannot be read: Invalid token: \'=\' (hint: try wrapping the affected expression in quotes (")) | hint: compare as in "{{steps.a.outputs.result}}" == yes; join with && and ||',
      'error bad-expression spec.templates[0].steps[0][1].when: when cannot be read: Unbalanced parenthesis | hint: compare as in "{{steps.a.outputs.result}}" == yes; join with && and ||',
      'error bad-expression spec.templates[0].steps[0][2].when: when cannot be read: Unexpected end of expression | hint: compare as in "{{steps.a.outputs.result}}" == yes; join with && and ||',
      'error bad-expression spec.templates[0].steps[0][3].when: when has no variable steps | hint: a variable stands in braces: "{{steps…}}"; a text in quotes',
    ],
  ],
  [
    "arguments of steps",
    `
entrypoint: main
templates:
  - name: main
    steps:
      - - name: a
          template: t
          arguments: {parameters: [{name: x, valueFrom: {configMapKeyRef: {name: c, key: k}}}]}
  - {name: t, inputs: {parameters: [{name: x}]}, suspend: {}}
`,
    `
entrypoint: main
templates:
  - name: main
    steps:
      - - name: a
          template: t
          arguments: {parameters: [{name: x, valueFrom: {parameter: "{{workflow.name}}"}}, {name: x, value: 1}]}
  - {name: t, inputs: {parameters: [{name: x}]}, suspend: {}}
`,
    [
      "error duplicate-name spec.templates[0].steps[0][0].arguments.parameters[1].name: two of the parameters are called \"x\" | argo: templates.main.steps[0].a.arguments.parameters[1].name 'x' is not unique",
      'error conflict spec.templates[0].steps[0][0].arguments.parameters[0].valueFrom.parameter: an argument takes no value from parameter | hint: write value: "{{…}}" | argo: templates.main.steps[0].a.arguments.x.valueFrom only allows: default, configMapKeyRef and supplied',
      'error no-parameter spec.templates[0].steps[0][0]: template "t" needs "x" | hint: add to its arguments.parameters: {name: x, value: …} | argo: templates.main.steps[0].a templates.t inputs.parameters.x was not supplied',
    ],
  ],
  [
    "what is wrong is told for templates that nobody calls, and for each once",
    `
entrypoint: main
templates:
  - {name: main, steps: [[{name: a, template: t}, {name: b, template: t}]]}
  - {name: t, suspend: {}}
  - {name: alone, suspend: {}}
`,
    `
entrypoint: main
templates:
  - {name: main, steps: [[{name: a, template: t}, {name: b, template: t}]]}
  - {name: t, container: {}}
  - {name: alone, container: {}}
  - {name: caller, steps: [[{name: a, inline: {container: {}}}, {name: b, inline: {container: {}}}]]}
`,
    [
      "error missing-field spec.templates[1].container: image is missing | hint: add image: … | argo: templates.main.steps[0].a templates.t.container.image may not be empty",
      "error missing-field spec.templates[2].container: image is missing | hint: add image: … | argo: templates.alone templates.alone.container.image may not be empty",
      "error missing-field spec.templates[3].steps[0][0].inline.container: image is missing | hint: add image: … | argo: templates.caller templates.caller.steps[0].a templates..container.image may not be empty",
      "error missing-field spec.templates[3].steps[0][1].inline.container: image is missing | hint: add image: …",
    ],
  ],
  [
    "steps may call themselves",
    `
entrypoint: main
templates:
  - name: main
    steps: [[{name: again, template: main, when: "false"}]]
`,
    `
entrypoint: main
templates:
  - name: main
    steps: [[{name: again, template: main, when: "false"}], [{name: b, template: mains}]]
`,
    [
      'error no-template spec.templates[0].steps[1][0].template: there is no template "mains" | hint: did you mean "main"? | argo: templates.main.steps[1].b template name \'mains\' undefined',
    ],
  ],
];

test.each(rules)("%s", (_rule, right, wrong, lines) => {
  expect(linesOf(right)).toEqual([]);
  expect(linesOf(wrong)).toEqual(lines);
});
