/** J7: where a workflow may come from, and what the flags of `run` make of it. */

import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { User } from "./program.js";

const hello = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {generateName: hello-, labels: {team: core}}
spec:
  entrypoint: main
  serviceAccountName: runner
  arguments:
    parameters:
    - {name: who, value: world}
    - {name: count, value: "1"}
  templates:
  - name: main
    container: {image: busybox, command: [echo, "hello {{workflow.parameters.who}} {{workflow.parameters.count}}"]}
  - name: other
    container: {image: busybox, command: [echo, "another {{workflow.parameters.who}}"]}
`;

const template = `apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: {name: build}
spec:
  entrypoint: main
  arguments: {parameters: [{name: who, value: template}]}
  templates:
  - name: main
    container: {image: busybox, command: [echo, "built by {{workflow.parameters.who}}"]}
`;

const cron = `apiVersion: argoproj.io/v1alpha1
kind: CronWorkflow
metadata: {name: nightly}
spec:
  schedules: ["0 3 * * *"]
  workflowSpec:
    entrypoint: main
    templates:
    - name: main
      container: {image: busybox, command: [echo, "at night"]}
`;

const several = `apiVersion: v1
kind: ConfigMap
metadata: {name: greeting}
data: {text: from a map}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: runner}
rules: []
---
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: first}
spec:
  entrypoint: main
  templates:
  - name: main
    container:
      image: busybox
      command: [sh, -c, 'echo "$TEXT"']
      env: [{name: TEXT, valueFrom: {configMapKeyRef: {name: greeting, key: text}}}]
---
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: second}
spec:
  entrypoint: main
  templates:
  - name: main
    container: {image: busybox, command: [sh, -c, "echo broken; exit 3"]}
`;

const asking = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {generateName: deploy-}
spec:
  entrypoint: main
  arguments:
    parameters:
    - {name: env, description: which cluster, enum: [dev, prod]}
    - {name: tag, description: image tag}
    - {name: dry, value: "true"}
  templates:
  - name: main
    container: {image: busybox, command: [echo, "{{workflow.parameters.env}} {{workflow.parameters.tag}}"]}
`;

const user = new User();
let server: Server;
let address = "";

beforeAll(async () => {
  const { folder } = user;
  await writeFile(join(folder, "hello.yaml"), hello);
  for (const name of ["manifests", "manifests/deep", "manifests/node_modules", "library", "project"]) {
    await mkdir(join(folder, name));
  }
  await writeFile(join(folder, "manifests/wf.yml"), hello);
  await writeFile(join(folder, "manifests/deep/values.yaml"), "replicas: 3\n");
  await writeFile(join(folder, "manifests/node_modules/broken.yaml"), "{{");
  await writeFile(join(folder, "template.yaml"), template);
  await writeFile(join(folder, "cron.yaml"), cron);
  await writeFile(join(folder, "several.yaml"), several);
  await writeFile(join(folder, "library/two.yaml"), `${template}---\n${template.replace("name: build", "name: test")}`);
  await writeFile(join(folder, "project/deploy.yaml"), asking);
  await writeFile(join(folder, "project/template.yaml"), template);
  await writeFile(join(folder, "parameters.yaml"), "who: file\ncount: 2\n");
  await writeFile(join(folder, "utf16.yaml"), Buffer.from(`\uFEFF${hello.replaceAll("\n", "\r\n")}`, "utf16le"));
  server = createServer((request, response) => {
    if (request.url === "/hello.yaml") response.end(hello);
    else response.writeHead(404, "Not Found").end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await user.dispose();
});

/** stdout of a run that must succeed. */
async function stdoutOf(args: readonly string[], stdin?: string): Promise<string> {
  const { code, stdout, stderr } = await user.tiphys(
    ["run", "--runtime", "host", ...args],
    stdin === undefined ? {} : { stdin },
  );
  expect(stderr).not.toMatch(/error/);
  expect(code, stderr).toBe(0);
  return stdout;
}

describe.concurrent("the workflow comes from", () => {
  test.each<[string, readonly string[], string | undefined, string]>([
    ["stdin", ["-"], hello, "main │ hello world 1\n"],
    ["a folder, of which only its manifests count", ["manifests"], undefined, "main │ hello world 1\n"],
    ["a file with only a WorkflowTemplate", ["template.yaml"], undefined, "main │ built by template\n"],
    ["a file with only a CronWorkflow", ["cron.yaml"], undefined, "main │ at night\n"],
    ["one of several templates", ["library", "--from", "wftmpl/test"], undefined, "main │ built by template\n"],
    ["a file in UTF-16 with Windows' line ends", ["utf16.yaml"], undefined, "main │ hello world 1\n"],
    ["JSON on stdin", ["-"], JSON.stringify(jsonHello()), "main │ from json\n"],
  ])("%s", async (_name, args, stdin, expected) => {
    expect(await stdoutOf(args, stdin)).toBe(expected);
  });

  test("an address", async () => {
    expect(await stdoutOf([`${address}/hello.yaml`])).toBe("main │ hello world 1\n");
  });

  test("an address: it may not touch this machine unless asked to", async () => {
    const { code, stderr } = await user.tiphys(["run", `${address}/hello.yaml`, "--isolation", "plain"]);
    expect(stderr).toMatch(/^error\[no-runtime\] {2}this file came from an address, and /);
    expect(stderr).toContain("read it first, then: --runtime host");
    expect(code).toBe(3);
  });

  test("an address that has nothing", async () => {
    const { code, stderr } = await user.tiphys(["run", `${address}/none.yaml`]);
    expect(stderr).toBe(`error[no-file]  ${address}/none.yaml: the server answered 404 Not Found\n`);
    expect(code).toBe(2);
  });

  test("several documents: the others first, each workflow with its own name, the worst exit code", async () => {
    const { code, stdout, stderr } = await user.tiphys(["run", "--runtime", "host", "several.yaml"]);
    // How far labels are padded depends on which step speaks first.
    const lines = stdout.replaceAll(/ +│/g, " │").split("\n");
    expect(lines.sort()).toEqual(["", "first/main │ from a map", "second/main │ broken"]);
    expect(stderr).toContain("✔ first Succeeded");
    expect(stderr).toContain("✖ second Failed");
    expect(stderr).toContain("tiphys retry second --spec several.yaml");
    expect(stderr).not.toContain("Role");
    expect(code).toBe(1);
  });

  test("several templates and no word which: exit 2, with the flags to choose from", async () => {
    const { code, stderr } = await user.tiphys(["run", "library"]);
    expect(stderr).toBe(
      "error: 2 templates are there, and no Workflow: say which one to run\n" +
        "    --from workflowtemplate/build\n    --from workflowtemplate/test\n",
    );
    expect(code).toBe(2);
  });
});

function jsonHello(): object {
  const container = { image: "busybox", command: ["echo", "from json"] };
  const spec = { entrypoint: "main", templates: [{ name: "main", container }] };
  return { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", metadata: { name: "json" }, spec };
}

describe.concurrent("parameters", () => {
  test.each<[string, readonly string[], string]>([
    ["-p wins over the file's value", ["-p", "who=a=b"], "main │ hello a=b 1\n"],
    ["--parameter-file", ["--parameter-file", "parameters.yaml"], "main │ hello file 2\n"],
    ["-p wins over --parameter-file", ["-f", "parameters.yaml", "-p", "who=me"], "main │ hello me 2\n"],
  ])("%s", async (_name, flags, expected) => {
    expect(await stdoutOf(["hello.yaml", ...flags])).toBe(expected);
  });

  test("--entrypoint", async () => {
    expect(await stdoutOf(["hello.yaml", "--entrypoint", "other", "-p", "who=way"])).toBe("other │ another way\n");
  });

  test("one that nothing takes is a warning", async () => {
    const { code, stderr } = await user.tiphys(["run", "--runtime", "host", "hello.yaml", "-p", "whoo=x"]);
    expect(stderr).toContain('warning[unused]  -p whoo=x: nothing takes it\n     │ did you mean "who"?\n');
    expect(code).toBe(0);
  });
});

/** The objects that `--dry-run` prints: what would be created, and nothing is. */
async function dryRun(args: readonly string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await user.tiphys(["run", "hello.yaml", "--dry-run", "-o", "json", ...args]);
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

describe.concurrent("the workflow is called", () => {
  test.each<[string, readonly string[], object]>([
    ["--name", ["--name", "mine"], { name: "mine" }],
    ["--generate-name", ["--generate-name", "run-"], { name: expect.stringMatching(/^run-[a-z0-9]{5}$/) }],
    ["nothing", [], { name: expect.stringMatching(/^hello-[a-z0-9]{5}$/), namespace: "default" }],
    ["-n", ["-n", "ml"], { namespace: "ml" }],
    ["-l", ["-l", "team=ml,tier=gold"], { labels: { team: "ml", tier: "gold" } }],
  ])("%s", async (_name, flags, metadata) => {
    expect(await dryRun(flags)).toMatchObject({ kind: "Workflow", metadata });
  });

  test.each<[readonly string[], string]>([
    [["--name", "My_Run"], 'error[bad-name]  "My_Run" cannot be the name of a workflow\n'],
    [["-l", "team"], "error: expected labels of the form: NAME1=VALUE2,NAME2=VALUE2. Received: team"],
  ])("%j: exit 2", async (flags, expected) => {
    const { code, stderr } = await user.tiphys(["run", "hello.yaml", ...flags]);
    expect(stderr).toContain(expected);
    expect(code).toBe(2);
  });
});

describe.concurrent("stdout is only what was asked for", () => {
  test("-o json, in the whole", async () => {
    const workflow = JSON.parse(await stdoutOf(["hello.yaml", "-o", "json"]));
    expect(workflow.metadata.labels).toMatchObject({ team: "core", "workflows.argoproj.io/phase": "Succeeded" });
    expect(workflow.status).toMatchObject({ phase: "Succeeded", progress: "1/1" });
    expect(Object.values(workflow.status.nodes)).toMatchObject([{ type: "Pod", phase: "Succeeded" }]);
  });

  test("-o yaml", async () => {
    expect(await stdoutOf(["hello.yaml", "-o", "yaml"])).toMatch(
      /^apiVersion: .*\nkind: Workflow\n[\s\S]*\n {2}phase: Succeeded\n/,
    );
  });

  test("-o name", async () => {
    expect(await stdoutOf(["hello.yaml", "-o", "name", "--name", "mine"])).toBe("mine\n");
  });

  test("-o wide", async () => {
    const text = await stdoutOf(["hello.yaml", "-o", "wide"]);
    expect(text).toMatch(
      /^Name: {16}hello-\w{5}\nNamespace: {11}default\nServiceAccount: {6}runner\nStatus: {14}Succeeded\n/,
    );
    expect(text).toMatch(/\nSTEP +TEMPLATE +PODNAME +DURATION +ARTIFACTS +MESSAGE +RESOURCESDURATION +NODENAME\n/);
  });

  test("--events -, each change a line", async () => {
    const events = (await stdoutOf(["hello.yaml", "--events", "-"]))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(new Set(events.map(({ v }) => v))).toEqual(new Set([1]));
    const last = { type: "workflow", workflow: events[0].workflow, phase: "Succeeded" };
    expect(events.at(-1)).toMatchObject(last);
    const nodes = events.filter(({ type }) => type === "node");
    // A step so short may be seen only when it has ended; no phase comes again after a later one.
    const order = ["Pending", "Running", "Succeeded"];
    const ranks = nodes.map(({ phase }) => order.indexOf(phase));
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect([ranks[0], ranks.at(-1)]).toEqual([0, 2]);
    expect(nodes.at(-1)).toMatchObject({ exitCode: 0 });
  });

  test("--events FILE beside the steps' lines; --no-log without them", async () => {
    expect(await stdoutOf(["hello.yaml", "--events", "events.ndjson", "-p", "who=both"])).toBe("main │ hello both 1\n");
    const lines = readFileSync(join(user.folder, "events.ndjson"), "utf8").trimEnd().split("\n");
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ type: "workflow", phase: "Succeeded" });
    expect(await stdoutOf(["hello.yaml", "--no-log"])).toBe("");
  });

  test("both --events - and -o want it: exit 2", async () => {
    const { code, stderr } = await user.tiphys(["run", "hello.yaml", "--events", "-", "-o", "json"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: "error: --events - and -o both want stdout\n" });
  });
});

test("run alone lists what can be run below this folder, with its parameters", async () => {
  const { code, stdout, stderr } = await user.tiphys(["run"], { cwd: join(user.folder, "project") });
  expect(stdout).toBe(`tiphys run deploy.yaml -p env=dev -p tag=VALUE
    Workflow deploy-
    -p env  needs a value  (which cluster; dev or prod)
    -p tag  needs a value  (image tag)
    -p dry  = true
tiphys run template.yaml
    WorkflowTemplate build
    -p who  = template
`);
  expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
});

test("parameters without a value are listed all at once, with the flags to copy", async () => {
  const { code, stderr } = await user.tiphys(["run", "project/deploy.yaml"]);
  expect(stderr).toContain('error[no-parameter]  "env" (which cluster; dev or prod) has no value: add -p env=dev\n');
  expect(stderr).toContain('error[no-parameter]  "tag" (image tag) has no value: add -p tag=VALUE\n');
  expect(code).toBe(2);
});
