import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { compressNodes, withNodes } from "../../controller/stored-nodes.js";
import type { Workflow } from "../../core/model/argo/workflow.js";
import { workflows } from "../../core/model/resources.js";
import { ApiError } from "../../kube/errors.js";
import { LOAD_TIMEOUT_MS, loadCommands } from "../fakes/load-commands.js";
import { FakePlaces, oneStep } from "../fakes/places.js";
import { fakePorts } from "../fakes/ports.js";
import { at } from "../fakes/workflows.js";
import { main } from "../main.js";

beforeAll(loadCommands, LOAD_TIMEOUT_MS);

const key = { namespace: "default", name: "hello" };
let cwd = "";
let host = new FakePlaces();

async function tiphys(...argv: readonly string[]) {
  const ports = fakePorts({ cwd, host });
  const code = await main(argv, ports);
  return { code, out: ports.stdout.text, err: ports.stderr.text };
}

function stored(): Promise<Workflow> {
  return host.only.cluster.get<Workflow>(workflows, key);
}

/** A run that failed, and whose nodes were then stored compressed. */
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "tiphys-cli-"));
  host = new FakePlaces();
  await writeFile(
    join(cwd, "hello.yaml"),
    `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: hello}
spec:
  entrypoint: main
  templates:
  - name: main
    container: {image: alpine, command: [echo, hi]}
`,
  );
  host.controller = oneStep("one\ntwo\n", 2);
  await tiphys("run", "hello.yaml", "-q");
  const { status, ...workflow } = await stored();
  const { nodes = {}, ...rest } = status ?? {};
  const compressedNodes = compressNodes(Object.values(nodes));
  await host.only.cluster.update<Workflow>(workflows, { ...workflow, status: { ...rest, compressedNodes } });
});

test("get, logs, list and wait show what is stored compressed as if it were not", async () => {
  expect((await tiphys("get", "hello")).out).toMatch(/✖ hello +main +hello/);
  const { status } = JSON.parse((await tiphys("get", "hello", "-o", "json")).out) as Workflow;
  expect(Object.keys(status?.nodes ?? {})).toEqual(["hello"]);
  expect(status?.compressedNodes).toBeUndefined();
  expect((await tiphys("logs", "hello", "main")).out).toBe("hello: one\nhello: two\n");
  const listed = JSON.parse((await tiphys("list", "-o", "json")).out) as readonly Workflow[];
  expect(listed.map((one) => Object.keys(one.status?.nodes ?? {}))).toEqual([["hello"]]);
  expect(await tiphys("wait", "hello")).toMatchObject({ code: 1, out: expect.stringContaining("hello Failed at") });
});

/** Takes up what is retried, and lets its step succeed; `seen`: how each form of it was stored. */
function succeeds(seen: NonNullable<Workflow["status"]>[]): void {
  host.controller = async (place, workflow) => {
    if (workflow.status?.finishedAt !== undefined) return;
    seen.push(workflow.status ?? {});
    const status = { ...workflow.status, phase: "Succeeded" as const, finishedAt: at(9) };
    await place.cluster.update<Workflow>(workflows, { ...workflow, status });
  };
}

test("retry goes on from them", async () => {
  const seen: NonNullable<Workflow["status"]>[] = [];
  succeeds(seen);
  const { code, err } = await tiphys("retry", "hello");
  expect(err).toContain("✔ hello Succeeded");
  expect(code).toBe(0);
  expect(seen).toMatchObject([{ phase: "", nodes: {} }]);
  expect(seen[0]?.compressedNodes).toBeUndefined();
});

test("what the API does not take as it is goes back compressed", async () => {
  const { cluster } = host.only;
  cluster.fault = (verb, type) => {
    if (verb !== "update" || type.kind !== workflows.kind) return;
    cluster.fault = () => undefined;
    throw new ApiError(413, "RequestEntityTooLarge", "Request entity too large: limit is 3145728");
  };
  const seen: NonNullable<Workflow["status"]>[] = [];
  succeeds(seen);
  expect((await tiphys("retry", "hello")).code).toBe(0);
  expect(seen[0]?.nodes).toBeUndefined();
  expect(withNodes({ status: seen[0] ?? {} }).status.nodes).toEqual({});
});
