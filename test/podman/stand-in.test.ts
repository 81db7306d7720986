import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, watch, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readLog } from "../../src/cluster/kubelet/logs.js";
import { tryContainers } from "../../src/cluster/kubelet/runtime/container/try-program.js";
import { readRecords } from "../../src/cluster/kubelet/runtime/host/records.js";
import type { PodHandle } from "../../src/cluster/kubelet/runtime/port.js";
import { openPod, podOf, setupOf } from "./pods.js";
import { type StandIn, sh, standIn } from "./stand-in.js";

let on: StandIn;
beforeEach(async () => {
  on = await standIn();
});
afterEach(() => on.remove());

const runFolder = (uid: string) => join(on.podsFolder, uid, "containers", "main", "0");

async function logOf(handle: PodHandle, stream?: "stdout" | "stderr"): Promise<string> {
  const parts: Uint8Array[] = [];
  const options = stream === undefined ? {} : { stream };
  for await (const part of readLog(handle.log("main"), Promise.resolve(), options)) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** Resolves when the folder has such a file. */
async function appears(folder: string, name: string): Promise<void> {
  const over = new AbortController();
  const changes = watch(folder, { signal: over.signal })[Symbol.asyncIterator]();
  while (!existsSync(join(folder, name))) await changes.next();
  over.abort();
}

test.each(["docker", "podman"] as const)("%s: from nothing to removed, and in which order", async (program) => {
  await on.images("img");
  const runtime = await on.start({ program });
  const main = sh("echo out; echo err >&2; exit 3");
  const handle = await openPod(runtime, on.podsFolder, podOf("u1", [main]));
  const start = await handle.startContainer(setupOf(main));
  expect(start).toMatchObject({
    kind: "started",
    containerID: expect.stringMatching(new RegExp(`^${program}://[0-9a-f]{64}$`)),
  });
  expect(handle.ip).toBe("10.9.8.7");
  const exit = await handle.ended("main");
  expect(exit).toMatchObject({ exitCode: 3 });
  expect(readRecords(runFolder("u1")).exit).toEqual(exit);
  expect([await logOf(handle, "stdout"), await logOf(handle, "stderr")]).toEqual(["out\n", "err\n"]);
  const begun = (await on.calls()).find((call) => call.words[0] === "start");
  expect(begun?.onRecord).toBe(true);
  await handle.remove();
  const order = await on.called("ps", "image", "create", "start", "rm");
  expect(order).toEqual(["ps", "image", "create", "start", "rm"]);
  expect(await readdir(runFolder("u1"))).toEqual(["exit.json", "log.0"]);
  expect(await logOf(handle)).toBe("out\nerr\n");
});

test("the program's own files come to lie beside the pods, never in the folder that the user is in", async () => {
  await on.images("img");
  const runtime = await on.start({ program: "podman" });
  const main = sh("exit 0");
  const handle = await openPod(runtime, on.podsFolder, podOf("u1", [main]));
  await handle.startContainer(setupOf(main));
  await handle.ended("main");
  await handle.remove();
  const folders = new Set((await on.calls()).map(({ cwd }) => cwd));
  expect([...folders]).toEqual([join(on.podsFolder, ".programs")]);
});

test("a run that was begun is not begun again", async () => {
  await on.images("img");
  const runtime = await on.start();
  const main = sh("exit 0");
  const handle = await openPod(runtime, on.podsFolder, podOf("u1", [main]));
  const first = await handle.startContainer(setupOf(main));
  const second = await handle.startContainer(setupOf(main));
  expect(second).toEqual(first);
  await handle.ended("main");
  expect(await on.called("create", "start")).toEqual(["create", "start"]);
});

describe("images", () => {
  const main = sh("exit 0", "team/app:1");

  test.each([
    ["missing", ["team/app:1"], [], "started"],
    ["missing", [], ["pull"], "started"],
    ["always", ["team/app:1"], ["pull"], "started"],
    ["never", ["team/app:1"], [], "started"],
    ["never", [], [], "waiting"],
  ] as const)("policy %s, here %j: calls %j, %s", async (pull, here, calls, kind) => {
    await on.images(...here);
    const runtime = await on.start({ pull });
    const handle = await openPod(runtime, on.podsFolder, podOf("u1", [main]));
    expect((await handle.startContainer(setupOf(main))).kind).toBe(kind);
    // Once a run, however many containers need it.
    const other = await openPod(runtime, on.podsFolder, podOf("u2", [main]));
    expect((await other.startContainer(setupOf(main))).kind).toBe(kind);
    expect(await on.called("pull")).toEqual(calls);
  });

  test("what is pulled at the start is not pulled twice, and its progress is told", async () => {
    const runtime = await on.start({ prefetch: ["team/app:1"] });
    const told: string[] = [];
    const handle = await openPod(runtime, on.podsFolder, podOf("u1", [main]));
    await handle.startContainer(setupOf(main, { waiting: (_, message) => told.push(message) }));
    expect(await on.called("pull")).toEqual(["pull"]);
    expect(told.every((text) => /^pulling/.test(text))).toBe(true);
  });

  test("podman asks for the full name where a short one is not here", async () => {
    const runtime = await on.start({ program: "podman" });
    const short = sh("exit 0", "busybox");
    const handle = await openPod(runtime, on.podsFolder, podOf("u1", [short]));
    await handle.startContainer(setupOf(short));
    const pull = (await on.calls()).find((call) => call.words[0] === "pull");
    expect(pull?.words).toEqual(["pull", "docker.io/library/busybox"]);
  });

  test("an image of another platform is pulled for the one that is wanted", async () => {
    await on.images("team/app:1");
    const runtime = await on.start({ platform: "linux/arm64" });
    const handle = await openPod(runtime, on.podsFolder, podOf("u1", [main]));
    await handle.startContainer(setupOf(main));
    const pull = (await on.calls()).find((call) => call.words[0] === "pull");
    expect(pull?.words).toEqual(["pull", "--platform", "linux/arm64", "team/app:1"]);
  });

  test("why it cannot be pulled is a kubelet's reason with what to do, told again while it is tried again", async () => {
    await on.plays({ words: "^pull ", exitCode: 1, stderr: "Error: unauthorized: authentication required\n" });
    const runtime = await on.start();
    const ci = sh("exit 0", "registry.corp/ci:1.4");
    const handle = await openPod(runtime, on.podsFolder, podOf("u1", [ci]));
    const message = "registry.corp/ci:1.4: 401, no login: docker login registry.corp";
    expect(await handle.startContainer(setupOf(ci))).toEqual({ kind: "waiting", reason: "ErrImagePull", message });
    const told: string[] = [];
    const again = await handle.startContainer(
      setupOf(ci, { waiting: (reason, text) => told.push(`${reason} ${text}`) }),
    );
    expect(again).toEqual({ kind: "waiting", reason: "ImagePullBackOff", message });
    expect(told).toEqual([`ErrImagePull ${message}`]);
  });

  test.each(["--privileged", "UPPER", "", "a b"])("%j is no image, and no command is run for it", async (image) => {
    const runtime = await on.start();
    const wrong = sh("exit 0", image);
    const handle = await openPod(runtime, on.podsFolder, podOf("u1", [wrong]));
    expect(await handle.startContainer(setupOf(wrong))).toMatchObject({ kind: "waiting", reason: "InvalidImageName" });
    expect(await on.called()).toEqual(["ps"]);
  });
});

describe("what goes wrong at the start", () => {
  const main = sh("exit 0");

  async function attempt() {
    await on.images("img");
    const runtime = await on.start();
    const handle = await openPod(runtime, on.podsFolder, podOf("u1", [main]));
    return { handle, result: await handle.startContainer(setupOf(main)) };
  }

  test("a command that cannot be run has failed for good, and that is on record", async () => {
    const words = 'runc create failed: exec: "nonesuch": executable file not found in $PATH: unknown';
    await on.plays({ words: "^start ", exitCode: 1, stderr: `Error response from daemon: ${words}\n` });
    const { result } = await attempt();
    expect(result).toMatchObject({
      kind: "failed",
      exit: { exitCode: 128, reason: "StartError", message: 'exec: "nonesuch": executable file not found in $PATH' },
    });
    expect(readRecords(runFolder("u1")).exit).toMatchObject({ reason: "StartError" });
    // It never ran: nobody looks into it, and nobody else would remove it.
    expect(await on.called("rm")).toEqual(["rm"]);
  });

  test("what may pass is taken back, and tried again as if nothing had been", async () => {
    await on.plays({ words: "^start ", exitCode: 1, times: 1, stderr: "Error: address already allocated\n" });
    const { handle, result } = await attempt();
    expect(result).toEqual({ kind: "waiting", reason: "RunContainerError", message: "address already allocated" });
    expect(readRecords(runFolder("u1")).start).toBeUndefined();
    expect((await handle.startContainer(setupOf(main))).kind).toBe("started");
    expect(await on.called("create", "start", "rm")).toEqual(["create", "start", "rm", "create", "start"]);
  });

  test("a program that says no and has started it all the same has started it", async () => {
    const { handle, result } = await attempt();
    expect(result.kind).toBe("started");
    await handle.ended("main");
    const other = sh("exit 5");
    await on.plays({ words: "^start ", exitCode: 0, times: 0 });
    const second = await openPod(await on.start(), on.podsFolder, podOf("u2", [other]));
    expect((await second.startContainer(setupOf(other))).kind).toBe("started");
    expect((await second.ended("main")).exitCode).toBe(5);
  });

  test("without an init program the container is made without one, and so are the next", async () => {
    const stderr = "Error: container-init binary not found on the host\n";
    await on.plays({ words: "--init", exitCode: 125, stderr });
    const { result } = await attempt();
    expect(result.kind).toBe("started");
    const creates = (await on.calls()).filter((call) => call.words[0] === "create");
    expect(creates.map((call) => call.words.includes("--init"))).toEqual([true, false]);
  });

  test("one of the same name that was never put on record gives way", async () => {
    await on.images("img");
    const runtime = await on.start();
    const stderr = 'Error: Conflict. The container name "/x" is already in use by container "1"\n';
    await on.plays({ words: "^create ", exitCode: 1, times: 1, stderr });
    const handle = await openPod(runtime, on.podsFolder, podOf("u1", [main]));
    expect((await handle.startContainer(setupOf(main))).kind).toBe("started");
    expect(await on.called("create", "rm", "start")).toEqual(["create", "rm", "create", "start"]);
  });

  test("what the first process says of a missing program is a failed start", async () => {
    await on.images("img");
    const runtime = await on.start();
    const fatal = sh("echo '[FATAL tini (7)] exec nonesuch failed: No such file or directory' >&2; exit 127");
    const direct = await openPod(runtime, on.podsFolder, podOf("u2", [fatal]));
    await direct.startContainer(setupOf(fatal));
    expect(await direct.ended("main")).toMatchObject({
      exitCode: 128,
      reason: "StartError",
      message: 'exec: "sh": No such file or directory',
    });
  });
});

describe.each(["docker", "podman"] as const)("%s after a crash", (program) => {
  beforeEach(async () => {
    await on.remove();
    on = await standIn(program);
  });

  const script = (folder: string) =>
    `echo before; while [ ! -e ${folder}/go ]; do sleep 0.05; done; echo after; exit 7`;

  async function begun() {
    await on.images("img");
    const pod = podOf("u1", [sh(script(on.podsFolder))]);
    await on.crash(pod, "before");
    return pod;
  }

  const startedId = async () => (await on.calls()).find((call) => call.words[0] === "start")?.words[1] ?? "";

  const go = () => writeFile(join(on.podsFolder, "go"), "");

  test("a container that lives is followed on, its log without a gap or a repetition", async () => {
    const pod = await begun();
    const handle = await openPod(await on.start(), on.podsFolder, pod);
    expect(handle.found).toMatchObject([{ name: "main", restartCount: 0, state: "alive" }]);
    expect(handle.ip).toBe("10.9.8.7");
    await go();
    expect((await handle.ended("main")).exitCode).toBe(7);
    expect(await logOf(handle)).toBe("before\nafter\n");
    expect(await on.called("start")).toEqual(["start"]);
  });

  test("one that ended meanwhile has the exit code and the log that the program kept", async () => {
    const pod = await begun();
    await go();
    const folder = join(on.podsFolder, "..", "containers", await startedId());
    await appears(folder, "exit.json");
    const handle = await openPod(await on.start(), on.podsFolder, pod);
    expect(handle.found).toMatchObject([{ name: "main", state: { exit: { exitCode: 7 } } }]);
    expect(readRecords(runFolder("u1")).exit).toMatchObject({ exitCode: 7 });
    expect(await logOf(handle)).toBe("before\nafter\n");
  });

  test("one that is gone is lost, and stays so", async () => {
    const pod = await begun();
    await go();
    const folder = join(on.podsFolder, "..", "containers", await startedId());
    await appears(folder, "exit.json");
    await rm(folder, { recursive: true });
    const handle = await openPod(await on.start(), on.podsFolder, pod);
    expect(handle.found).toMatchObject([{ state: { exit: { exitCode: 137, reason: "ContainerStatusUnknown" } } }]);
    expect(readRecords(runFolder("u1")).exit).toMatchObject({ reason: "ContainerStatusUnknown" });
  });

  test("one that is on record and never ran is removed, so that it never will", async () => {
    await on.images("img");
    const main = sh("exit 0");
    const pod = podOf("u1", [main]);
    const first = await on.start();
    await on.plays({ words: "^start ", exitCode: 0 });
    const handle = await openPod(first, on.podsFolder, pod);
    await handle.startContainer(setupOf(main));
    await on.plays();
    const again = await openPod(await on.start(), on.podsFolder, pod);
    expect(again.found).toMatchObject([{ state: { exit: { reason: "ContainerStatusUnknown" } } }]);
    expect(await readdir(join(on.podsFolder, "..", "containers"))).toEqual([]);
  });
});

describe("what was left behind", () => {
  const main = sh("exit 0");

  async function endedPod(uid: string) {
    await on.images("img");
    const runtime = await on.start();
    const handle = await openPod(runtime, on.podsFolder, podOf(uid, [main]));
    await handle.startContainer(setupOf(main));
    await handle.ended("main");
    return runtime;
  }

  const left = async () => (await readdir(join(on.podsFolder, "..", "containers"))).length;

  test("a pod's containers are kept as long as its records", async () => {
    await endedPod("u1");
    await on.start();
    expect(await left()).toBe(1);
    await rm(join(on.podsFolder, "u1"), { recursive: true });
    await on.start();
    expect(await left()).toBe(0);
  });

  test("one that is not on record was never started, and goes", async () => {
    await endedPod("u1");
    await rm(join(runFolder("u1"), "start.json"));
    await on.start();
    expect(await left()).toBe(0);
  });

  test("one that was over before it began goes, though its record stays", async () => {
    const words = 'exec: "nonesuch": executable file not found in $PATH';
    await on.plays({ words: "^start ", exitCode: 1, stderr: words }, { words: "^(rm|kill) ", exitCode: 1, times: 2 });
    await on.images("img");
    const handle = await openPod(await on.start(), on.podsFolder, podOf("u1", [main]));
    expect((await handle.startContainer(setupOf(main))).kind).toBe("failed");
    expect(await left()).toBe(1);
    await on.start();
    expect(await left()).toBe(0);
  });

  test("what still runs of a pod that went while nobody looked is ended and removed, and nothing of the others", async () => {
    await on.images("img");
    const pods = ["gone", "here"].map((uid) => podOf(uid, [sh("echo up; exec sleep 1000")]));
    for (const pod of pods) await on.crash(pod, "up");
    const started = (await on.calls())
      .filter((call) => call.words[0] === "start")
      .map(({ words }) => words.at(-1) ?? "");
    const { pid } = JSON.parse(
      await readFile(join(on.podsFolder, "..", "containers", started[0] ?? "", "started.json"), "utf8"),
    );
    const runtime = await on.start();
    expect(await left()).toBe(2);
    await runtime.endOthers((uid) => uid === "here");
    expect(await readdir(join(on.podsFolder, "..", "containers"))).toEqual(started.slice(1));
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    const handle = await openPod(runtime, on.podsFolder, podOf("here", []));
    expect(handle.found).toMatchObject([{ state: "alive" }]);
    await handle.signal("main", "SIGKILL");
    expect((await handle.ended("main")).exitCode).toBe(137);
  });

  const collision = "Error: removing container 1 root filesystem: 1 error occurred:\n";

  test("podman trips over another process that removes the same: the second time it is gone", async () => {
    const runtime = await endedPod("u1");
    await on.plays({ words: "^rm ", exitCode: 1, times: 1, stderr: collision });
    await (await openPod(runtime, on.podsFolder, podOf("u1", []))).remove();
    expect(await left()).toBe(0);
  });

  test("a trial that ran has succeeded, and its container is left alone as long as its process is there", async () => {
    const alive = join(on.podsFolder, "..", "alive");
    await writeFile(alive, "");
    await on.plays({ words: "^run ", stdout: "id\n" }, { words: "^rm ", exitCode: 1, stderr: collision });
    const trial = { program: "podman", env: await on.asPodman(), architecture: "x64", timeoutMs: 10_000 } as const;
    expect(await tryContainers({ ...trial, processPath: alive })).toBeUndefined();
    const run = (await on.calls()).find(({ words }) => words[0] === "run");
    expect(run?.words).toContain(`dev.tiphys.place=${alive}`);
    await on.plays({ words: "^run ", exitCode: 125, stderr: "Error: no control groups\n" });
    expect(await tryContainers({ ...trial, processPath: alive })).toBe("podman run: no control groups");
  });

  test("another place's are left alone, until that place is gone", async () => {
    await endedPod("u1");
    const other = join(on.podsFolder, "..", "other");
    await mkdir(other);
    await on.start({ podsFolder: other });
    expect(await left()).toBe(1);
    await rename(on.podsFolder, `${on.podsFolder}-gone`);
    await on.start({ podsFolder: other });
    expect(await left()).toBe(0);
    await rename(`${on.podsFolder}-gone`, on.podsFolder);
  });
});

test("several containers share the network of one that holds it", async () => {
  await on.images("img");
  const runtime = await on.start();
  const [one, two] = [sh("exit 0", "img", "one"), sh("exit 0", "img", "two")];
  const handle = await openPod(runtime, on.podsFolder, podOf("u1", [one, two]));
  await handle.startContainer(setupOf(one));
  await handle.startContainer(setupOf(two));
  await Promise.all([handle.ended("one"), handle.ended("two")]);
  const creates = (await on.calls()).filter((call) => call.words[0] === "create").map((call) => call.words.join(" "));
  expect(creates).toHaveLength(3);
  expect(creates[0]).toMatch(/--ipc shareable .*--hostname pod-u1 localhost\/tiphys-pause:1$/);
  const holder = /--network (container:\w+)/.exec(creates[1] ?? "")?.[1] ?? "none";
  expect(creates[2]).toContain(`--network ${holder} `);
  await handle.remove();
  expect(await readdir(join(on.podsFolder, "..", "containers"))).toEqual([]);
});

test("images that are functions of this program need no network of their own", async () => {
  await on.images("img");
  const runtime = await on.start({ isBuiltin: (image) => image === "wait" });
  const main = sh("exit 0");
  const handle = await openPod(runtime, on.podsFolder, podOf("u1", [main, { name: "wait", image: "wait" }]));
  await handle.startContainer(setupOf(main));
  await handle.ended("main");
  expect(await on.called("create")).toEqual(["create"]);
});

test("secrets stay off the command line", async () => {
  await on.images("img");
  const runtime = await on.start();
  const main = sh('printf "%s|%s" "$TOKEN" "$HOME"');
  const handle = await openPod(runtime, on.podsFolder, podOf("u1", [main]));
  const env = { TOKEN: "s3cret\nin two lines", HOME: "/h" };
  await handle.startContainer(setupOf(main, { env }));
  await handle.ended("main");
  expect(await logOf(handle)).toBe("s3cret\nin two lines|/h");
  expect(JSON.stringify(await on.calls())).not.toContain("s3cret");
  await handle.remove();
  await expect(readFile(join(runFolder("u1"), "start.json"))).rejects.toThrow("ENOENT");
});
