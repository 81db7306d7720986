import { existsSync } from "node:fs";
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withGivenArtifacts } from "../artifacts/index.js";
import type { Artifact } from "../core/model/argo/artifact.js";
import type { Template } from "../core/model/argo/template.js";
import { Bench } from "./testing/step.js";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(() => bench.close());

const container = { name: "", image: "busybox", command: ["true"] };

function producing(artifacts: readonly Artifact[]): Template {
  return { name: "make", container, outputs: { artifacts } };
}

function consuming(artifacts: readonly Artifact[], more: Partial<Template> = {}): Template {
  return { name: "use", container, inputs: { artifacts }, ...more };
}

test("init writes a script's source, executable", async () => {
  const step = await bench.step({ template: { name: "s", script: { ...container, source: "echo ü\n" } } });
  expect(await step.init()).toEqual({ exitCode: 0 });
  const file = join(step.volume("argo-staging"), "script");
  expect(await readFile(file, "utf8")).toBe("echo ü\n");
  expect((await lstat(file)).mode & 0o777).toBe(0o755);
});

test("wait reports result, parameters and owner in one request", async () => {
  const step = await bench.step({
    template: {
      name: "p",
      container,
      outputs: {
        parameters: [
          { name: "a", valueFrom: { path: "/tmp/a" } },
          { name: "b", valueFrom: { path: "/deep/in/b", default: "fallback" } },
        ],
      },
    },
    includeResult: true,
    stdout: "hello\n\n",
    files: { "/tmp/a": "one\ntwo\n" },
    node: "wf-report",
  });
  bench.cluster.requests.length = 0;
  expect(await step.wait()).toEqual({ exitCode: 0 });
  expect(bench.cluster.requests).toHaveLength(1);
  expect(await step.result()).toMatchObject({
    apiVersion: "argoproj.io/v1alpha1",
    kind: "WorkflowTaskResult",
    metadata: {
      name: "wf-report",
      labels: {
        "workflows.argoproj.io/workflow": "wf",
        "workflows.argoproj.io/report-outputs-completed": "true",
      },
      annotations: { "tiphys.dev/retry-generation": "2" },
      ownerReferences: [{ apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", name: "wf", uid: "wf-uid" }],
    },
    outputs: {
      result: "hello\n",
      parameters: [
        { name: "a", valueFrom: { path: "/tmp/a" }, value: "one\ntwo" },
        { name: "b", valueFrom: { path: "/deep/in/b", default: "fallback" }, value: "fallback" },
      ],
    },
  });
});

test.each<{ readonly what: string; readonly stdout: Buffer; readonly result: string }>([
  { what: "nothing", stdout: Buffer.alloc(0), result: "" },
  { what: "one newline", stdout: Buffer.from("\n"), result: "" },
  { what: "bytes that are no text", stdout: Buffer.from("a\xffb\n\n\n", "latin1"), result: "a\ufffdb\n\n" },
  { what: "a lot", stdout: Buffer.from(`${"x".repeat(300_000)}y\n`), result: `${"x".repeat(262_143)}y` },
])("the result of $what", async ({ stdout, result }) => {
  const step = await bench.step({ template: { name: "r", container }, includeResult: true, stdout });
  expect(await step.wait()).toEqual({ exitCode: 0 });
  expect((await step.result()).outputs?.result ?? "").toBe(result);
});

test("a missing output parameter fails with Argo's words, and the rest is reported", async () => {
  const step = await bench.step({
    template: {
      name: "p",
      container,
      outputs: {
        parameters: [
          { name: "no", valueFrom: { path: "/tmp/no" } },
          { name: "yes", valueFrom: { path: "/tmp/yes" } },
        ],
      },
    },
    files: { "/tmp/yes": "1" },
    node: "wf-missing",
  });
  expect(await step.wait()).toEqual({
    exitCode: 64,
    message: "open /var/run/argo/outputs/parameters/tmp/no: no such file or directory",
  });
  expect(step.log).toContain("output parameter no: main left no file /tmp/no");
  const { metadata, outputs } = await step.result();
  expect(metadata.labels?.["workflows.argoproj.io/report-outputs-completed"]).toBe("true");
  expect(outputs?.parameters).toEqual([
    { name: "no", valueFrom: { path: "/tmp/no" } },
    { name: "yes", valueFrom: { path: "/tmp/yes" }, value: "1" },
  ]);
});

test("missing output artifacts: optional ones are skipped, the others join into one error", async () => {
  const step = await bench.step({
    template: producing([
      { name: "o", path: "/tmp/no" },
      { name: "p", path: "/tmp/nope" },
      { name: "q", path: "/tmp/maybe", optional: true },
    ]),
    node: "wf-no-artifact",
  });
  expect(await step.wait()).toEqual({
    exitCode: 64,
    message:
      "open /var/run/argo/outputs/artifacts/tmp/no.tgz: no such file or directory; " +
      "open /var/run/argo/outputs/artifacts/tmp/nope.tgz: no such file or directory; ",
  });
  expect((await step.result()).outputs).toBeUndefined();
});

test.each<{ readonly what: string; readonly archive?: Artifact["archive"]; readonly file: string }>([
  { what: "tar", file: "art.tgz" },
  { what: "tar without compression", archive: { tar: { compressionLevel: 0 } }, file: "art.tgz" },
  { what: "zip", archive: { zip: {} }, file: "art.zip" },
  { what: "no archive", archive: { none: {} }, file: "out.txt" },
])("a file goes out and comes back: $what", async ({ what, archive, file }) => {
  const art = { name: "art", ...(archive === undefined ? {} : { archive }) };
  const node = `wf-${what.replaceAll(" ", "-")}`;
  const make = await bench.step({
    template: producing([{ ...art, path: "/tmp/out.txt" }]),
    files: { "/tmp/out.txt": "content" },
    node,
  });
  expect(await make.wait()).toEqual({ exitCode: 0 });
  const [saved] = (await make.result()).outputs?.artifacts ?? [];
  expect(saved).toEqual({ ...art, path: "/tmp/out.txt", s3: { key: `wf/pod-${node}/${file}` } });
  const use = await bench.step({ template: consuming([{ ...saved, name: "in", path: "/data/in.txt", mode: 0o640 }]) });
  expect(await use.init()).toEqual({ exitCode: 0 });
  expect(await readFile(use.mainPath("/data/in.txt"), "utf8")).toBe("content");
  expect((await lstat(use.mainPath("/data/in.txt"))).mode & 0o777).toBe(0o640);
});

test.each<{ readonly what: string; readonly archive?: Artifact["archive"] }>([
  { what: "tar" },
  { what: "zip", archive: { zip: {} } },
  { what: "none", archive: { none: {} } },
])("a folder goes out and comes back: $what", async ({ what, archive }) => {
  const art = { name: "art", ...(archive === undefined ? {} : { archive }) };
  const make = await bench.step({
    template: producing([{ ...art, path: "/work/out" }]),
    files: { "/work/out/a": "1", "/work/out/sub/b": "2" },
    node: `wf-folder-${what}`,
  });
  await mkdir(make.mainPath("/work/out/empty"), { recursive: true });
  await symlink("sub/b", make.mainPath("/work/out/link"));
  expect(await make.wait()).toEqual({ exitCode: 0 });
  const [saved] = (await make.result()).outputs?.artifacts ?? [];
  const use = await bench.step({ template: consuming([{ ...saved, name: "in", path: "/in" }]) });
  expect(await use.init()).toEqual({ exitCode: 0 });
  expect(await readFile(use.mainPath("/in/link"), "utf8")).toBe("2");
  expect((await lstat(use.mainPath("/in/link"))).isSymbolicLink()).toBe(true);
  expect((await lstat(use.mainPath("/in/empty"))).isDirectory()).toBe(true);
});

test("an artifact with a remote location is a file of this machine, shared by runs", async () => {
  const s3 = { endpoint: "minio:9000", bucket: "models", key: "latest.txt" };
  const make = await bench.step({
    template: producing([{ name: "m", path: "/m", archive: { none: {} }, s3 }]),
    files: { "/m": "weights" },
    node: "wf-remote",
  });
  expect(await make.wait()).toEqual({ exitCode: 0 });
  expect((await make.result()).outputs?.artifacts).toEqual([{ name: "m", path: "/m", archive: { none: {} }, s3 }]);
  expect(await readFile(join(bench.shared, "s3/models/latest.txt"), "utf8")).toBe("weights");
});

test("a missing remote artifact names the path and the flag", async () => {
  const s3 = { bucket: "ml", key: "raw/day.csv" };
  const use = await bench.step({ template: consuming([{ name: "data", path: "/data.csv", s3 }]) });
  const { exitCode, message } = await use.init();
  expect(exitCode).toBe(64);
  expect(message).toBe(
    "artifact data failed to load: s3://ml/raw/day.csv is not here, remote stores are off: it would lie at " +
      `${join(bench.shared, "s3/ml/raw/day.csv")}; --artifact use.data=PATH puts a file or folder in its place`,
  );
});

test("a repository's key-only artifacts are completed from the archive location", async () => {
  const archiveLocation = { s3: { bucket: "b", endpoint: "e", key: "base/wf" } };
  const make = await bench.step({
    template: producing([
      { name: "x", path: "/x" },
      { name: "y", path: "/y", s3: { key: "own/y.tgz" } },
    ]),
    archiveLocation,
    files: { "/x": "x", "/y": "y" },
    node: "wf-key",
  });
  expect(await make.wait()).toEqual({ exitCode: 0 });
  const saved = (await make.result()).outputs?.artifacts ?? [];
  expect(saved.map(({ s3 }) => s3)).toEqual([{ key: "base/wf/x.tgz" }, { key: "own/y.tgz" }]);
  const use = await bench.step({
    template: consuming([{ name: "in", path: "/in", s3: saved[1]?.s3 ?? {} }]),
    archiveLocation,
  });
  expect(await use.init()).toEqual({ exitCode: 0 });
  expect(await readFile(use.mainPath("/in"), "utf8")).toBe("y");
});

test.each<{ readonly what: string; readonly artifact: Artifact; readonly message: string }>([
  {
    what: "not supplied",
    artifact: { name: "a", path: "/a" },
    message: "required artifact 'a' not supplied",
  },
  {
    what: "no path",
    artifact: { name: "a", raw: { data: "" } },
    message: "Artifact 'a' did not specify a path",
  },
  {
    what: "a path upwards",
    artifact: { name: "a", path: "/x/../../etc", raw: { data: "" } },
    message: "Artifact 'a' attempted to use a path containing '..'. Directory traversal is not permitted",
  },
  {
    what: "a key upwards",
    artifact: { name: "a", path: "/a", s3: { bucket: "b", key: "x/../../../etc/passwd" } },
    message: 'artifact a failed to load: the key "x/../../../etc/passwd" goes upwards ("..")',
  },
  {
    what: "a name upwards",
    artifact: { name: "..", path: "/a", raw: { data: "" } },
    message: '".." cannot be the name of an input artifact',
  },
  {
    what: "declared as tar and is none",
    artifact: { name: "a", path: "/a", archive: { tar: {} }, raw: { data: "no tar" } },
    message: "artifact a failed to load: the archive cannot be unpacked: Unexpected end of data",
  },
])("input artifact: $what", async ({ artifact, message }) => {
  const step = await bench.step({ template: consuming([artifact]) });
  expect(await step.init()).toEqual({ exitCode: 64, message });
});

test("raw data is put at its path; a missing optional artifact is not an error", async () => {
  const step = await bench.step({
    template: consuming([
      { name: "r", path: "/r", raw: { data: "raw\n" } },
      { name: "o", path: "/o", optional: true, s3: { bucket: "b", key: "none" } },
      { name: "p", path: "/p", optional: true },
    ]),
  });
  expect(await step.init()).toEqual({ exitCode: 0 });
  expect(await readFile(step.mainPath("/r"), "utf8")).toBe("raw\n");
});

test("an artifact below a user's mount lies in that volume, and no link leads out of it", async () => {
  const template = consuming([{ name: "r", path: "/work/sub/r", raw: { data: "x" } }], {
    volumes: [{ name: "v", emptyDir: {} }],
    container: { ...container, volumeMounts: [{ name: "v", mountPath: "/work" }] },
  });
  const step = await bench.step({ template });
  expect(await step.init()).toEqual({ exitCode: 0 });
  expect(await readFile(join(step.volume("v"), "sub/r"), "utf8")).toBe("x");

  const trapped = await bench.step({ template });
  await symlink("/tmp", join(trapped.volume("v"), "sub"));
  const { exitCode, message } = await trapped.init();
  expect(exitCode).toBe(64);
  expect(message).toContain("leaves its volume by a link");
});

test("an artifact at the root of a user's mount fills the volume", async () => {
  const source = join(bench.folder, "filled");
  await mkdir(join(source, "d"), { recursive: true });
  await writeFile(join(source, "d/x"), "x");
  const step = await bench.step({
    template: consuming([{ name: "r", path: "/work", s3: { bucket: "b", key: "k" } }], {
      volumes: [{ name: "v", emptyDir: {} }],
      container: { ...container, volumeMounts: [{ name: "v", mountPath: "/work/" }] },
    }),
    overrides: [{ template: null, name: "r", path: source }],
  });
  expect(await step.init()).toEqual({ exitCode: 0 });
  expect(await readFile(join(step.volume("v"), "d/x"), "utf8")).toBe("x");
});

test.runIf(existsSync("/dev/shm"))("a volume's root may be a link of the user's to another file system", async () => {
  const elsewhere = await mkdtemp("/dev/shm/tiphys-executor-");
  try {
    const source = join(bench.folder, "linked");
    await mkdir(join(source, "d"), { recursive: true });
    await writeFile(join(source, "d/x"), "x");
    const step = await bench.step({
      template: consuming([{ name: "r", path: "/work", s3: { bucket: "b", key: "k" } }], {
        volumes: [{ name: "v", hostPath: { path: "/anywhere" } }],
        container: { ...container, volumeMounts: [{ name: "v", mountPath: "/work" }] },
      }),
      overrides: [{ template: null, name: "r", path: source }],
    });
    await rm(step.volume("v"), { recursive: true });
    await symlink(elsewhere, step.volume("v"));
    expect(await step.init()).toEqual({ exitCode: 0 });
    expect(await readFile(join(elsewhere, "d/x"), "utf8")).toBe("x");
    expect(await readdir(elsewhere)).toEqual(["d"]);
  } finally {
    await rm(elsewhere, { recursive: true });
  }
});

test("--artifact: the override of the template counts before the general one", async () => {
  const [general, own] = [join(bench.folder, "general"), join(bench.folder, "own")];
  await writeFile(general, "general");
  await writeFile(own, "own");
  const overrides = [
    { template: null, name: "in", path: general },
    { template: "use", name: "in", path: own },
  ];
  const step = await bench.step({ template: consuming([{ name: "in", path: "/in" }]), overrides });
  expect(await step.init()).toEqual({ exitCode: 0 });
  expect(await readFile(step.mainPath("/in"), "utf8")).toBe("own");
});

test("an artifact that is given by hand is found by its location, under any name", async () => {
  const path = join(bench.folder, "given");
  await writeFile(path, "given");
  const { arguments: args } = withGivenArtifacts({ arguments: { artifacts: [{ name: "data" }] } }, [
    { template: null, name: "data" },
  ]);
  const template = consuming([{ ...args?.artifacts?.[0], name: "in", path: "/in" }]);
  const step = await bench.step({ template, overrides: [{ template: null, name: "data", path }] });
  expect(await step.init()).toEqual({ exitCode: 0 });
  expect(await readFile(step.mainPath("/in"), "utf8")).toBe("given");
  const forgotten = await bench.step({ template });
  expect(await forgotten.init()).toEqual({
    exitCode: 64,
    message: "artifact data was given by hand: give it again, --artifact data=PATH",
  });
});

test("archived logs are an artifact of their own", async () => {
  const step = await bench.step({
    template: { name: "l", container },
    archiveLocation: { archiveLogs: true },
    stdout: "line\n",
    node: "wf-logs",
  });
  expect(await step.wait()).toEqual({ exitCode: 0 });
  expect((await step.result()).outputs?.artifacts).toEqual([
    { name: "main-logs", s3: { key: "wf/pod-wf-logs/main.log" } },
  ]);
  expect(await readFile(join(bench.place, "wf/pod-wf-logs/main.log"), "utf8")).toBe("line\n");
});

test("told to stop, wait still waits for what main writes while it ends", async () => {
  const step = await bench.step({
    template: { name: "p", container, outputs: { parameters: [{ name: "o", valueFrom: { path: "/o" } }] } },
    node: "wf-term",
  });
  let end: (exit: { exitCode: number }) => void = () => undefined;
  step.ended = new Promise((resolve) => {
    end = resolve;
  });
  const waiting = step.wait();
  step.stop.abort();
  await mkdir(join(step.mainPath("/o"), ".."), { recursive: true });
  await writeFile(step.mainPath("/o"), "late");
  end({ exitCode: 143 });
  expect(await waiting).toEqual({ exitCode: 0 });
  expect((await step.result()).outputs?.parameters?.[0]?.value).toBe("late");
});
