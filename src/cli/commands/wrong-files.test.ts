import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { LOAD_TIMEOUT_MS, loadCommands } from "../fakes/load-commands.js";
import { FakePlaces } from "../fakes/places.js";
import { fakePorts } from "../fakes/ports.js";
import { main } from "../main.js";

beforeAll(loadCommands, LOAD_TIMEOUT_MS);

let cwd = "";

const head = "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {name: w}\n";

const files: Readonly<Record<string, string | Uint8Array>> = {
  "not-yaml.yaml": "a: [1,\nb: }",
  "unknown.yaml": `${head}spec:\n  entrypoint: a\n  templats: []\n`,
  "wrong-type.yaml": `${head}spec: {entrypoint: [a]}\n`,
  "no-kind.yaml": "hello: world\n",
  "typo-kind.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: Worflow\nmetadata: {name: w}\nspec: {}\n",
  "other-kind.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\n",
  "empty.yaml": "",
  "comment.yaml": "# nothing\n",
  "binary.yaml": Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3, 255, 254]),
  "latin1.yaml": Uint8Array.from([0x61, 0x3a, 0x20, 0xe9, 0x0a]),
  "brace.yaml": `${head}spec:\n  entrypoint: {{x}}\n`,
  "deep.yaml": `a: ${"[".repeat(20_000)}${"]".repeat(20_000)}\n`,
  "duplicate.yaml": `${head}spec: {entrypoint: a, entrypoint: b}\n`,
  "bomb.yaml": bomb(),
  "scalar.yaml": "just text\n",
  "list.yaml": "- 1\n- 2\n",
  "tabs.yaml": "a:\n\t- b\n",
  "unclosed.yaml": 'a: "never ends\n',
  "json.json": '{"a": 1,}',
  "two.yaml": `${head}spec: {entrypoint: a}\n---\n${head}spec: {entrypont: a}\n`,
  "pod.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n",
  "big.yaml": "x".repeat(50 * 1024 * 1024),
  "templates.yaml": ["a", "b"]
    .map((name) => `apiVersion: argoproj.io/v1alpha1\nkind: WorkflowTemplate\nmetadata: {name: ${name}}\nspec: {}\n`)
    .join("---\n"),
};

function bomb(): string {
  const levels = Array.from(
    { length: 9 },
    (_, index) => `a${index + 1}: &a${index + 1} [${Array(10).fill(`*a${index}`).join(",")}]`,
  );
  return `a0: &a0 [lol]\n${levels.join("\n")}\n`;
}

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "tiphys-wrong-"));
  await mkdir(join(cwd, "folder"));
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(cwd, name), text)));
});

test.each([...Object.keys(files), "folder", "missing.yaml", "unknow.yaml"])(
  "%s is refused: exit 2, in words",
  async (name) => {
    const host = new FakePlaces();
    const ports = fakePorts({ cwd, host });
    expect(await main(["run", name], ports)).toBe(2);
    expect(host.places.size).toBe(0);
    expect(ports.stdout.text).toBe("");
    expect(ports.stderr.text).toMatch(/error(\[[a-z-]+\]|:) /);
    expect(ports.stderr.text).not.toMatch(/internal error|\n\s+at |undefined|\[object/);
    expect(ports.stderr.text.length).toBeLessThan(3000);
  },
);

test("the messages, as they are read", async () => {
  const told: string[] = [];
  for (const name of [
    "unknown.yaml",
    "unknow.yaml",
    "typo-kind.yaml",
    "other-kind.yaml",
    "big.yaml",
    "templates.yaml",
    "pod.yaml",
    "folder",
  ]) {
    const ports = fakePorts({ cwd, host: new FakePlaces() });
    await main(["run", name], ports);
    told.push(ports.stderr.text);
  }
  expect(told.join("\n")).toMatchInlineSnapshot(`
    "unknown.yaml:6:3  error[unknown-field]  spec.templats: no such field
       6 │   templats: []
         │   ^^^^^^^^ did you mean "templates"?

    error[no-file]  unknow.yaml: no such file
         │ did you mean "unknown.yaml"?

    typo-kind.yaml:2:7  error[not-kind]  kind Worflow is not known
       2 │ kind: Worflow
         │       ^^^^^^^ did you mean "Workflow"?
    typo-kind.yaml:4:1  error[no-entrypoint]  it says not where to begin
       4 │ spec: {}
         │ ^^^^
         │ add entrypoint: NAME

    error: no workflow found in given files
      Deployment "d" means nothing on one machine: left out

    error[too-large]  big.yaml: larger than 20 MB: a manifest is never that large

    error: 2 templates are there, and no Workflow: say which one to run
        --from workflowtemplate/a
        --from workflowtemplate/b

    error: no workflow found in given files
      there is ConfigMap; a Workflow, WorkflowTemplate, ClusterWorkflowTemplate or CronWorkflow can be run

    error[no-file]  folder: no .yaml, .yml or .json file in this folder
    "
  `);
});
