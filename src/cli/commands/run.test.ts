import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { workflows } from "../../core/model/resources.js";
import { LOAD_TIMEOUT_MS, loadCommands } from "../fakes/load-commands.js";
import { FakePlaces, oneStep } from "../fakes/places.js";
import { type FakePorts, type FakePortsOptions, fakePorts } from "../fakes/ports.js";
import { at } from "../fakes/workflows.js";
import { main } from "../main.js";

beforeAll(loadCommands, LOAD_TIMEOUT_MS);

let cwd = "";
let host = new FakePlaces();

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "tiphys-cli-"));
  host = new FakePlaces();
});

const hello = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {generateName: hello-}
spec:
  entrypoint: main
  arguments: {parameters: [{name: who, value: world}]}
  templates:
  - name: main
    container: {image: alpine, command: [echo, "{{workflow.parameters.who}}"]}
`;

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly ports: FakePorts;
}

async function tiphys(argv: readonly string[], options: Partial<FakePortsOptions> = {}): Promise<Outcome> {
  const ports = fakePorts({ cwd, host, ...options });
  const code = await main(argv, ports);
  return { code, out: ports.stdout.text, err: masked(ports.stderr.text), ports };
}

function masked(text: string): string {
  return text.replaceAll(cwd, "CWD").replace(/hello-[a-z0-9]{5}/g, "hello-xxxxx");
}

async function file(name: string, text: string): Promise<void> {
  await writeFile(join(cwd, name), text);
}

test("a run that succeeds: the step's lines on stdout, one line at the end, exit 0", async () => {
  await file("hello.yaml", hello);
  host.controller = oneStep("hi\nthere\n", 0);
  const { code, out, err } = await tiphys(["run", "hello.yaml"]);
  expect(out).toBe("main │ hi\nmain │ there\n");
  expect(err).toMatchInlineSnapshot(`
    "runtime: host, full isolation (no docker or podman socket, all images are base images)
    ✔ main 3s
    ✔ hello-xxxxx Succeeded 3s
    "
  `);
  expect(code).toBe(0);
  expect(host.only.closed).toEqual(["owner ended"]);
  expect(host.only.options).toMatchObject({ runtime: "host", isolation: "full", maxPods: 8 });
});

test.each([
  ["none/e.ndjson", "there is no folder none: make it first"],
  [".", "it is a folder: name a file in it"],
  ["hello.yaml/e", "a file stands where a folder should be"],
])("--events %s cannot be written: said before anything is begun", async (events, why) => {
  await file("hello.yaml", hello);
  const { code, err, ports } = await tiphys(["run", "hello.yaml", "--events", events]);
  expect(err).toContain(`error: --events ${events}: ${why}\n`);
  expect(code).toBe(2);
  expect(host.places.size).toBe(0);
  expect(ports.clock.pending).toBe(0);
});

test.each([[], ["-q"]])("--events on a disk that is full: told once, and the run goes on %j", async (...more) => {
  await file("hello.yaml", hello);
  // It takes the opening, and not a byte.
  await symlink("/dev/full", join(cwd, "e.ndjson"));
  host.controller = oneStep("hi\n", 0);
  const { code, err } = await tiphys(["run", "hello.yaml", "--events", "e.ndjson", ...more]);
  const told = err.match(/warning: --events e\.ndjson: no space is left on the disk; the run goes on/g);
  expect(told).toHaveLength(1);
  expect(code).toBe(0);
});

test("a run that fails: what, where, the end of its log, the next commands, exit 1", async () => {
  await file("hello.yaml", hello);
  host.controller = oneStep("boom\n", 2);
  const { code, err } = await tiphys(["run", "hello.yaml", "--no-log"]);
  expect(err).toMatchInlineSnapshot(`
    "runtime: host, full isolation (no docker or podman socket, all images are base images)
    ✖ main 3s  exit 2
    ✖ hello-xxxxx Failed 3s
    ✖ main  hello.yaml:9:5  image alpine  exit 2 after 3s
        $ sh -c 'echo hi'
        │ boom
      after a fix, only the rest   tiphys retry hello-xxxxx --spec hello.yaml
      look inside                  tiphys shell hello-xxxxx main
      the whole log                tiphys logs hello-xxxxx main
    "
  `);
  expect(code).toBe(1);
});

test("-o prints the ended workflow and nothing else", async () => {
  await file("hello.yaml", hello);
  host.controller = oneStep("hi\n", 0);
  const { out } = await tiphys(["run", "hello.yaml", "-o", "json", "-p", "who=me"]);
  expect(JSON.parse(out)).toMatchObject({
    kind: "Workflow",
    spec: { arguments: { parameters: [{ name: "who", value: "me" }] } },
    status: { phase: "Succeeded" },
  });
});

test("--events - has one line a change and nothing else", async () => {
  await file("hello.yaml", hello);
  host.controller = oneStep("hi\n", 0);
  const { out } = await tiphys(["run", "hello.yaml", "--events", "-"]);
  const events = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.map(({ type, phase }) => `${type} ${phase}`)).toEqual([
    "workflow Pending",
    "node Succeeded",
    "workflow Succeeded",
  ]);
});

test("Ctrl-C: once stops, twice terminates, three times leaves", async () => {
  await file("hello.yaml", hello);
  const seen: string[] = [];
  let proceed = (): void => undefined;
  host.controller = (_, workflow) => {
    seen.push(workflow.spec.shutdown ?? "run");
    proceed();
  };
  const ports = fakePorts({ cwd, host });
  const ended = main(["run", "hello.yaml"], ports);
  for (const shutdown of ["run", "Stop", "Terminate"]) {
    await new Promise<void>((resolve) => {
      proceed = resolve;
      if (seen.at(-1) === shutdown) resolve();
    });
    await ports.clock.advance(300);
    ports.send("SIGINT");
  }
  expect(await ended).toBe(130);
  expect(seen).toEqual(["run", "Stop", "Terminate"]);
  expect(host.only.closed).toEqual(["owner abandon"]);
});

test("what the controller still saves while the user leaves is in the last words, and in the index", async () => {
  await file("hello.yaml", hello);
  const ports = fakePorts({ cwd, host });
  let begun: () => void = () => undefined;
  const running = new Promise<void>((resolve) => {
    begun = resolve;
  });
  host.controller = () => begun();
  host.lastPass = async (place, workflow) => {
    const status = { ...workflow.status, phase: "Failed" as const, startedAt: at(0), finishedAt: at(9) };
    await place.cluster.update(workflows, { ...workflow, status });
  };
  const ended = main(["run", "hello.yaml", "--events", "e.ndjson"], ports);
  await running;
  for (let signal = 0; signal < 3; signal++) {
    await ports.clock.advance(300);
    ports.send("SIGINT");
  }
  expect(await ended).toBe(130);
  expect(ports.stderr.text).toMatch(/go on where it stopped +tiphys retry \S+\n$/);
  expect(await readFile(join(cwd, "e.ndjson"), "utf8")).toContain('"phase":"Failed"');
  const [folder = ""] = host.places.keys();
  expect(JSON.parse(await readFile(join(folder, "index.json"), "utf8")).workflows).toMatchObject([{ phase: "Failed" }]);
});

test("Ctrl-C while the place is made stops the run once it is there", async () => {
  await file("hello.yaml", hello);
  const ports = fakePorts({ cwd, host });
  host.beginning = () => {
    ports.send("SIGINT");
    return Promise.resolve();
  };
  host.controller = async (place, workflow) => {
    if (workflow.spec.shutdown === undefined || workflow.status?.finishedAt !== undefined) return;
    const status = { ...workflow.status, phase: "Failed" as const, finishedAt: at(9) };
    await place.cluster.update(workflows, { ...workflow, status });
  };
  expect(await main(["run", "hello.yaml"], ports)).toBe(130);
  expect(ports.stderr.text).toContain("stopping; a further signal does more\n");
  expect(host.only.closed).toEqual(["owner ended"]);
});

test("Ctrl-C while the place is given back ends by force what is left; its echo does not", async () => {
  await file("hello.yaml", hello);
  host.controller = oneStep("hi\n", 0);
  const ports = fakePorts({ cwd, host });
  let forced: () => void = () => undefined;
  const byForce = new Promise<void>((resolve) => {
    forced = resolve;
  });
  host.ending = (reason) => {
    if (reason === "abandon") forced();
    else for (const signal of ["SIGINT", "SIGINT"] as const) ports.send(signal);
    return byForce;
  };
  expect(await main(["run", "hello.yaml"], ports)).toBe(0);
  expect(host.only.closed).toEqual(["owner ended", "owner abandon"]);
  const [folder = ""] = host.places.keys();
  expect(JSON.parse(await readFile(join(folder, "index.json"), "utf8")).workflows).toMatchObject([
    { phase: "Succeeded" },
  ]);
});

test("on a terminal: the tree, with the lines above it", async () => {
  await file("hello.yaml", hello);
  host.controller = oneStep("\x1b[31mhi\x1b[0m\x1b[2J\n", 0);
  const { out, err } = await tiphys(["run", "hello.yaml", "--no-color"], { terminal: { columns: 60, rows: 20 } });
  expect(out).toContain("main │ hi\n");
  expect(err).toMatch(/└─✔ main {40,}3s\n/);
});

test("in GitHub's CI: a group a step, an annotation at the failed one, a table", async () => {
  await file("hello.yaml", hello);
  await file("summary.md", "");
  host.controller = oneStep("::error::not mine\n", 3);
  const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(cwd, "summary.md") };
  const { out } = await tiphys(["run", "hello.yaml"], { env });
  expect(out.replace(/[0-9a-f-]{36}/g, "TOKEN").replace(/hello-[a-z0-9]{5}/g, "hello-xxxxx")).toMatchInlineSnapshot(`
    "::group::main
    ::stop-commands::TOKEN
    ::error::not mine
    ::TOKEN::
    ::endgroup::
    ::error file=hello.yaml,line=9,col=5,title=step main failed::exit 3
    "
  `);
  expect(await readFile(join(cwd, "summary.md"), "utf8")).toContain("| main | failed | 3s | exit 3 |");
});

test("GitHub is told files as its checkout names them, wherever below it the command was called", async () => {
  await file("hello.yaml", hello);
  await file("wrong.yaml", hello.replace("entrypoint: main", "entrypoint: mian"));
  host.controller = oneStep("", 3);
  const env = { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: dirname(cwd) };
  const folder = basename(cwd);
  expect((await tiphys(["run", "hello.yaml"], { env })).out).toContain(`::error file=${folder}/hello.yaml,line=9,`);
  const wrong = await tiphys(["run", "wrong.yaml"], { env });
  expect(wrong.out).toContain(`::error file=${folder}/wrong.yaml,line=`);
  expect(wrong.err).toMatch(/^wrong\.yaml:/);
  const lint = await tiphys(["lint", "wrong.yaml"], { env });
  expect(lint.out).toContain(`::error file=${folder}/wrong.yaml,line=`);
});

test("what is missing is told at once, with the flags that give it; nothing starts", async () => {
  await file(
    "ci.yaml",
    `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: ci, namespace: ml-prod}
spec:
  entrypoint: main
  templates:
  - name: main
    dag:
      tasks:
      - {name: a, template: a}
      - {name: b, templateRef: {name: go-build, template: x}}
  - name: a
    container:
      image: alpine
      command: [env]
      env:
      - {name: URL, valueFrom: {secretKeyRef: {name: db, key: url}}}
      envFrom:
      - configMapRef: {name: app}
`,
  );
  const { code, err } = await tiphys(["run", "ci.yaml"]);
  expect(err).toMatchInlineSnapshot(`
    "error[missing]  before step 1: Secret db (key url, ci.yaml:17:54), ConfigMap app (ci.yaml:19:30)
         │ --secret db=.env --configmap app=DIR, or from your cluster:
         │ kubectl -n ml-prod get secret/db cm/app -o yaml > l.yaml; tiphys run ci.yaml --with l.yaml
    ci.yaml:11:39  error[no-template]  WorkflowTemplate "go-build" was not given
      11 │       - {name: b, templateRef: {name: go-build, template: x}}
         │                                       ^^^^^^^^
         │ add --with FILE (or a folder) that defines it, or from your cluster:
         │ kubectl -n ml-prod get wftmpl/go-build -o yaml > l.yaml; tiphys run ci.yaml --with l.yaml
    "
  `);
  expect(code).toBe(3);
  expect(host.places.size).toBe(0);
  await file(".env", "export url='postgres://x' # not really\n");
  const given = await tiphys(["run", "ci.yaml", "--secret", "db=.env", "--configmap", "app/K=v"]);
  expect(given.err).toContain('WorkflowTemplate "go-build" was not given');
  expect(given.err).not.toContain("before step 1");
  const stubbed = ["run", "ci.yaml", "--secret", "db=.env", "--configmap", "app/K=v", "--stub", "x", "--dry-run"];
  expect(await tiphys(stubbed)).toMatchObject({ code: 0 });
  await file(
    "lib.yaml",
    "apiVersion: argoproj.io/v1alpha1\nkind: WorkflowTemplate\nmetadata: {name: go-build, namespace: argo}\nspec: {templates: [{name: x, container: {image: alpine, command: [sh]}}]}\n",
  );
  const near = await tiphys(["run", "ci.yaml", "--secret", "db=.env", "--configmap", "app/K=v"]);
  expect(near.err).toContain("lib.yaml:1 defines it: add --with lib.yaml");
  const dry = await tiphys([
    "run",
    "ci.yaml",
    "--secret",
    "db=.env",
    "--configmap",
    "app/K=v",
    "--with",
    "lib.yaml",
    "--dry-run",
    "-o",
    "name",
  ]);
  expect(dry).toMatchObject({ code: 0, out: "go-build\ndb\napp\ngo-build\nci\n" });
});

test("parameters: all that lack a value at once; one that nothing takes is a warning", async () => {
  await file(
    "p.yaml",
    `apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: {name: build}
spec:
  entrypoint: main
  arguments:
    parameters:
    - {name: env, description: which cluster, enum: [dev, prod]}
    - {name: size, default: "3"}
  templates:
  - name: main
    container: {image: alpine, command: [sh]}
`,
  );
  const { code, err } = await tiphys(["run", "p.yaml"]);
  expect(err).toMatchInlineSnapshot(`
    "p.yaml:8:14  error[no-parameter]  "env" (which cluster; dev or prod) has no value: add -p env=dev
       8 │     - {name: env, description: which cluster, enum: [dev, prod]}
         │              ^^^
    p.yaml:9:14  error[no-parameter]  "size" has no value: add -p size=3
       9 │     - {name: size, default: "3"}
         │              ^^^^
    "
  `);
  expect(code).toBe(2);
  host.controller = oneStep("", 0);
  const run = await tiphys(["run", "p.yaml", "-p", "env=dev", "-p", "size=1", "-p", "sise=2"]);
  expect(run.err).toContain('warning[unused]  -p sise=2: nothing takes it\n     │ did you mean "size"?');
  expect(run.code).toBe(0);
});

test("run alone lists what can be run, and exits 2; -f names its mistake", async () => {
  await file("hello.yaml", hello);
  const alone = await tiphys(["run"]);
  expect(alone).toMatchObject({ code: 2, out: "tiphys run hello.yaml\n    Workflow hello-\n    -p who  = world\n" });
  const mistaken = await tiphys(["run", "-f", "hello.yaml"]);
  expect(mistaken).toMatchObject({ code: 2 });
  expect(mistaken.err).toContain("leave out -f");
});

test("stdin, a folder, several documents, defaults of tiphys.yaml", async () => {
  host.controller = oneStep("hi\n", 0);
  expect(await tiphys(["run", "-", "--name", "piped", "-q"], { stdin: hello })).toMatchObject({ code: 0, out: "" });
  await file("hello.yaml", hello);
  await file("values.yaml", "image: {{ .Values.image }}\n");
  await file("tiphys.yaml", "parameters: {who: team}\nenv: {A: 1}\nmaxPod: 3\n");
  const wrong = await tiphys(["run", "."]);
  expect(wrong.err).toContain("tiphys.yaml:3:1  error[unknown-field]  maxPod: no such field");
  await file("tiphys.yaml", "parameters: {who: team}\nenv: {A: 1}\n");
  host = new FakePlaces();
  host.controller = oneStep("hi\n", 0);
  const { code, out, err } = await tiphys(["run", ".", "-o", "json"], { seed: 8 });
  expect(err).toContain("defaults from CWD/tiphys.yaml");
  expect(JSON.parse(out).spec.arguments.parameters[0].value).toBe("team");
  expect(host.only.options.env).toEqual({ A: "1" });
  expect(code).toBe(0);
  expect((await readdir(join(cwd, ".home/runs"))).length).toBe(2);
});

test("tiphys.yaml: that of the folder that is run, with nothing but comments, with an address", async () => {
  await mkdir(join(cwd, "ci"));
  await file("ci/hello.yaml", hello);
  await file("tiphys.yaml", "runtime: nonsense\n");
  await file("ci/tiphys.yaml", "# nothing yet\n");
  host.controller = oneStep("hi\n", 0);
  expect((await tiphys(["run", "ci"])).err).toContain("defaults from CWD/ci/tiphys.yaml");
  expect((await tiphys(["run", "ci/hello.yaml", "-q"])).code).toBe(0);
  await file("ci/tiphys.yaml", "with: http://127.0.0.1:1/lib.yaml\n");
  expect((await tiphys(["run", "ci"])).err).toContain("http://127.0.0.1:1/lib.yaml: bad port");
});

test("problems and errors look as the flags say, also where the flags were never read", async () => {
  await file("bad.yaml", hello.replace("entrypoint", "entrypont"));
  const terminal = { columns: 80, rows: 24 };
  expect((await tiphys(["run", "bad.yaml"], { terminal })).err).toMatch(/\x1b\[[\s\S]*│/);
  const plain = await tiphys(["run", "--no-color", "bad.yaml", "--no-utf8"], { terminal });
  expect(plain.err).toContain("bad.yaml:5:3  error[unknown-field]");
  expect(plain.err).not.toMatch(/[^\x20-\x7e\n]/);
  expect((await tiphys(["run", "--nope", "--no-color"], { terminal })).err).toMatch(/^error: /);
});

test("two workflows of one name, and labels that no server takes, are refused before anything is made", async () => {
  const one = hello.replace("{generateName: hello-}", "{name: same}");
  await file("same.yaml", [one, one.replace("name: same", "name: same, labels: {a: x}")].join("---\n"));
  const same = await tiphys(["run", "same.yaml"]);
  expect(same).toMatchObject({ code: 2, out: "" });
  expect(same.err).toMatch(
    /^same\.yaml:13:18 {2}error\[duplicate-name\] {2}there are two workflows of the name "same"\n/,
  );
  expect((await tiphys(["run", "same.yaml", "-l", "a=b c"])).code).toBe(2);
  await file("label.yaml", hello.replace("hello-}", "hello-, labels: {a.b/c: d e}}"));
  const label = await tiphys(["run", "label.yaml"]);
  expect(label.err).toMatch(
    /^label\.yaml:3:\d+ {2}error\[bad-name\] {2}"d e" cannot be the value of the label a\.b\/c\n/,
  );
  expect(host.places.size).toBe(0);
});

test("a flag that takes one file takes no folder", async () => {
  await mkdir(join(cwd, "values"));
  await file("values/a.yaml", "who: team\n");
  await file("hello.yaml", hello);
  const parameters = await tiphys(["run", "hello.yaml", "-f", "values"]);
  expect(parameters).toMatchObject({ code: 2, err: "error: --parameter-file values: is a folder\n" });
  expect((await tiphys(["run", "hello.yaml", "--script", "values"])).err).toBe("error: --script values: is a folder\n");
});

test("several workflows: one after the other in the last words, the worst exit code", async () => {
  const two = ["a", "b"].map((name) => hello.replace("{generateName: hello-}", `{name: ${name}}`)).join("---\n");
  await file("two.yaml", two);
  host.controller = (place, workflow) => oneStep("hi\n", workflow.metadata.name === "b" ? 4 : 0)(place, workflow);
  const { code, out, err } = await tiphys(["run", "two.yaml", "--no-color"], { terminal: { columns: 60, rows: 24 } });
  expect(code).toBe(1);
  expect(out).toContain("main │ hi\n");
  expect(err).toContain("✔ a Succeeded 3s\n✖ b Failed 3s\n");
  const named = await tiphys(["run", "two.yaml", "--name", "x"]);
  expect(named.err).toContain("--name x fits one workflow, and there are 2");
});
