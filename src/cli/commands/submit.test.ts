import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { LOAD_TIMEOUT_MS, loadCommands } from "../fakes/load-commands.js";
import { FakePlaces } from "../fakes/places.js";
import { fakePorts } from "../fakes/ports.js";
import { main } from "../main.js";

beforeAll(loadCommands, LOAD_TIMEOUT_MS);

const template = `apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: {name: build}
spec:
  entrypoint: main
  arguments: {parameters: [{name: env, description: which cluster, enum: [dev, prod]}]}
  templates:
  - name: main
    container: {image: alpine, command: [echo, "{{workflow.parameters.env}}"]}
`;
const reference = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: ref}
spec: {workflowTemplateRef: {name: build}}
`;

test("parameters of a template that the place has are known, and what has no value is told before anything is made", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "tiphys-cli-"));
  await writeFile(join(cwd, "build.yaml"), template);
  await writeFile(join(cwd, "ref.yaml"), reference);
  const host = new FakePlaces();
  const up = fakePorts({ cwd, host, seed: 1 });
  const upEnded = main(["up", "--with", "build.yaml"], up);
  while (!up.stderr.text.includes("up: ")) await new Promise((resolve) => setImmediate(resolve));
  let seed = 1;
  const say = async (...argv: readonly string[]) => {
    seed += 1;
    const ports = fakePorts({ cwd, host, seed });
    return {
      code: await main(["submit", ...argv, "-o", "name"], ports),
      out: ports.stdout.text,
      err: ports.stderr.text,
    };
  };
  const missing = 'error[no-parameter]  "env" (which cluster; dev or prod) has no value: add -p env=dev\n';
  const unused = 'warning[unused]  -p emv=dev: nothing takes it\n     │ did you mean "env"?\n';
  for (const what of [["ref.yaml"], ["--from", "workflowtemplate/build"]]) {
    expect(await say(...what)).toEqual({ code: 2, out: "", err: missing });
    expect(await say(...what, "-p", "emv=dev")).toEqual({ code: 2, out: "", err: missing + unused });
    expect(await say(...what, "-p", "env=dev")).toMatchObject({ code: 0, err: "" });
  }
  expect(host.only.cluster.requests.filter((request) => request.startsWith("create workflows ")).length).toBe(2);
  up.send("SIGINT");
  expect(await upEnded).toBe(130);
});
