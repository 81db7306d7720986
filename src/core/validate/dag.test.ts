import { expect, test } from "vitest";
import { linesOf, type RuleCase } from "./testing/cases.js";

const rules: readonly RuleCase[] = [
  [
    "there is a task",
    `
entrypoint: d
templates:
  - {name: d, dag: {tasks: [{name: a, template: t}]}}
  - {name: t, suspend: {}}
`,
    `
entrypoint: d
templates:
  - {name: d, dag: {tasks: []}}
`,
    [
      "error missing-field spec.templates[0].dag.tasks: there is no task | argo: templates.d must have at least one task",
    ],
  ],
  [
    "dependencies are there",
    `
entrypoint: d
templates:
  - {name: d, dag: {tasks: [{name: b, template: t, dependencies: [a]}, {name: a, template: t}]}}
  - {name: e, dag: {tasks: [{name: b, template: t, depends: "a || (a-2.Failed && !a.Daemoned)"}, {name: a, template: t}, {name: a-2, template: t}]}}
  - {name: t, suspend: {}}
`,
    `
entrypoint: d
templates:
  - {name: d, dag: {tasks: [{name: first, template: t}, {name: b, template: t, dependencies: [first, fist]}]}}
  - {name: e, dag: {tasks: [{name: b, template: t, depends: "a.Succeeded && true"}]}}
  - {name: t, suspend: {}}
`,
    [
      'error no-template spec.templates[0].dag.tasks[1].dependencies[1]: there is no task "fist" | hint: did you mean "first"? | argo: templates.d sorting failed: invalid dependency fist',
      'error no-template spec.templates[1].dag.tasks[0].depends: there is no task "a" | hint: the tasks are b | argo: templates.e templates.e sorting failed: invalid dependency a',
      'error no-template spec.templates[1].dag.tasks[0].depends: there is no task "true" | hint: the tasks are b | argo: templates.e templates.e sorting failed: invalid dependency true',
    ],
  ],
  [
    "no circle",
    `
entrypoint: d
templates:
  - {name: d, dag: {tasks: [{name: a, template: t}, {name: b, template: t, dependencies: [a]}, {name: c, template: t, dependencies: [a, b]}]}}
  - {name: t, suspend: {}}
`,
    `
entrypoint: d
templates:
  - {name: d, dag: {tasks: [{name: a, template: t, dependencies: [c]}, {name: b, template: t, dependencies: [a]}, {name: c, template: t, dependencies: [b]}, {name: z, template: t, dependencies: [c]}]}}
  - {name: e, dag: {tasks: [{name: a, template: t, depends: a.Failed}]}}
  - {name: t, suspend: {}}
`,
    [
      "error cycle spec.templates[0].dag.tasks[0]: tasks wait for one another: a -> c -> b -> a | argo: templates.d sorting failed: graph with cycle",
      "error cycle spec.templates[1].dag.tasks[0]: tasks wait for one another: a -> a | argo: templates.e templates.e sorting failed: graph with cycle",
    ],
  ],
  [
    "depends or dependencies",
    `
entrypoint: d
templates:
  - {name: d, dag: {tasks: [{name: a, template: t, continueOn: {failed: true}}, {name: b, template: t, dependencies: [a]}]}}
  - {name: t, suspend: {}}
`,
    `
entrypoint: d
templates:
  - {name: d, dag: {tasks: [{name: a, template: t, continueOn: {failed: true}}, {name: b, template: t, dependencies: [a]}, {name: c, template: t, depends: b}]}}
  - {name: t, suspend: {}}
`,
    [
      "error conflict spec.templates[0].dag.tasks[0].continueOn: continueOn has no place in a DAG that uses depends | hint: write in the tasks after it: depends: \"a || a.Failed\" | argo: templates.d cannot use 'continueOn' when using 'depends'. Instead use 'dep-task.Failed'/'dep-task.Errored'",
      "error conflict spec.templates[0].dag.tasks[1].dependencies: dependencies here, depends in other tasks of this DAG: use one throughout | hint: write depends: a | argo: templates.d cannot use both 'depends' and 'dependencies' in the same DAG template",
    ],
  ],
  [
    "results in depends",
    `
entrypoint: d
templates:
  - {name: d, dag: {tasks: [{name: a, template: t, withItems: [1]}, {name: b, template: t, depends: "a.AnySucceeded && !a.AllFailed"}]}}
  - {name: t, suspend: {}}
`,
    `
entrypoint: d
templates:
  - {name: d, dag: {tasks: [{name: a, template: t}, {name: b, template: t, depends: "a.AnySucceeded"}, {name: c, template: t, depends: "a.Done"}, {name: g, template: t, depends: "a.Succeded"}, {name: e, template: t, depends: "a b"}, {name: f, template: t, depends: "(a"}]}}
  - {name: t, suspend: {}}
`,
    [
      "error invalid spec.templates[0].dag.tasks[1].depends: a is no loop: AnySucceeded and AllFailed are asked of loops | hint: write a.Succeeded or a.Failed | argo: templates.d.tasks.a dependency 'a' uses an items-based condition such as .AnySucceeded or .AllFailed but does not contain any items",
      "error bad-expression spec.templates[0].dag.tasks[2].depends: task result 'Done' for task 'a' is invalid | hint: results are Succeeded, Failed, Errored, Skipped, Omitted, Daemoned, AnySucceeded, AllFailed | argo: templates.d.tasks.c task result 'Done' for task 'a' is invalid",
      "error bad-expression spec.templates[0].dag.tasks[3].depends: task result 'Succeded' for task 'a' is invalid | hint: did you mean \"Succeeded\"? | argo: templates.d.tasks.g task result 'Succeded' for task 'a' is invalid",
      "error bad-expression spec.templates[0].dag.tasks[5].depends: depends cannot be read: unexpected token EOF | hint: join task names with &&, || and !",
      'error bad-expression spec.templates[0].dag.tasks[4].depends: depends cannot be read: unexpected token Bracket("(") | hint: join task names with &&, || and !',
    ],
  ],
  [
    "target",
    `
entrypoint: d
arguments: {parameters: [{name: t, value: a}]}
templates:
  - {name: d, dag: {target: "a b {{workflow.parameters.t}}", tasks: [{name: a, template: t}, {name: b, template: t}]}}
  - {name: t, suspend: {}}
`,
    `
entrypoint: d
templates:
  - {name: d, dag: {target: "alpha  zz {{workflow.parameters.t}}", tasks: [{name: alfa, template: t}, {name: b, template: t}]}}
  - {name: t, suspend: {}}
`,
    [
      "error unresolved spec.templates[0].dag.target: {{workflow.parameters.t}} | hint: the workflow has no parameters: add t to spec.arguments.parameters | argo: templates.d.targets failed to resolve {{workflow.parameters.t}}",
      'error no-template spec.templates[0].dag.target: there is no task "alpha" | hint: did you mean "alfa"? | argo: templates.d.targets: target \'alpha\' is not defined',
      "error no-template spec.templates[0].dag.target: there is a space too many | hint: names are separated by one space each | argo: templates.d.targets: target '' is not defined",
      "error no-template spec.templates[0].dag.target: there is no task \"zz\" | hint: names are separated by one space each | argo: templates.d.targets: target 'zz' is not defined",
    ],
  ],
  [
    "an argument waits for what it names",
    `
entrypoint: d
templates:
  - name: d
    dag:
      tasks:
        - {name: a, template: t}
        - {name: b, template: t, dependencies: [a]}
        - {name: c, template: u, dependencies: [b], arguments: {parameters: [{name: p, value: "{{tasks.a.outputs.parameters.o}}"}], artifacts: [{name: f, from: "{{tasks.b.outputs.artifacts.g}}"}]}}
  - {name: t, outputs: {parameters: [{name: o, valueFrom: {path: /o}}], artifacts: [{name: g, path: /g}]}, container: {image: i}}
  - {name: u, inputs: {parameters: [{name: p}], artifacts: [{name: f, path: /f}]}, container: {image: i}}
`,
    `
entrypoint: d
templates:
  - name: d
    dag:
      tasks:
        - {name: a, template: t}
        - {name: b, template: t}
        - {name: c, template: u, dependencies: [b], arguments: {parameters: [{name: p, value: "{{tasks.a.outputs.parameters.o}}"}], artifacts: [{name: f, from: "{{tasks.a.outputs.artifacts.g}}"}]}}
        - {name: e, template: u, dependencies: [b], when: "{{tasks.a.outputs.result}} == 1", arguments: {parameters: [{name: p, value: "x-{{tasks.a.outputs.parameters.o}}"}], artifacts: [{name: f, raw: {data: x}}]}}
  - {name: t, outputs: {parameters: [{name: o, valueFrom: {path: /o}}], artifacts: [{name: g, path: /g}]}, container: {image: i}}
  - {name: u, inputs: {parameters: [{name: p}], artifacts: [{name: f, path: /f}]}, container: {image: i}}
`,
    [
      "error unresolved spec.templates[0].dag.tasks[2].arguments.parameters[0].value: {{tasks.a.outputs.parameters.o}} | hint: add a to the dependencies of c | argo: templates.d.tasks.c missing dependency 'a' for parameter 'p'",
      "error unresolved spec.templates[0].dag.tasks[2].arguments.artifacts[0].from: {{tasks.a.outputs.artifacts.g}} | hint: add a to the dependencies of c | argo: templates.d.tasks.c missing dependency 'a' for artifact 'f'",
      "error unresolved spec.templates[0].dag.tasks[3].arguments.parameters[0].value: {{tasks.a.outputs.parameters.o}} | hint: add a to the dependencies of e",
      "error unresolved spec.templates[0].dag.tasks[3].when: {{tasks.a.outputs.result}} | hint: add a to the dependencies of e",
    ],
  ],
  [
    "status is of tasks before",
    `
entrypoint: d
templates:
  - name: d
    dag:
      tasks:
        - {name: a, template: t, hooks: {exit: {template: u, arguments: {parameters: [{name: p, value: "{{tasks.a.status}}"}]}}}}
        - {name: b, template: u, depends: a, arguments: {parameters: [{name: p, value: "{{tasks.a.status}}"}]}}
        - {name: c, template: u, depends: b, arguments: {parameters: [{name: p, value: "{{tasks.b.status}} {{tasks.a.status}}"}]}}
  - {name: t, container: {image: i}}
  - {name: u, inputs: {parameters: [{name: p}]}, container: {image: i}}
`,
    `
entrypoint: d
templates:
  - name: d
    dag:
      tasks:
        - {name: a, template: t}
        - {name: b, template: u, arguments: {parameters: [{name: p, value: "{{tasks.a.status}}"}]}}
    outputs: {parameters: [{name: s, valueFrom: {parameter: "{{tasks.a.status}}"}}]}
  - {name: t, container: {image: i}}
  - {name: u, inputs: {parameters: [{name: p}]}, container: {image: i}}
`,
    [
      "error unresolved spec.templates[0].dag.tasks[1].arguments.parameters[0].value: {{tasks.a.status}} | hint: add a to the task's dependencies: its status is not known before it ends | argo: templates.d.tasks.b failed to resolve {{tasks.a.status}}",
      "error unresolved spec.templates[0].outputs.parameters[0].valueFrom.parameter: {{tasks.a.status}} | hint: outputs take a status by expression only | argo: templates.d.outputs failed to resolve {{tasks.a.status}}",
    ],
  ],
];

test.each(rules)("%s", (_rule, right, wrong, lines) => {
  expect(linesOf(right)).toEqual([]);
  expect(linesOf(wrong)).toEqual(lines);
});
