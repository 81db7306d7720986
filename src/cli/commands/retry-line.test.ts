import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Workflow, WorkflowTemplate } from "../../core/model/argo/workflow.js";
import { workflows, workflowTemplates } from "../../core/model/resources.js";
import { LOAD_TIMEOUT_MS, loadCommands } from "../fakes/load-commands.js";
import { FakePlaces, oneStep } from "../fakes/places.js";
import { fakePorts } from "../fakes/ports.js";
import { at } from "../fakes/workflows.js";
import { main } from "../main.js";

beforeAll(loadCommands, LOAD_TIMEOUT_MS);

let cwd = "";
let host = new FakePlaces();
let seed = 0;

const library = `apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: {name: lib}
spec:
  templates:
  - name: test
    container: {image: alpine, command: [make, test]}
  - name: deploy
    container: {image: alpine, command: [make, deploy]}
`;

const other = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: other}
spec: {entrypoint: main, templates: [{name: main, container: {image: alpine, command: [echo]}}]}
`;

const ci = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: ci}
spec:
  entrypoint: all
  comment: no field of Argo's
  templates:
  - name: all
    container: {image: alpine, command: [make, all]}
  - name: main
    container: {image: alpine, command: [make, main]}
  - name: whole
    steps: [[{name: test, templateRef: {name: lib, template: test}}]]
`;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "tiphys-cli-"));
  host = new FakePlaces();
  await mkdir(join(cwd, "lib"));
  await writeFile(join(cwd, "lib", "lib.yaml"), library);
  await writeFile(join(cwd, "other.yaml"), other);
  await writeFile(join(cwd, "ci.yaml"), ci);
});

async function tiphys(argv: readonly string[]) {
  seed += 1;
  const ports = fakePorts({ cwd, host, seed });
  const code = await main(argv, ports);
  return { code, err: ports.stderr.text };
}

/** Each workflow has failed, and keeps what it looked up. */
const fails = oneStep("no\n", 1);

async function failed(argv: readonly string[]): Promise<readonly string[]> {
  host.controller = fails;
  const { err } = await tiphys(["run", ...argv]);
  const lines = [...err.matchAll(/after a fix, only the rest +tiphys (.*)$/gm)].map((match) => match[1] ?? "");
  const key = { namespace: "default", name: "ci" };
  const { cluster } = host.only;
  const stored = await cluster.get<Workflow>(workflows, key);
  const template = (name: string) => ({ [`namespaced/lib/${name}`]: { name } });
  const storedTemplates = { ...template("test"), ...template("deploy") };
  await cluster.update<Workflow>(workflows, { ...stored, status: { ...stored.status, storedTemplates } });
  return lines;
}

async function retried(line: string): Promise<Workflow> {
  let seen: Workflow | undefined;
  host.controller = async (place, workflow) => {
    if (workflow.status?.finishedAt !== undefined) return;
    seen = workflow;
    const status = { ...workflow.status, phase: "Succeeded" as const, finishedAt: at(9) };
    await place.cluster.update<Workflow>(workflows, { ...workflow, status });
  };
  const { code, err } = await tiphys(line.split(" "));
  if (seen === undefined) throw new Error(`${line} ran nothing: ${err}`);
  expect(code).toBe(0);
  return seen;
}

test("the line at the end of a failed run works as it stands: what the run was given is known to its place", async () => {
  const lines = await failed(["other.yaml", "ci.yaml", "--with", "lib", "--no-strict", "--entrypoint", "main"]);
  expect(lines).toEqual(["retry other --spec other.yaml", "retry ci --spec ci.yaml"]);
  await writeFile(join(cwd, "lib", "lib.yaml"), library.replace("make, test", "make, fixed"));
  const { spec, status } = await retried("retry ci --spec ci.yaml");
  expect(spec.entrypoint).toBe("main");
  // What was corrected beside the file is looked up anew, and nothing else.
  expect(Object.keys(status?.storedTemplates ?? {})).toEqual(["namespaced/lib/deploy"]);
  const inPlace = await host.only.cluster.get<WorkflowTemplate>(workflowTemplates, {
    namespace: "default",
    name: "lib",
  });
  expect(inPlace.spec.templates?.[0]?.container?.command).toEqual(["make", "fixed"]);
});

test("what stood beside the file may be gone: the place has it", async () => {
  const lines = await failed(["ci.yaml", "--with", "lib", "--no-strict", "--entrypoint", "main"]);
  await rm(join(cwd, "lib"), { recursive: true });
  const { status } = await retried(lines[0] ?? "");
  expect(Object.keys(status?.storedTemplates ?? {})).toEqual(["namespaced/lib/test", "namespaced/lib/deploy"]);
});

test("of a folder, it names the file that was run", async () => {
  await writeFile(join(cwd, "ci.yaml"), ci.replace(/ {2}comment.*\n/, ""));
  await rm(join(cwd, "other.yaml"));
  expect(await failed([".", "--entrypoint", "main"])).toEqual(["retry ci --spec ci.yaml"]);
  expect((await retried("retry ci --spec ci.yaml")).spec.entrypoint).toBe("main");
});
