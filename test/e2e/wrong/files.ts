/** Files as people get them wrong: each name says how. */

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const head = "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {generateName: ci-}\nspec:\n";
const echo = "container: {image: busybox, command: [echo, hi]}";
const right = `  entrypoint: main\n  templates: [{name: main, ${echo}}]\n`;

const texts: Readonly<Record<string, string>> = {
  "not-yaml.yaml": `${head}  entrypoint: main
  templates:
  - name: main
    container: {image: busybox, command: [echo, "never closed]}
`,
  "bracket.yaml": `${head}  entrypoint: main
  templates:
  - name: main
    container: {image: busybox, command: [echo, hi}
  - name: other
    ${echo}
`,
  "tab.yaml": `${head}  entrypoint: main\n  templates:\n\t- name: main\n`,
  "indent.yaml": `${head}  entrypoint: main
  templates:
  - name: main
    container:
      image: busybox
     command: [echo, hi]
`,
  "brace.yaml": `${head}  entrypoint: main
  templates:
  - name: main
    inputs: {parameters: [{name: image, value: busybox}]}
    container:
      image: {{inputs.parameters.image}}
      command: [echo, hi]
`,
  "helm.yaml": `${head}  entrypoint: main
  templates:
  - name: main
    container:
      image: {{ .Values.image }}
      command: [echo, {{ .Values.greeting | quote }}]
`,
  "broken.json": '{"apiVersion": "argoproj.io/v1alpha1", "kind": "Workflow", "spec": {"entrypoint": "main",, }}\n',
  "duplicate-key.yaml": `${head}  entrypoint: main
  templates:
  - name: main
    container:
      image: busybox
      command: [echo, hi]
      image: alpine
`,
  // Faults of reading, of meaning and of YAML, in three documents: what only follows from another is not told.
  "several.yaml": `${head}  entrypoint: mian
  templates:
  - name: main
    steps:
    - - name: one
        template: wrok
        when: "{{inputs.parameters.x}} == yes"
      - name: two
        template: work
        arguments: {parameters: [{name: q, value: "{{=foo(}}"}]}
  - name: work
    inputs: {parameters: [{name: q}]}
    container:
      image: alpine
      comand: [echo]
      args: hello
  - name: unused
    contaner: {image: alpine}
---
${head}  entrypoint: {{x}}
---
apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: {name: lib}
spec:
  templates:
  - name: t
    container: {image: alpine, comand: [x], resources: {limits: {cpu: lots}}}
    timeout: soon
`,
  "cron.yaml": `apiVersion: argoproj.io/v1alpha1
kind: CronWorkflow
metadata: {name: nightly}
spec:
  schedules: ["61 3 * * *"]
  concurencyPolicy: Allow
  workflowSpec:
    entrypoint: mian
    templates:
    - name: main
      container: {image: alpine, command: [echo], imagePullPolice: Always}
`,
  "empty.yaml": "",
  "comment.yaml": "# to be written\n---\n",
  "scalar.yaml": "hello\n",
  "list.yaml": "- entrypoint: main\n",
  "compose.yaml": "services:\n  web:\n    image: nginx\n",
  "github.yaml": "name: CI\non: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps: [{run: npm test}]\n",
  "deployment.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2}\n",
  "kind-typo.yaml": `${head.replace("Workflow", "Worflow")}${right}`,
  "api-version.yaml": `${head.replace("v1alpha1", "v1")}${right}`,
  "name.yaml": `${head.replace("generateName: ci-", "name: My_Pipeline")}  entrypoint: main
  templates:
  - name: main
    ${echo}
`,
  "unknown-field.yaml": `${head}  entrypoint: main
  templats:
  - name: main
    ${echo}
`,
  "wrong-type.yaml": `${head}  entrypoint: main
  parallelism: many
  templates:
  - name: main
    container:
      image: busybox
      command: echo
      env: {PATH: /bin}
`,
  "no-entrypoint.yaml": `${head}  templates:
  - name: main
    ${echo}
`,
  "entrypoint-typo.yaml": `${head}  entrypoint: mian
  templates:
  - name: main
    ${echo}
`,
  "missing-template.yaml": `${head}  entrypoint: main
  templates:
  - name: main
    steps:
    - - name: build
        template: biuld
  - name: build
    ${echo}
`,
  "two-kinds.yaml": `${head}  entrypoint: main
  templates:
  - name: main
    ${echo}
    script: {image: busybox, command: [sh], source: echo}
  - name: none
`,
  "cycle.yaml": `${head}  entrypoint: main
  templates:
  - name: main
    dag:
      tasks:
      - {name: a, template: t, dependencies: [c]}
      - {name: b, template: t, dependencies: [a]}
      - {name: c, template: t, dependencies: [b]}
  - name: t
    ${echo}
`,
  "depends.yaml": `${head}  entrypoint: main
  templates:
  - name: main
    dag:
      tasks:
      - {name: test, template: t}
      - {name: deploy, template: t, depends: "tset && test.Suceeded"}
      - {name: clean, template: t, depends: "test &&"}
  - name: t
    ${echo}
`,
  "duplicate-step.yaml": `${head}  entrypoint: main
  templates:
  - name: main
    steps:
    - - {name: a, template: t}
    - - {name: a, template: t}
  - name: t
    ${echo}
`,
  "duplicate-template.yaml": `${head}  entrypoint: t
  templates:
  - name: t
    ${echo}
  - name: t
    ${echo}
`,
  "bad-expression.yaml": `${head}  entrypoint: main
  templates:
  - name: main
    steps:
    - - name: a
        template: t
        when: "{{workflow.name}} == "
    - - name: b
        template: t
        arguments:
          parameters:
          - {name: p, value: "{{=1 + }}"}
  - name: t
    inputs: {parameters: [{name: p, default: x}]}
    ${echo}
`,
  "unresolved-task.yaml": `${head}  entrypoint: main
  templates:
  - name: main
    dag:
      tasks:
      - {name: checkout, template: checkout}
      - name: build
        template: build
        dependencies: [checkout]
        arguments:
          parameters:
          - name: sha
            value: "{{steps.checkout.outputs.parameters.sha}}"
  - name: checkout
    ${echo}
    outputs:
      parameters:
      - {name: commit, valueFrom: {path: /tmp/commit}}
      - {name: branch, valueFrom: {path: /tmp/branch}}
  - name: build
    inputs: {parameters: [{name: sha}]}
    container: {image: busybox, command: [echo, "{{inputs.parameters.sha}}"]}
`,
  "unresolved-input.yaml": `${head}  entrypoint: main
  templates:
  - name: main
    inputs: {parameters: [{name: image, value: x}]}
    container: {image: busybox, command: [echo, "{{inputs.parameters.imge}}", "{{workflow.nmae}}"]}
`,
  "missing-argument.yaml": `${head}  entrypoint: main
  templates:
  - name: main
    steps:
    - - name: a
        template: greet
        arguments:
          parameters:
          - {name: nme, value: x}
  - name: greet
    inputs: {parameters: [{name: name}], artifacts: [{name: data, path: /tmp/data}]}
    container: {image: busybox, command: [echo, "{{inputs.parameters.name}}"]}
`,
  "parameter.yaml": `${head}  entrypoint: main
  arguments:
    parameters:
    - name: env
      description: which cluster
      enum: [dev, prod]
    - name: tag
  templates:
  - name: main
    container: {image: busybox, command: [echo, "{{workflow.parameters.env}} {{workflow.parameters.tag}}"]}
`,
  "loop.yaml": `${head}  entrypoint: main
  templates:
  - name: main
    steps:
    - - {name: a, template: t, withParam: "[1, 2"}
    - - {name: b, template: t, withItems: [1], withSequence: {count: 3}}
    - - {name: c, template: t, withSequence: {count: ten}}
  - name: t
    ${echo}
`,
  "values.yaml": `${head}  entrypoint: main
  templates:
  - name: main
    timeout: 5 minutes
    retryStrategy: {limit: lots, backoff: {duration: soon}}
    container: {image: busybox, command: [echo, hi], resources: {requests: {memory: 1 gig}}}
`,
  "second.yaml": `${head}  entrypoint: main
  templates:
  - name: main
    ${echo}
---
${head}  entrypoint: main
  template: []
`,
  "nul.yaml": `${head}  entrypoint: ma\0in\n`,
  "deep.yaml": `${head}  entrypoint: ${"[".repeat(20_000)}${"]".repeat(20_000)}\n`,
  "deep-block.yaml": `${head}  entrypoint:\n    ${"- ".repeat(20_000)}x\n`,
  "bomb.yaml": `${bomb()}\n${head}`,
};

function bomb(): string {
  const levels = [..."bcdefghij"].map((name, index) => {
    const below = Array(10).fill(`*${"abcdefghi"[index]}`).join(",");
    return `${name}: &${name} [${below}]`;
  });
  return `a: &a [x,x,x,x,x,x,x,x,x,x]\n${levels.join("\n")}`;
}

/** The names to give to `tiphys run`, one by one. Made in `folder`; those that nobody has made are missing on purpose. */
export function makeWrongFiles(folder: string): void {
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, "binary.yaml"), Buffer.from(Array.from({ length: 4096 }, (_, index) => index % 256)));
  writeFileSync(join(folder, "latin1.yaml"), Buffer.from(`${head}  entrypoint: main # größe\n`, "latin1"));
  writeFileSync(join(folder, "huge.yaml"), `${head}  # ${"x".repeat(50 * 1024 * 1024)}\n`);
  mkdirSync(join(folder, "no-manifests"));
  writeFileSync(join(folder, "no-manifests", "README.md"), "# nothing\n");
  symlinkSync("circle.yaml", join(folder, "circle.yaml"));
}

export const wrongFiles: readonly string[] = [
  ...Object.keys(texts),
  "binary.yaml",
  "latin1.yaml",
  "huge.yaml",
  "no-manifests",
  "circle.yaml",
  "compse.yaml",
  "no/such/folder",
  "/dev/zero",
  "http://127.0.0.1:1/hello.yaml",
];
