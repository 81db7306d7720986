import { expect, test } from "vitest";
import { type ObjectNode, resolveNode, type SchemaNode } from "../codec/schema.js";
import { knownKinds, schemas } from "../kinds.js";
import { decodeResource } from "../resource.js";
import { readDocuments } from "../source/read.js";
import { type SupportScope, unsupportedFieldsOf } from "./check.js";
import { supportOf, supportRowsOf } from "./lookup.js";
import { type Row, resolveRow } from "./row.js";
import { rowsByKind } from "./rows.js";

/** The fields of a schema that no row speaks of, and rows of no field. */
function gaps(row: Row, node: SchemaNode, path: string, above: ReadonlySet<Row>): string[] {
  const current = resolveRow(row);
  const value = stripLists(node);
  if (current.kind === "verdict")
    return current.whole || !hasFields(value) ? [] : [`${path}: not for the fields below`];
  if (current.kind === "each") {
    return value.kind === "map" ? gaps(current.row, value.value, `${path}.*`, above) : [`${path}: is no map`];
  }
  if (above.has(current)) return [];
  if (value.kind !== "object") return [`${path}: has no fields`];
  const inside = new Set([...above, current]);
  const known = [...value.fields.keys()];
  return [
    ...known.filter((name) => !Object.hasOwn(current.fields, name)).map((name) => `${path}.${name}: no row`),
    ...Object.keys(current.fields)
      .filter((name) => !value.fields.has(name))
      .map((name) => `${path}.${name}: no field`),
    ...known.flatMap((name) => {
      const below = current.fields[name];
      const field = value.fields.get(name);
      return below === undefined || field === undefined ? [] : gaps(below, field.node, `${path}.${name}`, inside);
    }),
  ];
}

function stripLists(node: SchemaNode): Exclude<SchemaNode, { readonly kind: "lazy" }> {
  const resolved = resolveNode(node);
  return resolved.kind === "list" ? stripLists(resolved.item) : resolved;
}

function hasFields(node: SchemaNode): node is ObjectNode {
  const value = stripLists(node);
  if (value.kind === "map") return hasFields(value.value);
  return value.kind === "object" && value.fields.size > 0;
}

test.each(knownKinds)("every field of %s is in a row, and every row is a field", (kind) => {
  expect(gaps(rowsByKind[kind], schemas[kind].node, kind, new Set())).toEqual([]);
});

test("the test finds a field in no row", () => {
  const node: SchemaNode = {
    kind: "object",
    fields: new Map([["new", { node: { kind: "text" }, presence: "optional" }]]),
  };
  expect(gaps({ kind: "fields", fields: {} }, node, "Kind", new Set())).toEqual(["Kind.new: no row"]);
});

test.each<[string, string | undefined]>([
  ["spec.entrypoint", "obeyed"],
  ["spec.synchronization.mutexes[0].name", "not-yet"],
  ["spec.templates[0].http.url", "not-yet"],
  ["spec.templates[].container.image", "obeyed"],
  ["spec.templates[0].container.image", "obeyed"],
  ["spec.templates[0].steps[0][1].inline.steps[0][0].inline.memoize.key", "not-yet"],
  ["spec.templates[0].steps[0][1].hooks.exit.template", "obeyed"],
  ["spec.nodeSelector.disk", "notice"],
  ["spec.archiveLogs", "obeyed"],
  ["spec.templates[0].archiveLocation.archiveLogs", "obeyed"],
  ["spec.templates[0].inputs.artifacts[0].http.auth.basicAuth", "obeyed"],
  ["spec.templates[0].outputs.artifacts[0].s3.key", "obeyed"],
  ["spec.templates[0].outputs.artifacts[0].s3.bucket", "notice"],
  ["spec.templates[0].container", undefined],
  ["spec.nothing", undefined],
])("%s is %s", (path, level) => {
  expect(supportOf("Workflow", path)?.level).toBe(level);
});

test("the rows of a kind can be listed, each with a text where it is not obeyed", () => {
  const rows = supportRowsOf("Workflow");
  expect(rows.length).toBeGreaterThan(300);
  expect(rows.filter(({ support }) => (support.level === "obeyed") !== (support.text === ""))).toEqual([]);
});

function told(text: string, scope: SupportScope = {}): string[] {
  const document = readDocuments(text, "wf.yaml").documents[0];
  const { value, problems } = document === undefined ? { value: undefined, problems: [] } : decodeResource(document);
  expect(problems).toEqual([]);
  if (value === undefined) throw new Error("no resource");
  return unsupportedFieldsOf(value, scope).map(
    ({ severity, path, message, hint }) => `${severity} ${path} | ${message}${hint === undefined ? "" : ` | ${hint}`}`,
  );
}

const WORKFLOW = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: w}
spec:
  entrypoint: main
  nodeSelector: {disk: ssd}
  hostNetwork: false
  volumes:
  - {name: used, nfs: {server: s, path: p}}
  - {name: unused, nfs: {server: s, path: p}}
  templates:
  - name: main
    steps:
    - - {name: a, template: notify}
      - name: b
        inline:
          memoize: {key: k}
          container: {image: x, volumeMounts: [{name: used, mountPath: /m}]}
  - name: notify
    http: {url: "http://x"}
  - name: elsewhere
    synchronization: {mutexes: [{name: m}]}
    container: {image: x}
`;

const NO_SCHEDULER = "means nothing here: one machine runs every pod";
const MOUNT = "use an emptyDir or hostPath volume, or give the files with --mount SRC:DST";

test("what a run cannot obey is refused where it is reached, and the rest is a notice", () => {
  expect(told(WORKFLOW)).toEqual([
    `notice spec.nodeSelector | spec.nodeSelector ${NO_SCHEDULER}`,
    `error spec.volumes[0].nfs | volume used.nfs cannot be mounted on this machine | ${MOUNT}`,
    "error spec.templates[0].steps[0][1].inline.memoize | spec.templates[0].steps[0][1].inline.memoize is not built yet",
    'error spec.templates[1].http | template "notify": kind http is not built yet | --stub notify',
  ]);
});

test("a template that a run does not reach, or that is stubbed, is not looked at", () => {
  const refused = told(WORKFLOW, { reachable: (name) => name === "elsewhere", part: "templates" });
  expect(refused).toEqual([
    'error spec.templates[2].synchronization | template "elsewhere": synchronization is not built yet: without it steps could run that must not run at once | --stub elsewhere',
  ]);
});

test.each<[SupportScope, number]>([
  [{}, 2],
  [{ runtime: "host" }, 2],
  [{ runtime: "docker" }, 0],
])("a runtime that obeys a field takes its notice away: %j", (scope, count) => {
  const text = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: w}
spec:
  entrypoint: main
  securityContext: {runAsUser: 5}
  templates: [{name: main, container: {image: x, resources: {limits: {cpu: 1}}}}]
`;
  expect(told(text, scope)).toHaveLength(count);
});

test("a CronWorkflow's schedule is a notice, its workflow is looked at as any", () => {
  const text = `apiVersion: argoproj.io/v1alpha1
kind: CronWorkflow
metadata: {name: c}
spec:
  schedules: ["* * * * *"]
  workflowSpec:
    entrypoint: "{{x}}"
    templates: [{name: a, plugin: {hello: {}}}]
`;
  expect(told(text)).toEqual([
    "notice spec.schedules | spec.schedules means nothing to a single run",
    'error spec.workflowSpec.templates[0].plugin | template "a": kind plugin is not built yet | --stub a',
  ]);
});
