import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { LOAD_TIMEOUT_MS, loadCommands } from "../fakes/load-commands.js";
import { FakePlaces, oneStep } from "../fakes/places.js";
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

describe("what comes from an address, handed to a place that runs steps on this machine, not kept apart from it", () => {
  const workflow = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: hello}
spec: {entrypoint: main, templates: [{name: main, container: {image: alpine, command: [echo]}}]}
`;
  const refusal = `error[no-runtime]  this file came from an address, and the place runs steps on this machine (host, plain isolation)
     │ read it first, then submit your copy of it, or let the place run it: tiphys up --runtime host
`;

  async function upAs(flags: readonly string[], isolation: "full" | "plain") {
    const cwd = await mkdtemp(join(tmpdir(), "tiphys-cli-"));
    await writeFile(join(cwd, "hello.yaml"), workflow);
    await writeFile(join(cwd, "build.yaml"), template);
    const host = new FakePlaces();
    host.probe = { ...host.probe, isolation: () => Promise.resolve({ isolation, reason: "no user namespaces" }) };
    const up = fakePorts({ cwd, host });
    const ended = main(["up", ...flags], up);
    while (!up.stderr.text.includes("up: ")) await new Promise((resolve) => setImmediate(resolve));
    onTestFinished(async () => {
      up.send("SIGINT");
      await ended;
    });
    const say = async (...argv: readonly string[]) => {
      const ports = fakePorts({ cwd, host, seed: 9 });
      return { code: await main(argv, ports), out: ports.stdout.text, err: ports.stderr.text };
    };
    return { host, say };
  }

  async function address(): Promise<string> {
    const server = createServer((request, response) => response.end(request.url === "/wf" ? workflow : template));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test("it is refused, also beside a file of one's own, and nothing is made", async () => {
    const { host, say } = await upAs([], "plain");
    const url = await address();
    for (const argv of [[`${url}/wf`], ["hello.yaml", "--with", `${url}/templates`]]) {
      expect(await say("submit", ...argv)).toEqual({ code: 3, out: "", err: refusal });
    }
    expect(host.only.cluster.requests.filter((request) => request.startsWith("create workflows "))).toEqual([]);
    expect(await say("submit", `${url}/wf`, "--dry-run", "-o", "name")).toEqual({ code: 0, out: "hello\n", err: "" });
    expect(await say("submit", "hello.yaml", "-o", "name")).toEqual({ code: 0, out: "hello\n", err: "" });
  });

  test("a correction from an address is refused as well", async () => {
    const { host, say } = await upAs([], "plain");
    host.controller = oneStep("no\n", 1);
    // How it ended is the last line.
    expect(await say("submit", "hello.yaml", "--wait")).toMatchObject({
      code: 1,
      out: expect.stringMatching(/\nhello Failed at 2026-11-30 \S+ \+0000 UTC\n$/),
    });
    const { code, err } = await say("retry", "hello", "--spec", `${await address()}/wf`);
    expect({ code, err }).toEqual({
      code: 3,
      err: refusal.replace(/│ .*/, "│ read it first, then: --spec YOUR-COPY"),
    });
  });

  test("a table of images from an address says what steps run, and counts as such a file", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "tiphys-cli-"));
    const host = new FakePlaces();
    host.probe = {
      ...host.probe,
      isolation: () => Promise.resolve({ isolation: "plain", reason: "no user namespaces" }),
    };
    const server = createServer((_, response) => response.end("x/y: {cmd: [sh]}\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const ports = fakePorts({ cwd, host });
    const code = await main(["up", "--images", `http://127.0.0.1:${(server.address() as AddressInfo).port}/`], ports);
    server.closeAllConnections();
    server.close();
    expect({ code, err: ports.stderr.text }).toMatchObject({
      code: 3,
      err: expect.stringContaining("this file came from an address, and no user namespaces"),
    });
  });

  test.each([
    ["the runtime was named", ["--runtime", "host"], "plain"],
    ["they are kept apart", [], "full"],
  ] as const)("it is taken where %s", async (_, flags, isolation) => {
    const { say } = await upAs(flags, isolation);
    expect(await say("submit", `${await address()}/wf`, "-o", "name")).toEqual({ code: 0, out: "hello\n", err: "" });
  });
});
