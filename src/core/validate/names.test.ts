import { expect, test } from "vitest";
import { linesOf, type RuleCase } from "./testing/cases.js";

const rules: readonly RuleCase[] = [
  [
    "templates have names of their own",
    `
entrypoint: a
templates:
  - {name: a, suspend: {}}
  - {name: 1-b, suspend: {}}
`,
    `
entrypoint: a
templates:
  - {name: a, suspend: {}}
  - {name: a, suspend: {}}
  - {suspend: {}}
  - {name: b_c, suspend: {}}
`,
    [
      "error duplicate-name spec.templates[1].name: two of the templates are called \"a\" | argo: spec.templates[1].name 'a' is not unique",
      "error bad-name spec.templates[2]: a template without a name | argo: spec.templates[2].name is required",
      "error bad-name spec.templates[3].name: \"b_c\" cannot be the name of a template | hint: use letters, digits and \"-\", a letter or digit first, at most 128 | argo: spec.templates[3].name: 'b_c' is invalid: name must consist of alpha-numeric characters or '-', and must start with an alpha-numeric character (e.g. My-name1-2, 123-NAME)",
    ],
  ],
  [
    "a name is not too long",
    `
entrypoint: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
templates:
  - {name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, suspend: {}}
`,
    `
entrypoint: a
templates:
  - {name: a, suspend: {}}
  - {name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, suspend: {}}
`,
    [
      'error bad-name spec.templates[1].name: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" cannot be the name of a template | hint: use letters, digits and "-", a letter or digit first, at most 128 | argo: spec.templates[1].name: \'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\' is invalid: must be no more than 128 characters',
    ],
  ],
  [
    "parameters and artifacts of the workflow",
    `
entrypoint: a
arguments:
  parameters: [{name: snake_case, value: x}, {name: KEBAB-case, value: x}]
  artifacts: [{name: a_1, raw: {data: x}}]
templates:
  - {name: a, suspend: {}}
`,
    `
entrypoint: a
arguments:
  parameters: [{name: a.b, value: x}, {name: p, value: x}, {name: p, value: y}, {name: "", value: x}]
  artifacts: [{name: "a b", raw: {data: x}}]
templates:
  - {name: a, suspend: {}}
`,
    [
      "error bad-name spec.arguments.parameters[0].name: \"a.b\" cannot be the name of a parameter | hint: use letters, digits, \"-\" and \"_\" | argo: spec.arguments.parameters[0].name: 'a.b' is invalid: Parameter/Artifact name must consist of alpha-numeric characters, '_' or '-' e.g. my_param_1, MY-PARAM-1",
      "error duplicate-name spec.arguments.parameters[2].name: two of the parameters are called \"p\" | argo: spec.arguments.parameters[2].name 'p' is not unique",
      "error bad-name spec.arguments.parameters[3]: a parameter without a name | argo: spec.arguments.parameters[3].name is required",
      "error bad-name spec.arguments.artifacts[0].name: \"a b\" cannot be the name of an artifact | hint: use letters, digits, \"-\" and \"_\" | argo: spec.arguments.artifacts[0].name: 'a b' is invalid: Parameter/Artifact name must consist of alpha-numeric characters, '_' or '-' e.g. my_param_1, MY-PARAM-1",
    ],
  ],
  [
    "inputs",
    `
entrypoint: a
templates:
  - name: a
    inputs: {parameters: [{name: p, value: x}], artifacts: [{name: f, path: /f, raw: {data: x}}]}
    container: {image: a}
`,
    `
entrypoint: a
templates:
  - name: a
    inputs: {parameters: [{name: p, value: x}, {name: p, value: x}, {name: "p q", value: x}], artifacts: [{name: f.g, path: /f, raw: {data: x}}]}
    container: {image: a}
`,
    [
      "error duplicate-name spec.templates[0].inputs.parameters[1].name: two of the parameters are called \"p\" | argo: templates.a.inputs.parameters[1].name 'p' is not unique",
      "error bad-name spec.templates[0].inputs.parameters[2].name: \"p q\" cannot be the name of a parameter | hint: use letters, digits, \"-\" and \"_\" | argo: templates.a.inputs.parameters[2].name: 'p q' is invalid: Parameter/Artifact name must consist of alpha-numeric characters, '_' or '-' e.g. my_param_1, MY-PARAM-1",
      "error bad-name spec.templates[0].inputs.artifacts[0].name: \"f.g\" cannot be the name of an artifact | hint: use letters, digits, \"-\" and \"_\" | argo: templates.a.inputs.artifacts[0].name: 'f.g' is invalid: Parameter/Artifact name must consist of alpha-numeric characters, '_' or '-' e.g. my_param_1, MY-PARAM-1",
    ],
  ],
  [
    "outputs",
    `
entrypoint: a
templates:
  - name: a
    outputs: {parameters: [{name: p, valueFrom: {path: /p}}], artifacts: [{name: f, path: /f}]}
    container: {image: a}
`,
    `
entrypoint: a
templates:
  - name: a
    outputs: {parameters: [{name: p, valueFrom: {path: /p}}, {name: p, valueFrom: {path: /q}}], artifacts: [{name: f.g, path: /f}]}
    container: {image: a}
`,
    [
      "error duplicate-name spec.templates[0].outputs.parameters[1].name: two of the parameters are called \"p\" | argo: templates.a.outputs.parameters [1].name 'p' is not unique",
      "error bad-name spec.templates[0].outputs.artifacts[0].name: \"f.g\" cannot be the name of an artifact | hint: use letters, digits, \"-\" and \"_\" | argo: templates.a.outputs.artifacts [0].name: 'f.g' is invalid: Parameter/Artifact name must consist of alpha-numeric characters, '_' or '-' e.g. my_param_1, MY-PARAM-1",
    ],
  ],
  [
    "steps of all groups have names of their own",
    `
entrypoint: a
templates:
  - {name: b, suspend: {}}
  - name: a
    inputs: {parameters: [{name: d, value: x}]}
    steps:
      - - {name: one, template: b}
      - - {name: 2-two, template: b}
      - - {name: "run-{{inputs.parameters.d}}", template: b}
`,
    `
entrypoint: a
templates:
  - {name: b, suspend: {}}
  - name: a
    inputs: {parameters: [{name: d, value: x}]}
    steps:
      - - {name: one, template: b}
        - {template: b}
      - - {name: one, template: b}
        - {name: a_b, template: b}
        - {name: "run_{{inputs.parameters.d}}", template: b}
`,
    [
      "error bad-name spec.templates[1].steps[0][1]: a step without a name | argo: templates.a.steps[0].name is required",
      "error duplicate-name spec.templates[1].steps[1][0].name: two of the steps are called \"one\" | hint: names are for all groups of a template | argo: templates.a.steps[1].name 'one' is not unique",
      "error bad-name spec.templates[1].steps[1][1].name: \"a_b\" cannot be the name of a step | hint: use letters, digits and \"-\", a letter or digit first, at most 128 | argo: templates.a.steps[1].name 'a_b' is invalid: name must consist of alpha-numeric characters or '-', and must start with an alpha-numeric character (e.g. My-name1-2, 123-NAME)",
      "error bad-name spec.templates[1].steps[1][2].name: \"run_{{inputs.parameters.d}}\" cannot be the name of a step | hint: use letters, digits and \"-\", a letter or digit first, at most 128 | argo: templates.a.steps[1].name 'run_{{inputs.parameters.d}}' is invalid: name must consist of alpha-numeric characters or '-', and must start with an alpha-numeric character (e.g. My-name1-2, 123-NAME)",
    ],
  ],
  [
    "tasks",
    `
entrypoint: a
templates:
  - {name: b, suspend: {}}
  - name: a
    dag:
      tasks:
        - {name: one, template: b}
        - {name: 2-two, template: b}
`,
    `
entrypoint: a
templates:
  - {name: b, suspend: {}}
  - name: a
    dag:
      tasks:
        - {name: one, template: b}
        - {name: one, template: b}
        - {name: "", template: b}
        - {name: a_b, template: b}
`,
    [
      'error duplicate-name spec.templates[1].dag.tasks[1].name: two of the tasks are called "one" | argo: templates.a sorting failed: duplicated nodeName one',
      "error bad-name spec.templates[1].dag.tasks[2]: a task without a name | argo: templates.a.tasks[2].name is required",
      "error bad-name spec.templates[1].dag.tasks[3].name: \"a_b\" cannot be the name of a task | hint: use letters, digits and \"-\", a letter or digit first, at most 128 | argo: templates.a.tasks[3].name: 'a_b' is invalid: name must consist of alpha-numeric characters or '-', and must start with an alpha-numeric character (e.g. My-name1-2, 123-NAME)",
    ],
  ],
  [
    "a task that waits does not begin with a digit",
    `
entrypoint: a
templates:
  - {name: b, suspend: {}}
  - name: a
    dag:
      tasks:
        - {name: 1-a, template: b}
        - {name: two, template: b, dependencies: [1-a]}
`,
    `
entrypoint: a
templates:
  - {name: b, suspend: {}}
  - name: a
    dag:
      tasks:
        - {name: one, template: b}
        - {name: 2-two, template: b, dependencies: [one]}
`,
    [
      "error bad-name spec.templates[1].dag.tasks[1].name: the name of a task that waits cannot begin with a digit | argo: templates.a.tasks.2-two name cannot begin with a digit when using either 'depends' or 'dependencies'",
    ],
  ],
  [
    "global names",
    `
entrypoint: a
arguments: {parameters: [{name: p, value: x}]}
templates:
  - name: a
    outputs: {parameters: [{name: p, globalName: "a-{{workflow.parameters.p}}", valueFrom: {path: /p}}], artifacts: [{name: f, globalName: g_1, path: /f}]}
    container: {image: a}
`,
    `
entrypoint: a
templates:
  - name: a
    outputs: {parameters: [{name: p, globalName: "a b", valueFrom: {path: /p}}], artifacts: [{name: f, globalName: g.1, path: /f}]}
    container: {image: a}
`,
    [
      'error bad-name spec.templates[0].outputs.artifacts[0].globalName: "g.1" cannot be a global name | hint: use letters, digits, "-" and "_" | argo: templates.a.outputs.artifacts.f.globalName: Parameter/Artifact name must consist of alpha-numeric characters, \'_\' or \'-\' e.g. my_param_1, MY-PARAM-1',
      'error bad-name spec.templates[0].outputs.parameters[0].globalName: "a b" cannot be a global name | hint: use letters, digits, "-" and "_" | argo: templates.a.outputs.parameters.p.globalName: Parameter/Artifact name must consist of alpha-numeric characters, \'_\' or \'-\' e.g. my_param_1, MY-PARAM-1',
    ],
  ],
  [
    "the workflow itself",
    `
kind: Workflow
metadata: {name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}
spec: {entrypoint: a, templates: [{name: a, suspend: {}}]}
`,
    `
kind: Workflow
metadata: {name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}
spec: {entrypoint: a, templates: [{name: a, suspend: {}}]}
`,
    [
      'error bad-name metadata.name: the name has 64 characters, 63 is the most | argo: workflow name "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" must not be more than 63 characters long (currently 64)',
    ],
  ],
  [
    "a workflow template",
    `
kind: WorkflowTemplate
metadata: {name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}
spec: {templates: [{name: a, suspend: {}}]}
`,
    `
kind: WorkflowTemplate
metadata: {name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}
spec: {templates: [{name: a, suspend: {}}]}
`,
    [
      'error bad-name metadata.name: the name has 64 characters, 63 is the most | argo: workflow template name "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" must not be more than 63 characters long (currently 64)',
    ],
  ],
  [
    "a cluster workflow template",
    `
kind: ClusterWorkflowTemplate
metadata: {name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}
spec: {templates: [{name: a, suspend: {}}]}
`,
    `
kind: ClusterWorkflowTemplate
metadata: {name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}
spec: {templates: [{name: a, suspend: {}}]}
`,
    [
      'error bad-name metadata.name: the name has 64 characters, 63 is the most | argo: cluster workflow template name "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" must not be more than 63 characters long (currently 64)',
    ],
  ],
  [
    "a cron workflow leaves room for the time",
    `
kind: CronWorkflow
metadata: {name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}
spec: {schedules: ["0 3 * * *"], workflowSpec: {entrypoint: a, templates: [{name: a, suspend: {}}]}}
`,
    `
kind: CronWorkflow
metadata: {name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}
spec: {schedules: ["0 3 * * *"], workflowSpec: {entrypoint: a, templates: [{name: a, suspend: {}}]}}
`,
    [
      'error bad-name metadata.name: the name has 53 characters, 52 is the most | argo: cron workflow name "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" must not be more than 52 characters long (currently 53)',
    ],
  ],
];

test.each(rules)("%s", (_rule, right, wrong, lines) => {
  expect(linesOf(right)).toEqual([]);
  expect(linesOf(wrong)).toEqual(lines);
});
