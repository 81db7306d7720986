import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Workflow } from "../../core/model/argo/workflow.js";
import { pods, workflows } from "../../core/model/resources.js";
import { ApiError, TransportError } from "../../kube/errors.js";
import { LOAD_TIMEOUT_MS, loadCommands } from "../fakes/load-commands.js";
import { type FakeController, FakePlaces, oneStep } from "../fakes/places.js";
import { type FakePorts, type FakePortsOptions, fakePorts } from "../fakes/ports.js";
import { at } from "../fakes/workflows.js";
import { main } from "../main.js";

beforeAll(loadCommands, LOAD_TIMEOUT_MS);

let cwd = "";
let host = new FakePlaces();
let seed = 0;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "tiphys-cli-"));
  host = new FakePlaces();
  await writeFile(join(cwd, "hello.yaml"), hello("main"));
});

function hello(entrypoint: string): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: hello}
spec:
  entrypoint: ${entrypoint}
  templates:
  - name: main
    container: {image: alpine, command: [echo, hi]}
`;
}

async function tiphys(argv: readonly string[], options: Partial<FakePortsOptions> = {}) {
  seed += 1;
  const ports = fakePorts({ cwd, host, seed, ...options });
  const code = await main(argv, ports);
  return { code, out: ports.stdout.text, err: ports.stderr.text };
}

async function ran(exitCode: number): Promise<void> {
  host.controller = oneStep("one\ntwo\n", exitCode);
  await tiphys(["run", "hello.yaml", "-q"]);
}

/** A place that somebody owns in the background, with one workflow in that status. */
async function running(
  status: Workflow["status"],
): Promise<{ readonly ports: FakePorts; readonly ended: Promise<number> }> {
  let created: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    created = resolve;
  });
  host.controller = async (place, workflow) => {
    if (workflow.status !== undefined) return;
    await place.cluster.update<Workflow>(workflows, { ...workflow, ...(status === undefined ? {} : { status }) });
    created();
  };
  seed += 1;
  const ports = fakePorts({ cwd, host, seed });
  const ended = main(["run", "hello.yaml", "-q"], ports);
  await ready;
  await ports.clock.advance(1000);
  return { ports, ended };
}

test("a later process: list, get, logs, by name and @latest", async () => {
  await ran(0);
  expect((await tiphys(["list"])).out).toBe(
    "NAME    STATUS      AGE   DURATION   PRIORITY   MESSAGE\nhello   Succeeded   0s    3s         0\n",
  );
  expect((await tiphys(["list", "-o", "name", "--no-headers"])).out).toBe("hello\n");
  expect(JSON.parse((await tiphys(["list", "-o", "json"])).out)).toMatchObject([{ metadata: { name: "hello" } }]);
  expect((await tiphys(["get", "@latest", "-o", "short"])).out).toContain("✔ hello");
  expect((await tiphys(["get", "hello", "-o", "yaml"])).out).toContain("phase: Succeeded");
  expect((await tiphys(["logs", "@latest"])).out).toBe("hello: one\nhello: two\n");
  expect((await tiphys(["logs", "hello", "main", "--grep", "t.o"])).out).toBe("hello: two\n");
  expect(await tiphys(["get", "helo"])).toMatchObject({
    code: 1,
    err: 'error: workflow "helo" not found\n  did you mean "hello"?\n',
  });
  expect((await tiphys(["logs", "hello", "mian"])).err).toContain('has no step "mian"');
  expect(await tiphys(["wait", "hello"])).toMatchObject({
    code: 0,
    out: "hello Succeeded at 2026-11-30 06:00:03 +0000 UTC\n",
  });
});

test("list -o json leaves out what was deleted since it was listed", async () => {
  await ran(0);
  host.only.cluster.fault = (verb) => {
    if (verb === "get") throw new ApiError(404, "NotFound", 'workflows.argoproj.io "hello" not found');
  };
  expect(await tiphys(["list", "-o", "json"])).toMatchObject({ code: 0, out: "[]\n" });
});

test.each<[string, number, readonly string[], RegExp]>([
  ["list, its first request", 1, ["list"], /^hello +Lost/m],
  ["list, its second", 2, ["list", "-o", "yaml"], /name: hello/],
  ["get, its first", 1, ["get", "hello"], /^Status: +Lost: its process is gone$/m],
  ["get, its second", 2, ["get", "hello", "-o", "yaml"], /name: hello/],
])("an owner that ends while it is asked leaves its store: %s", async (_, number, argv, said) => {
  const { ports, ended } = await running({ phase: "Running", startedAt: at(0) });
  const { cluster } = host.only;
  let requests = 0;
  cluster.fault = (verb) => {
    if (verb !== "watch") requests += 1;
    if (requests < number) return;
    host.only.owned = false;
    cluster.fault = () => undefined;
    throw new TransportError("read ECONNRESET");
  };
  expect(await tiphys(argv)).toMatchObject({ code: 0, out: expect.stringMatching(said) });
  for (let signal = 0; signal < 3; signal++) {
    await ports.clock.advance(300);
    ports.send("SIGINT");
  }
  await ended;
});

test("the newest of a name is meant; --in says which", async () => {
  await ran(1);
  const [first = ""] = [...host.places.keys()];
  await new Promise((resolve) => setImmediate(resolve));
  host.controller = oneStep("again\n", 0);
  seed += 1;
  const later = fakePorts({ cwd, host, seed });
  await later.clock.advance(60_000);
  await main(["run", "hello.yaml", "-q"], later);
  const index = JSON.parse(await readFile(join(first, "index.json"), "utf8"));
  expect(index.workflows).toHaveLength(1);
  expect((await tiphys(["list", "--in", index.uid, "-o", "name"])).out).toBe("hello\n");
  expect((await tiphys(["list", "-o", "name"])).out).toBe("hello\nhello\n");
  expect((await tiphys(["get", "hello", "--in", index.uid.slice(0, 8)])).out).toContain("Status:              Failed");
});

test("retry goes on in the foreground where nobody owns the place, with its settings", async () => {
  await ran(2);
  host.only.logs.clear();
  host.controller = async (place, workflow) => {
    if (workflow.status?.phase === "" && workflow.status.finishedAt === undefined) {
      await place.cluster.update<Workflow>(workflows, {
        ...workflow,
        status: { ...workflow.status, phase: "Succeeded", finishedAt: at(9) },
      });
    }
  };
  const { code, err } = await tiphys(["retry", "@latest"]);
  expect(err).toContain("✔ hello Succeeded");
  expect(code).toBe(0);
  expect(host.only.closed.at(-1)).toBe("owner ended");
  expect(await host.only.cluster.list(pods)).toMatchObject({ items: [] });
  expect((await tiphys(["list", "-o", "name", "--status", "Succeeded"])).out).toBe("hello\n");
  expect((await tiphys(["retry", "hello"])).err).toContain("To retry a succeeded workflow");
});

test("a plain retry says that the file has changed; --spec takes it", async () => {
  await ran(2);
  await writeFile(join(cwd, "hello.yaml"), hello("main").replace("hi]", "fixed]"));
  host.controller = async (place, workflow) => {
    if (workflow.status?.finishedAt === undefined) {
      const status = { ...workflow.status, phase: "Failed" as const, finishedAt: at(9) };
      await place.cluster.update<Workflow>(workflows, { ...workflow, status });
    }
  };
  expect((await tiphys(["retry", "hello"])).err).toContain("hello.yaml has changed since");
  const { out } = await tiphys(["retry", "hello", "--spec", "hello.yaml", "-o", "json"]);
  expect(JSON.parse(out).spec.templates[0].container.command).toEqual(["echo", "fixed"]);
});

const wrong = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: hello}
spec:
  entrypoint: mian
  templates:
  - name: main
    container: {image: alpine, command: [echo, "{{inputs.parameters.who}}"]}
`;

test.each([
  ["all that is wrong with it, as run says it", wrong, 2, [/^hello\.yaml:5:15 {2}error/m, /inputs\.parameters\.who/]],
  ["a field that there is not", hello("main").replace("entrypoint", "entrypont"), 2, [/did you mean "entrypoint"/]],
  [
    "what the place lacks",
    hello("main").replace("command", "envFrom: [{secretRef: {name: db}}], command"),
    3,
    [/Secret db/],
  ],
  [
    "what is not built yet",
    hello("main").replace("spec:", "spec:\n  synchronization: {mutexes: [{name: m}]}"),
    3,
    [/not built/],
  ],
] as const)("retry --spec checks the file before it touches anything: %s", async (_, text, exitCode, said) => {
  await ran(2);
  const before = await host.only.cluster.get<Workflow>(workflows, { namespace: "default", name: "hello" });
  await writeFile(join(cwd, "hello.yaml"), text);
  const { code, out, err } = await tiphys(["retry", "hello", "--spec", "hello.yaml"]);
  expect({ code, out }).toEqual({ code: exitCode, out: "" });
  for (const pattern of said) expect(err).toMatch(pattern);
  expect(await host.only.cluster.get<Workflow>(workflows, { namespace: "default", name: "hello" })).toEqual(before);
  expect(host.only.closed).toEqual(["owner ended", "reader ended"]);
});

test("what the place has been given need not be given again", async () => {
  host.controller = oneStep("one\n", 1);
  await writeFile(
    join(cwd, "hello.yaml"),
    hello("main").replace("command", "envFrom: [{secretRef: {name: db}}], command"),
  );
  await writeFile(join(cwd, ".env"), "url=x\n");
  await tiphys(["run", "hello.yaml", "-q", "--secret", "db=.env"]);
  host.controller = failsAgain;
  const { code, err } = await tiphys(["retry", "hello", "--spec", "hello.yaml"]);
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining("✖ hello Failed") });
});

/** Nothing runs; what is taken up fails once more at the same step. */
const failsAgain: FakeController = async (place, workflow) => {
  if (workflow.status?.finishedAt !== undefined) return;
  const node = {
    id: "hello",
    name: "hello",
    displayName: "hello",
    type: "Pod" as const,
    templateName: "main",
    phase: "Failed" as const,
    message: "exit 2",
  };
  const status = { ...workflow.status, phase: "Failed" as const, finishedAt: at(9), nodes: { hello: node } };
  await place.cluster.update<Workflow>(workflows, { ...workflow, status });
};

test("the last words after a retry have the position, as long as the file is what was run", async () => {
  await ran(2);
  host.controller = failsAgain;
  expect((await tiphys(["retry", "hello"])).err).toContain("✖ main  hello.yaml:8:5  ");
  await writeFile(join(cwd, "hello.yaml"), `# new\n${hello("main")}`);
  const { err } = await tiphys(["retry", "hello"]);
  expect(err).toContain("hello.yaml has changed since");
  expect(err).not.toContain("hello.yaml:");
  expect((await tiphys(["retry", "hello", "--spec", "hello.yaml"])).err).toContain("✖ main  hello.yaml:9:5  ");
  const plain = await tiphys(["retry", "hello"]);
  expect(plain.err).toContain("✖ main  hello.yaml:9:5  ");
  expect(plain.err).not.toContain("has changed");
});

test("another terminal acts on a run: stop, suspend, resume, node set", async () => {
  const approve = { id: "a", name: "hello.a", displayName: "a", type: "Suspend" as const, phase: "Running" as const };
  const outputs = { parameters: [{ name: "answer", valueFrom: { supplied: {} } }] };
  const { ports, ended } = await running({ phase: "Running", startedAt: at(0), nodes: { a: { ...approve, outputs } } });
  expect((await tiphys(["list"])).out).toContain("Running (Suspended)");
  const set = ["node", "set", "hello", "--node-field-selector", "displayName=a", "-p", "answer=yes", "-m", "ok"];
  expect(await tiphys(set)).toMatchObject({ code: 0, out: "workflow values set\n" });
  expect((await tiphys(["suspend", "hello"])).out).toBe("workflow hello suspended\n");
  expect((await tiphys(["resume", "@latest"])).out).toBe("workflow hello resumed\n");
  const workflow = await host.only.cluster.get<Workflow>(workflows, { namespace: "default", name: "hello" });
  expect(workflow.status?.nodes?.["a"]).toMatchObject({
    phase: "Succeeded",
    outputs: { parameters: [{ name: "answer", value: "yes" }] },
  });
  expect((await tiphys(["stop", "hello", "--dry-run"])).out).toBe("workflow hello stopped (dry-run)\n");
  expect((await tiphys(["terminate", "-l", "!x"])).out).toBe("workflow hello terminated\n");
  expect(await tiphys(["run", "--resume", "hello"])).toMatchObject({ code: 1 });
  const last = await host.only.cluster.get<Workflow>(workflows, { namespace: "default", name: "hello" });
  expect(last.spec.shutdown).toBe("Terminate");
  await host.only.cluster.update<Workflow>(workflows, {
    ...last,
    status: { ...last.status, phase: "Failed", finishedAt: at(20) },
  });
  await ports.clock.advance(5000);
  expect(await ended).toBe(1);
});

/** As far apart as a person sends them. */
async function threeSignals(ports: FakePorts): Promise<void> {
  for (let signals = 0; signals < 3; signals++) {
    ports.send("SIGTERM");
    await ports.clock.advance(300);
  }
}

test("a window that is closed is one interrupt, however often it tells", async () => {
  const { ports, ended } = await running({ phase: "Running", startedAt: at(0), nodes: {} });
  for (let signals = 0; signals < 3; signals++) ports.send("SIGHUP");
  await ports.clock.advance(1000);
  const key = { namespace: "default", name: "hello" };
  const stopped = await host.only.cluster.get<Workflow>(workflows, key);
  expect(stopped.spec.shutdown).toBe("Stop");
  const status = { ...stopped.status, phase: "Failed" as const, finishedAt: at(20) };
  await host.only.cluster.update<Workflow>(workflows, { ...stopped, status });
  await ports.clock.advance(5000);
  expect(await ended).toBe(143);
  expect(host.only.closed).toEqual(["owner ended"]);
});

test("a run whose process died: list says so, resume names the other command, run --resume goes on", async () => {
  const { ports, ended } = await running({ phase: "Running", startedAt: at(0), nodes: {} });
  await threeSignals(ports);
  expect(await ended).toBe(143);
  expect((await tiphys(["list"])).out).toMatch(/^hello +Lost .* its process is gone: tiphys run --resume hello$/m);
  expect((await tiphys(["list", "--status", "Running", "-o", "name"])).out).toBe("hello\n");
  const { out } = await tiphys(["get", "hello"]);
  expect(out).toMatch(/^Status: +Lost: its process is gone\nGo on with: +tiphys run --resume hello$/m);
  const followed = await tiphys(["logs", "-f", "hello"]);
  expect(followed).toMatchObject({ code: 0, err: "the process of hello is gone: tiphys run --resume hello\n" });
  expect((await tiphys(["resume", "hello"])).err).toContain("tiphys run --resume hello");
  expect((await tiphys(["suspend", "hello"])).err).toContain("tiphys run --resume hello");
  expect((await tiphys(["wait", "hello"])).err).toContain("tiphys run --resume hello");
  expect((await tiphys(["retry", "hello"])).err).toContain("tiphys run --resume hello");
  host.beginning = async () => {
    const workflow = await host.only.cluster.get<Workflow>(workflows, { namespace: "default", name: "hello" });
    const status = { ...workflow.status, phase: "Succeeded" as const, finishedAt: at(30) };
    await host.only.cluster.update<Workflow>(workflows, { ...workflow, status });
  };
  expect(await tiphys(["run", "--resume", "hello", "-q"])).toMatchObject({ code: 0 });
});

test("the last words of a run that was gone on with have the position", async () => {
  const { ports, ended } = await running({ phase: "Running", startedAt: at(0), nodes: {} });
  await threeSignals(ports);
  await ended;
  host.controller = () => undefined;
  host.beginning = async () => {
    const lost = await host.only.cluster.get<Workflow>(workflows, { namespace: "default", name: "hello" });
    await failsAgain(host.only, lost);
  };
  expect((await tiphys(["run", "--resume", "hello"])).err).toContain("✖ main  hello.yaml:8:5  ");
});

test("a run whose process died before its index knew the workflow is found in its store", async () => {
  const { ports, ended } = await running({ phase: "Running", startedAt: at(0), nodes: {} });
  await threeSignals(ports);
  expect(await ended).toBe(143);
  const [folder = ""] = host.places.keys();
  const index = JSON.parse(await readFile(join(folder, "index.json"), "utf8"));
  await writeFile(join(folder, "index.json"), JSON.stringify({ ...index, workflows: [] }));
  expect((await tiphys(["list"])).out).toMatch(/^hello +Lost .*its process is gone: tiphys run --resume hello$/m);
  expect(host.only.closed.at(-1)).toBe("reader ended");
});

/** The owner is gone while somebody else watches through its socket. */
async function ownerDies(watchers: number): Promise<void> {
  const { cluster } = host.only;
  while (cluster.watchers < watchers) await new Promise((resolve) => setImmediate(resolve));
  host.only.owned = false;
  cluster.fault = (verb) => {
    if (verb === "watch") throw new Error("connection refused");
  };
  cluster.breakWatches(new Error("other side closed"));
}

const lostHello = "the process of hello is gone";

test.each([
  [["wait", "hello"], 3, 1, `error: ${lostHello}: it will not end by itself\n  tiphys run --resume hello\n`],
  [["logs", "-f", "hello"], 4, 0, `${lostHello}: tiphys run --resume hello\n`],
] as const)("%j does not wait for an owner that died", async (argv, watchers, code, err) => {
  await running({ phase: "Running", startedAt: at(0), nodes: {} });
  const waiting = tiphys(argv);
  await ownerDies(watchers);
  expect(await waiting).toEqual({ code, out: "", err });
});

test("submit --watch does not watch a place for ever whose owner died", async () => {
  host.controller = async (place, workflow) => {
    if (workflow.status !== undefined) return;
    const status = { phase: "Running" as const, startedAt: at(0), nodes: {} };
    await place.cluster.update<Workflow>(workflows, { ...workflow, status });
  };
  seed += 1;
  const up = fakePorts({ cwd, host, seed });
  void main(["up"], up);
  while (!up.stderr.text.includes("up: ")) await new Promise((resolve) => setImmediate(resolve));
  const watching = tiphys(["submit", "hello.yaml", "--watch"]);
  await ownerDies(3);
  const { code, err } = await watching;
  expect(code).toBe(1);
  expect(err).toMatch(/^✖ hello Lost \d+s\nerror: the process that owned .*\/up is gone\n {2}tiphys up\n$/m);
});

test("of an owner that ended in order, the end is read from the store where it was not heard", async () => {
  await running({ phase: "Running", startedAt: at(0), nodes: {} });
  const waiting = tiphys(["wait", "hello"]);
  const { cluster } = host.only;
  while (cluster.watchers < 3) await new Promise((resolve) => setImmediate(resolve));
  host.ownership = async () => {
    const workflow = await cluster.get<Workflow>(workflows, { namespace: "default", name: "hello" });
    const status = { ...workflow.status, phase: "Succeeded" as const, finishedAt: at(30) };
    await cluster.update<Workflow>(workflows, { ...workflow, status });
    return "free";
  };
  cluster.fault = (verb) => {
    if (verb === "watch") throw new Error("connection refused");
  };
  cluster.breakWatches(new Error("other side closed"));
  expect(await waiting).toMatchObject({ code: 0, out: "hello Succeeded at 2026-11-30 06:00:30 +0000 UTC\n" });
});

test("what its owner could not write down any more is read from the store", async () => {
  await ran(2);
  const [folder = ""] = host.places.keys();
  const index = JSON.parse(await readFile(join(folder, "index.json"), "utf8"));
  const rows = index.workflows.map((row: object) => ({ ...row, status: "Running", phase: "Running", finishedAt: "" }));
  await writeFile(join(folder, "index.json"), JSON.stringify({ ...index, workflows: rows }));
  expect((await tiphys(["list"])).out).toMatch(/^hello +Failed /m);
  host.open = () => Promise.reject(new Error("damaged"));
  expect((await tiphys(["list"])).out).toMatch(/^hello +Lost /m);
});

test("what has ended is not resumed; what succeeded is not to be retried", async () => {
  await ran(0);
  expect(await tiphys(["resume", "hello"])).toMatchObject({
    code: 1,
    out: "",
    err: "error: hello has ended: Succeeded\n",
  });
  const again = await tiphys(["run", "--resume", "hello"]);
  expect(again).toMatchObject({ code: 1, out: "", err: "error: hello has ended: Succeeded\n" });
  expect(host.only.closed).toEqual(["owner ended"]);
});

test("delete takes the place of a run with it", async () => {
  await ran(0);
  expect(await tiphys(["delete", "nobody"])).toMatchObject({ code: 0, out: "Workflow 'nobody' not found\n" });
  expect((await tiphys(["delete", "--completed", "--dry-run"])).out).toBe("Workflow 'hello' deleted (dry-run)\n");
  expect((await tiphys(["delete", "@latest"])).out).toBe("Workflow 'hello' deleted\n");
  expect((await tiphys(["list"])).out).toBe("No workflows found\n");
  expect((await tiphys(["list", "-o", "json"])).out).toBe("[]\n");
});

test("shell says what it enters and gives its exit code; cp writes the artifacts", async () => {
  await ran(1);
  const shell = await tiphys(["shell", "@latest"]);
  expect(shell.err).toContain("image alpine, in /src");
  expect(shell.err).toContain("it ran: make 'all it'");
  expect(shell.code).toBe(7);
  const workflow = await host.only.cluster.get<Workflow>(workflows, { namespace: "default", name: "hello" });
  const node = workflow.status?.nodes?.["hello"];
  if (node === undefined) throw new Error("no node");
  const nodes = { hello: { ...node, outputs: { artifacts: [{ name: "report" }] } } };
  await host.only.cluster.update<Workflow>(workflows, { ...workflow, status: { ...workflow.status, nodes } });
  host.only.artifacts.set("hello/report", "bytes");
  expect((await tiphys(["cp", "hello", "out"])).out).toBe(
    'Created "out/default/hello/hello/outputs/report/report.tgz"\n',
  );
  expect(await readFile(join(cwd, "out/default/hello/hello/outputs/report/report.tgz"), "utf8")).toBe("bytes");
  expect((await tiphys(["cp", "hello", "out", "--path", "../../x"])).err).toContain("leads out of");
  expect((await tiphys(["cp", "hello", "/", "--path", join(cwd, "whole")])).out).toBe('Created "whole/report.tgz"\n');
});

test("up takes what submit hands over; a second up names the first; without one submit says so", async () => {
  expect(await tiphys(["submit", "hello.yaml"])).toMatchObject({
    code: 3,
    err: "error: no place is up\n  tiphys run FILE, or tiphys up in another terminal\n",
  });
  seed += 1;
  const up = fakePorts({ cwd, host, seed });
  const ended = main(["up"], up);
  while (!up.stderr.text.includes("up: ")) await new Promise((resolve) => setImmediate(resolve));
  const second = await tiphys(["up"]);
  expect(second.code).toBe(1);
  expect(second.err).toContain(`a place is up already: ${join(cwd, ".home/up")}/api.sock`);
  expect((await tiphys(["submit", "hello.yaml", "--wait", "--watch"])).err).toContain(
    "--wait cannot be combined with --watch",
  );
  host.controller = oneStep("hi\n", 0);
  expect(await tiphys(["submit", "hello.yaml", "-o", "name", "--wait"])).toMatchObject({ code: 0, out: "hello\n" });
  expect((await tiphys(["list"])).out).toContain("hello   Succeeded");
  up.send("SIGINT");
  expect(await ended).toBe(130);
});

test("lint: pretty and simple, exit 1 for findings and for nothing to lint", async () => {
  expect(await tiphys(["lint", "hello.yaml"])).toMatchObject({ code: 0, out: "✔ no linting errors found!\n" });
  await writeFile(join(cwd, "bad.yaml"), hello("main").replace("templates", "templats"));
  const pretty = await tiphys(["lint", "bad.yaml", "hello.yaml"]);
  expect(pretty.code).toBe(1);
  expect(pretty.out).toContain("bad.yaml:6:3  error[unknown-field]  spec.templats: no such field");
  expect(pretty.out).toContain("✖ 1 linting errors found!");
  const simple = await tiphys(["lint", "bad.yaml", "-o", "simple"]);
  expect(simple.out).toBe('bad.yaml: in "hello" (Workflow): spec.templats: no such field\n');
  const schedule =
    "schedules: [0 3 * * *]\n  timezone: Europe/Berln\n  workflowSpec: {entrypoint: t, templates: [{name: t, suspend: {}}]}";
  await writeFile(
    join(cwd, "cron.yaml"),
    `apiVersion: argoproj.io/v1alpha1\nkind: CronWorkflow\nmetadata: {name: x}\nspec:\n  ${schedule}\n`,
  );
  const cron = await tiphys(["lint", "cron.yaml"]);
  expect(cron).toMatchObject({ code: 1, out: expect.stringContaining("Europe/Berlin") });
  expect(await tiphys(["lint", "hello.yaml", "--kinds", "cronwf"])).toMatchObject({ code: 1 });
  expect((await tiphys(["lint", "hello.yaml", "--kinds", "pods"])).err).toContain("unknown kind: pods");
});
