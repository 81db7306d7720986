import { expect, test } from "vitest";
import { linesOf, type RuleCase } from "./testing/cases.js";

const rules: readonly RuleCase[] = [
  [
    "a template of a resource",
    `
entrypoint: main
templates:
  - {name: main, steps: [[{name: a, templateRef: {name: lib, template: t, clusterScope: true}}]]}
---
kind: ClusterWorkflowTemplate
metadata: {name: lib}
spec: {templates: [{name: t, suspend: {}}]}
`,
    `
entrypoint: main
templates:
  - {name: main, steps: [[{name: a, templateRef: {name: lib, template: tt, clusterScope: true}}, {name: b, templateRef: {name: lib, template: t}}]]}
---
kind: ClusterWorkflowTemplate
metadata: {name: lib}
spec: {templates: [{name: t, suspend: {}}]}
`,
    [
      'error no-template spec.templates[0].steps[0][0].templateRef: ClusterWorkflowTemplate "lib" has no template "tt" | hint: did you mean "t"? | argo: templates.main.steps[0].a template reference lib.tt not found',
      'error no-template spec.templates[0].steps[0][1].templateRef: WorkflowTemplate "lib" was not given | hint: add --with FILE, a file that defines it | argo: templates.main.steps[0].b template reference lib.t not found',
    ],
  ],
  [
    "what is wrong in a resource is told where it is referred to",
    `
entrypoint: main
templates:
  - {name: main, dag: {tasks: [{name: a, templateRef: {name: lib, template: t}}]}}
---
kind: WorkflowTemplate
metadata: {name: lib}
spec: {templateDefaults: {container: {image: i}}, templates: [{name: t, steps: [[{name: s, template: u}]]}, {name: u, container: {}}]}
`,
    `
entrypoint: main
templates:
  - {name: main, dag: {tasks: [{name: a, templateRef: {name: lib, template: t}}]}}
---
kind: WorkflowTemplate
metadata: {name: lib}
spec: {templates: [{name: t, steps: [[{name: s, template: u}, {name: r, templateRef: {name: other, template: v}}]]}, {name: u, container: {}}]}
---
kind: WorkflowTemplate
metadata: {name: other}
spec: {templates: [{name: v, inputs: {parameters: [{name: p}]}, container: {image: "{{inputs.parameters.q}}"}}]}
`,
    [
      'error missing-field spec.templates[0].dag.tasks[0].templateRef: WorkflowTemplate "lib": spec.templates[1].container: image is missing | hint: add image: … | argo: templates.main.tasks.a templates.t.steps[0].s templates.u.container.image may not be empty',
      'error unresolved spec.templates[0].dag.tasks[0].templateRef: WorkflowTemplate "other": spec.templates[0].container.image: {{inputs.parameters.q}} | hint: the template\'s inputs are p | argo: templates.main.tasks.a templates.t.steps[0].r templates.v: failed to resolve {{inputs.parameters.q}}',
      'error no-parameter spec.templates[0].dag.tasks[0].templateRef: WorkflowTemplate "lib": spec.templates[0].steps[0][1]: template "v" needs "p" | hint: add to its arguments.parameters: {name: p, value: …} | argo: templates.main.tasks.a templates.t.steps[0].r templates.v inputs.parameters.p was not supplied',
    ],
  ],
  [
    "the defaults of a cluster workflow template do not count",
    `
entrypoint: main
templates:
  - {name: main, steps: [[{name: a, templateRef: {name: lib, template: t}}]]}
---
kind: WorkflowTemplate
metadata: {name: lib}
spec: {templateDefaults: {container: {image: i}}, templates: [{name: t, container: {}}]}
`,
    `
entrypoint: main
templates:
  - {name: main, steps: [[{name: a, templateRef: {name: lib, template: t, clusterScope: true}}]]}
---
kind: ClusterWorkflowTemplate
metadata: {name: lib}
spec: {templateDefaults: {container: {image: i}}, templates: [{name: t, container: {}}]}
`,
    [
      'error missing-field spec.templates[0].steps[0][0].templateRef: ClusterWorkflowTemplate "lib": spec.templates[0].container: image is missing | hint: add image: … | argo: templates.main.steps[0].a templates.t.container.image may not be empty',
    ],
  ],
  [
    "names that come at run time",
    `
entrypoint: main
arguments: {parameters: [{name: which, value: lib}]}
templates:
  - name: main
    inputs: {parameters: [{name: t, value: t}]}
    steps:
      - - {name: a, templateRef: {name: "{{workflow.parameters.which}}", template: t}}
        - {name: b, templateRef: {name: "{{item}}", template: t}, withItems: [lib]}
        - {name: c, templateRef: {name: lib, template: "{{inputs.parameters.t}}"}}
      - - {name: d, templateRef: {name: "lib-{{steps.c.id}}", template: t}}
  - name: other
    inputs: {parameters: [{name: t}]}
    steps: [[{name: c, templateRef: {name: lib, template: "{{inputs.parameters.t}}"}}]]
---
kind: WorkflowTemplate
metadata: {name: lib}
spec: {templates: [{name: t, suspend: {}}]}
`,
    `
entrypoint: main
arguments: {parameters: [{name: which, value: lob}]}
templates:
  - name: main
    inputs: {parameters: [{name: t, value: u}]}
    steps:
      - - {name: a, templateRef: {name: "{{workflow.parameters.which}}", template: t}}
        - {name: c, templateRef: {name: lib, template: "{{inputs.parameters.t}}"}}
  - name: other
    inputs: {parameters: [{name: t}]}
    steps: [[{name: c, templateRef: {name: "{{inputs.parameters.t}}", template: t}}]]
---
kind: WorkflowTemplate
metadata: {name: lib}
spec: {templates: [{name: t, suspend: {}}]}
`,
    [
      'error no-template spec.templates[0].steps[0][0].templateRef: WorkflowTemplate "lob" was not given | hint: add --with FILE, a file that defines it | argo: templates.main.steps[0].a template reference lob.t not found',
      'error no-template spec.templates[0].steps[0][1].templateRef: WorkflowTemplate "lib" has no template "u" | hint: its templates are t | argo: templates.main.steps[0].c template reference lib.u not found',
      "error no-template spec.templates[1].steps[0][0].templateRef.name: the name of a resource cannot come from an input | hint: take it from {{item}}, or from the outputs of a step before | argo: templates.other templates.other.steps[0].c template reference {{inputs.parameters.t}}.t not found",
    ],
  ],
  [
    "a whole workflow from a resource",
    `
workflowTemplateRef: {name: lib}
arguments: {parameters: [{name: p, value: x}]}
---
kind: WorkflowTemplate
metadata: {name: lib}
spec:
  entrypoint: t
  onExit: u
  arguments: {parameters: [{name: p}, {name: q, value: z}]}
  templates: [{name: t, inputs: {parameters: [{name: p}]}, suspend: {}}, {name: u, container: {image: i, args: ["{{workflow.failures}} {{workflow.parameters.q}}"]}}]
`,
    `
workflowTemplateRef: {name: lib}
arguments: {parameters: [{name: q}]}
---
kind: WorkflowTemplate
metadata: {name: lib}
spec:
  entrypoint: t
  arguments: {parameters: [{name: p}, {name: q, enum: [a, b]}]}
  templates: [{name: t, inputs: {parameters: [{name: r}]}, suspend: {}}, {name: u, container: {args: ["{{workflow.parameters.s}}"]}}]
`,
    [
      'error no-parameter spec.arguments.parameters[0].name: "q" (a or b) has no value: add -p q=a | argo: spec.arguments.q.value or spec.arguments.q.valueFrom is required',
      'error no-parameter spec.workflowTemplateRef.name: "p" has no value: add -p p=VALUE | argo: spec.arguments.p.value or spec.arguments.p.valueFrom is required',
      'error no-parameter spec.workflowTemplateRef: "r" has no value: add -p r=VALUE | argo: templates.t inputs.parameters.r was not supplied',
      'error unresolved spec.workflowTemplateRef: WorkflowTemplate "lib": spec.templates[1].container.args[0]: {{workflow.parameters.s}} | hint: the workflow\'s parameters are q, p | argo: templates.u templates.u: failed to resolve {{workflow.parameters.s}}',
      'error missing-field spec.workflowTemplateRef: WorkflowTemplate "lib": spec.templates[1].container: image is missing | hint: add image: … | argo: templates.u templates.u.container.image may not be empty',
    ],
  ],
  [
    "with templates of its own it has none of a resource",
    `
workflowTemplateRef: {name: lib}
entrypoint: u
---
kind: WorkflowTemplate
metadata: {name: lib}
spec: {entrypoint: t, templates: [{name: t, suspend: {}}, {name: u, suspend: {}}]}
`,
    `
workflowTemplateRef: {name: lib}
entrypoint: v
templates: [{name: v, suspend: {}}]
---
kind: WorkflowTemplate
metadata: {name: lib}
spec: {entrypoint: t, templates: [{name: t, suspend: {}}, {name: u, suspend: {}}]}
`,
    [
      "error conflict spec.templates: workflowTemplateRef brings the templates: a workflow that has it has none of its own | argo: Templates is invalid field in spec if workflow referred WorkflowTemplate reference",
      'error no-template spec.entrypoint: WorkflowTemplate "lib" has no template "v" | hint: its templates are t, u | argo: template reference lib.v not found',
    ],
  ],
  [
    "the resource is there",
    `
workflowTemplateRef: {name: lib, clusterScope: true}
---
kind: ClusterWorkflowTemplate
metadata: {name: lib}
spec: {entrypoint: t, templates: [{name: t, suspend: {}}]}
`,
    `
workflowTemplateRef: {name: lib, clusterScope: true}
`,
    [
      'error no-template spec.workflowTemplateRef: ClusterWorkflowTemplate "lib" was not given | hint: add --with FILE, a file that defines it | argo: clusterworkflowtemplates.argoproj.io "lib" not found',
    ],
  ],
  [
    "resources that go in circles",
    `
entrypoint: main
templates:
  - {name: main, steps: [[{name: a, templateRef: {name: x, template: t}}]]}
---
kind: WorkflowTemplate
metadata: {name: x}
spec: {templates: [{name: t, steps: [[{name: a, templateRef: {name: z, template: t}}]]}]}
---
kind: WorkflowTemplate
metadata: {name: z}
spec: {templates: [{name: t, steps: [[{name: a, templateRef: {name: x, template: t}}]]}]}
`,
    `
entrypoint: main
templates:
  - {name: main, steps: [[{name: a, templateRef: {name: x, template: t}}]]}
---
kind: WorkflowTemplate
metadata: {name: x}
spec: {templates: [{name: t, steps: [[{name: a, templateRef: {name: z, template: t}}]]}]}
---
kind: WorkflowTemplate
metadata: {name: z}
spec: {templates: [{name: t, steps: [[{name: a, templateRef: {name: x, template: u}}]]}]}
`,
    [
      'error no-template spec.templates[0].steps[0][0].templateRef: WorkflowTemplate "z": spec.templates[0].steps[0][0].templateRef: WorkflowTemplate "x" has no template "u" | hint: its templates are t | argo: templates.main.steps[0].a templates.t.steps[0].a templates.t.steps[0].a template reference x.u not found',
    ],
  ],
  [
    "a template resource needs no entrypoint and no values",
    `
kind: WorkflowTemplate
metadata: {name: lib}
spec:
  arguments: {parameters: [{name: p}]}
  templates: [{name: t, inputs: {parameters: [{name: q}]}, container: {image: "{{workflow.parameters.other}}", args: ["{{inputs.parameters.q}}"]}}]
`,
    `
kind: WorkflowTemplate
metadata: {name: lib}
spec:
  entrypoint: u
  arguments: {parameters: [{name: p, enum: []}]}
  templates: [{name: t, container: {image: "{{workflow.nope}}"}}]
`,
    [
      'error invalid spec.arguments.parameters[0].enum: the choices for "p" are empty | argo: spec.arguments.p.enum should contain at least one value',
      "error no-template spec.entrypoint: there is no template \"u\" | hint: the templates are t | argo: template name 'u' undefined",
      'error unresolved spec.templates[0].container.image: {{workflow.nope}} | hint: did you mean "name"? | argo: templates.t templates.t: failed to resolve {{workflow.nope}}',
    ],
  ],
  [
    "a cron workflow is complete",
    `
kind: CronWorkflow
metadata: {name: nightly}
spec:
  schedules: ["0 3 * * *"]
  workflowSpec: {entrypoint: t, arguments: {parameters: [{name: p, value: x}]}, templates: [{name: t, suspend: {}}]}
`,
    `
kind: CronWorkflow
metadata: {name: nightly}
spec:
  startingDeadlineSeconds: -1
  workflowSpec: {entrypoint: u, arguments: {parameters: [{name: p}]}, templates: [{name: t, suspend: {}}]}
`,
    [
      'error missing-field spec.schedules: the cron workflow has no schedule | hint: add schedules: ["0 3 * * *"] | argo: cron workflow must have at least one schedule',
      'error no-parameter spec.workflowSpec.arguments.parameters[0].name: "p" has no value: add -p p=VALUE | argo: cannot validate Workflow: spec.arguments.p.value or spec.arguments.p.valueFrom is required',
      "error no-template spec.workflowSpec.entrypoint: there is no template \"u\" | hint: the templates are t | argo: cannot validate Workflow: template name 'u' undefined",
    ],
  ],
  [
    "each schedule of a cron workflow can be read",
    `
kind: CronWorkflow
metadata: {name: nightly}
spec: {schedules: ["@daily", "0 3 * * sun"], workflowSpec: {entrypoint: t, templates: [{name: t, suspend: {}}]}}
`,
    `
kind: CronWorkflow
metadata: {name: nightly}
spec: {schedules: ["@daily", "0 25 * * *"], workflowSpec: {entrypoint: t, templates: [{name: t, suspend: {}}]}}
`,
    [
      'error bad-value spec.schedules[1]: hour "25": expected 0 to 23, *, a range such as 0-23 or a step such as */2 | hint: for example "0 3 * * *": every day at 3 | argo: cron schedule 0 25 * * * is malformed: end of range (25) above maximum (23): 25',
    ],
  ],
  [
    "garbage collection of pods",
    `
entrypoint: t
podGC: {strategy: OnPodSuccess, deleteDelayDuration: 30s, labelSelector: {matchExpressions: [{key: k, operator: Exists}]}}
templates: [{name: t, suspend: {}}]
`,
    `
entrypoint: t
podGC: {strategy: "{{x}}", deleteDelayDuration: later, labelSelector: {matchExpressions: [{key: k, operator: "{{x}}"}]}}
templates: [{name: t, suspend: {}}]
`,
    [
      "error bad-value spec.podGC.strategy: \"{{x}}\" is none of OnPodCompletion, OnPodSuccess, OnWorkflowCompletion, OnWorkflowSuccess | argo: podGC.strategy unknown strategy '{{x}}'",
      'error bad-value spec.podGC.labelSelector: "{{x}}" is none of In, NotIn, Exists, DoesNotExist | argo: podGC.labelSelector invalid: "{{x}}" is not a valid label selector operator',
      'error bad-value spec.podGC.deleteDelayDuration: "later" is no duration | hint: write such as 30s, 5m, 1h30m',
    ],
  ],
  [
    "variables in the rest of the spec",
    `
entrypoint: t
arguments: {parameters: [{name: claim, value: x}]}
hooks: {exit: {template: u, arguments: {parameters: [{name: p, value: "{{workflow.status}} {{workflow.failures}} {{= workflow.status }}"}]}}}
volumes: [{name: v, persistentVolumeClaim: {claimName: "{{workflow.parameters.claim}}"}}]
templates: [{name: t, suspend: {}}, {name: u, inputs: {parameters: [{name: p}]}, suspend: {}}]
`,
    `
entrypoint: t
arguments: {parameters: [{name: claim, value: x}]}
hooks: {exit: {template: u}, a: {template: u, expression: "true", arguments: {parameters: [{name: p, value: "{{workflow.stat}}"}, {name: q, value: x}]}}}
volumes: [{name: v, persistentVolumeClaim: {claimName: "{{workflow.parameters.clam}}"}}]
templates: [{name: t, suspend: {}}, {name: u, inputs: {parameters: [{name: p}]}, suspend: {}}]
`,
    [
      'error unresolved spec.hooks.a.arguments.parameters[0].value: {{workflow.stat}} | hint: did you mean "status"?',
      'error unresolved spec.volumes[0].persistentVolumeClaim.claimName: {{workflow.parameters.clam}} | hint: did you mean "claim"?',
      'warning unused spec.hooks.a.arguments.parameters[1].name: template "u" does not take "q" | hint: its inputs are p',
      'error no-parameter spec.hooks.exit: template "u" needs "p" | hint: add to its arguments.parameters: {name: p, value: …}',
    ],
  ],
  [
    "the exit hook of a workflow gets its arguments",
    `
entrypoint: t
arguments: {parameters: [{name: p, value: x}]}
hooks: {exit: {template: u}}
templates: [{name: t, suspend: {}}, {name: u, inputs: {parameters: [{name: p}]}, suspend: {}}]
`,
    `
entrypoint: t
arguments: {parameters: [{name: p, value: x}]}
hooks: {exit: {template: u}}
templates: [{name: t, steps: [[{name: a, template: u, hooks: {exit: {template: u}}, arguments: {parameters: [{name: p, value: x}]}}]]}, {name: u, inputs: {parameters: [{name: p}]}, suspend: {}}]
`,
    [
      'error no-parameter spec.templates[0].steps[0][0].hooks.exit: template "u" needs "p" | hint: add to its arguments.parameters: {name: p, value: …}',
    ],
  ],
];

test.each(rules)("%s", (_rule, right, wrong, lines) => {
  expect(linesOf(right)).toEqual([]);
  expect(linesOf(wrong)).toEqual(lines);
});
