import { expect, test } from "vitest";
import type { Template } from "../../core/model/argo/template.js";
import type { WorkflowSpec } from "../../core/model/argo/workflow.js";
import { type ReachInput, reach } from "./references.js";

function walk(spec: WorkflowSpec, more: Partial<ReachInput> = {}) {
  return reach({
    home: { spec, document: undefined, path: "spec" },
    entrypoint: undefined,
    stubs: new Set(),
    lookup: () => undefined,
    ...more,
  });
}

function needs(spec: WorkflowSpec, more: Partial<ReachInput> = {}): readonly string[] {
  return walk(spec, more).needs.map(({ kind, name, key }) => `${kind} ${name}${key === "" ? "" : `/${key}`}`);
}

const container = { image: "alpine" };

function main(template: Partial<Template>, more: Partial<WorkflowSpec> = {}): WorkflowSpec {
  return { entrypoint: "main", templates: [{ name: "main", ...template }], ...more };
}

test("what a container takes its environment and files from", () => {
  const spec = main(
    {
      container: {
        ...container,
        env: [
          { name: "A", valueFrom: { secretKeyRef: { name: "db", key: "url" } } },
          { name: "B", valueFrom: { configMapKeyRef: { name: "app", key: "k", optional: true } } },
          { name: "C", valueFrom: { secretKeyRef: { name: "{{inputs.parameters.x}}", key: "k" } } },
        ],
        envFrom: [{ configMapRef: { name: "all" } }, { secretRef: { name: "maybe", optional: true } }],
        volumeMounts: [
          { name: "v", mountPath: "/v" },
          { name: "own", mountPath: "/o" },
        ],
      },
      volumes: [{ name: "own", configMap: { name: "own-files" } }],
    },
    {
      volumes: [
        { name: "v", secret: { secretName: "certs" } },
        { name: "not-mounted", persistentVolumeClaim: { claimName: "big" } },
      ],
    },
  );
  expect(needs(spec)).toEqual(["Secret db/url", "ConfigMap all", "ConfigMap own-files", "Secret certs"]);
});

test("volumes are those of the workflow and of the resource that it is made from, not of one that a template is taken from", () => {
  const secret = (name: string, secretName: string) => ({ name, secret: { secretName } });
  const mounts = ["s", "t"].map((name) => ({ name, mountPath: `/${name}` }));
  const library: WorkflowSpec = {
    entrypoint: "use",
    volumes: [secret("s", "library's"), secret("t", "other")],
    templates: [{ name: "use", container: { ...container, volumeMounts: mounts } }],
  };
  const lookup = () => ({ spec: library, document: undefined, path: "spec" });
  const volumes = [secret("s", "db")];
  const called = main({ steps: [[{ name: "a", templateRef: { name: "lib", template: "use" } }]] }, { volumes });
  expect(needs(called, { lookup })).toEqual(["WorkflowTemplate lib", "Secret db"]);
  const made: WorkflowSpec = { workflowTemplateRef: { name: "lib" }, volumes };
  expect(needs(made, { lookup })).toEqual(["WorkflowTemplate lib", "Secret db", "Secret other"]);
});

test("credentials of what is fetched by http; those of remote stores are never used", () => {
  const secret = (key: string) => ({ name: "login", key });
  const basicAuth = { usernameSecret: secret("user"), passwordSecret: secret("password") };
  const artifacts = [
    { name: "a", path: "/a", http: { url: "https://x", auth: { basicAuth } } },
    { name: "b", path: "/b", s3: { bucket: "b", key: "k", accessKeySecret: { name: "aws", key: "id" } } },
  ];
  expect(needs(main({ inputs: { artifacts }, container }))).toEqual(["Secret login/user", "Secret login/password"]);
});

test("the ConfigMap of the artifact repository, under its usual name where none is given", () => {
  const named = { artifactRepositoryRef: { configMap: "stores", key: "warehouse" } };
  expect(needs(main({ container }, named))).toEqual(["ConfigMap stores/warehouse"]);
  expect(needs(main({ container }, { artifactRepositoryRef: {} }))).toEqual(["ConfigMap artifact-repositories"]);
});

test("only what can be reached counts: entrypoint, exit handler, hooks, not the rest", () => {
  const uses = (name: string): Template => ({ name, container: { ...container, envFrom: [{ secretRef: { name } }] } });
  const spec: WorkflowSpec = {
    entrypoint: "main",
    onExit: "bye",
    hooks: { running: { template: "hook", expression: "true" } },
    templates: [
      {
        name: "main",
        dag: {
          tasks: [
            { name: "a", template: "a", onExit: "after" },
            { name: "b", inline: uses("inline") },
          ],
        },
      },
      ...["a", "after", "bye", "hook", "unused"].map(uses),
    ],
  };
  expect([...needs(spec)].sort()).toEqual(["Secret a", "Secret after", "Secret bye", "Secret hook", "Secret inline"]);
  expect(needs(spec, { entrypoint: "unused" })).toContain("Secret unused");
  expect(needs(spec, { stubs: new Set(["a", "main"]) })).toEqual(["Secret bye", "Secret hook"]);
});

test("references lead into other resources, and names inside those stay inside", () => {
  const library: WorkflowSpec = {
    templates: [
      { name: "build", steps: [[{ name: "x", template: "inner" }]] },
      { name: "inner", container: { ...container, envFrom: [{ secretRef: { name: "lib" } }] } },
    ],
  };
  const spec = main({
    steps: [
      [
        { name: "b", templateRef: { name: "go", template: "build" } },
        { name: "n", templateRef: { name: "{{x}}" } },
      ],
    ],
  });
  expect(needs(spec)).toEqual(["WorkflowTemplate go"]);
  const lookup = () => ({ spec: library, document: undefined, path: "spec" });
  expect(needs(spec, { lookup })).toEqual(["WorkflowTemplate go", "Secret lib"]);
  const whole: WorkflowSpec = { workflowTemplateRef: { name: "go", clusterScope: true }, entrypoint: "build" };
  expect(needs(whole, { lookup })).toEqual(["ClusterWorkflowTemplate go", "Secret lib"]);
});

test("recursion ends; images come with their templates and programs; created objects are known", () => {
  const spec = main(
    {
      steps: [
        [
          { name: "again", template: "main" },
          { name: "run", template: "run" },
          { name: "make", template: "make" },
        ],
      ],
    },
    {},
  );
  const templates: readonly Template[] = [
    ...(spec.templates ?? []),
    {
      name: "run",
      script: { image: "python:3", command: ["python"], source: "1" },
      sidecars: [{ name: "db", image: "pg" }],
    },
    { name: "make", resource: { action: "create", manifest: "kind: Secret\nmetadata:\n  name: late\n" } },
  ];
  const found = walk({ ...spec, templates });
  expect(found.images.map(({ image, template, program }) => `${image} ${template} ${program}`)).toEqual([
    "python:3 run python",
    "pg run undefined",
  ]);
  expect([...found.templates]).toEqual(["main", "run", "make"]);
  expect([...found.created]).toEqual(["Secret/late"]);
});

test("the config map of a cache is made, not given", () => {
  const memoize = { key: "k", cache: { configMap: { name: "cache" } } };
  expect(needs(main({ memoize, container }))).toEqual([]);
});
