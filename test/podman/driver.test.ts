import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { ContainerRuntime } from "../../src/cluster/kubelet/runtime/container/container-runtime.js";
import { crash } from "./crash.js";
import { IMAGE } from "./image.js";
import { type ContainerMachine, containerMachine } from "./machine.js";
import { container, logOf, logShows, openPod, podOf, runToEnd, runtimeOptions, setupOf, startRuntime } from "./pods.js";

const found = await containerMachine();
if (typeof found === "string") console.warn(`skipped: ${found}`);

const leftInTemp = async () => (await readdir(tmpdir())).filter((name) => name.startsWith("tiphys-path-"));

describe.skipIf(typeof found === "string")("driver", async () => {
  const machine = found as ContainerMachine;
  const on =
    typeof found === "string" ? { runtime: {} as ContainerRuntime, podsFolder: "" } : await startRuntime(found, "pods");
  afterAll(async () => {
    await on.runtime.close();
    await machine.remove();
  });

  test("says what it has to say on both streams and ends with its exit code", async () => {
    const { exit, stdout, stderr, start } = await runToEnd(
      on,
      "echo",
      container("main", "sh", "-c", 'echo "$GREETING $1"; printf "no newline" >&2; exit 3', "sh", "you"),
      { env: { GREETING: "hello\nthere", PATH: "/bin" } },
    );
    expect(start.kind).toBe("started");
    expect({ exit: exit.exitCode, reason: exit.reason, stdout, stderr }).toEqual({
      exit: 3,
      reason: undefined,
      stdout: "hello\nthere you\n",
      stderr: "no newline",
    });
    expect(exit.finishedAt).toBeGreaterThanOrEqual(exit.startedAt ?? Number.POSITIVE_INFINITY);
  });

  test("every byte of a binary output is in the log", async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 256));
    const source = join(machine.folder, "bytes");
    await writeFile(source, bytes);
    const { stdout } = await runToEnd(on, "binary", container("main", "cat", "/bytes"), {
      mounts: [{ path: "/bytes", source, readOnly: true }],
    });
    expect(Buffer.from(stdout, "latin1").equals(bytes)).toBe(true);
  });

  test("files come out of a container that has ended, as it saw them", async () => {
    const script =
      "mkdir -p /o/d; echo hi > /o/f; ln -s f /o/l; echo deep > /o/d/q; chmod 600 /o/f; echo bye > /dev/termination-log";
    const { handle } = await runToEnd(on, "files", container("main", "sh", "-c", script));
    expect((await handle.readFile("main", "/o/f", 4096))?.toString()).toBe("hi\n");
    expect((await handle.readFile("main", "/o/l", 4096))?.toString()).toBe("hi\n");
    expect((await handle.readFile("main", "/dev/termination-log", 4096))?.toString()).toBe("bye\n");
    expect(await handle.readFile("main", "/o/d", 4096)).toBeUndefined();
    expect(await handle.readFile("main", "/o/none", 4096)).toBeUndefined();
    const exported = await handle.exportPath("main", "/o/d");
    expect(await readFile(join(exported?.hostPath ?? "", "q"), "utf8")).toBe("deep\n");
    await exported?.dispose();
    expect(await handle.exportPath("main", "/nowhere/at/all")).toBeUndefined();
    await handle.remove();
    const left = await machine.cli("ps", "--all", "--quiet", "--filter", "label=dev.tiphys.pod-uid=files");
    expect(left.stdout).toBe("");
  });

  test.each(["comma, equal=sign and blank", "colon: new\nline", 'ünïcode "quoted\\'])(
    "a log is where it belongs, whatever its place is called: %j",
    async (name) => {
      const before = await leftInTemp();
      const place = await startRuntime(machine, name, { env: { ...machine.env, LC_ALL: "C" } });
      const script = "echo said; echo complained >&2; exit 3";
      const { handle, stdout, stderr, exit } = await runToEnd(place, "odd", container("main", "sh", "-c", script));
      expect({ stdout, stderr, exit: exit.exitCode }).toEqual({ stdout: "said\n", stderr: "complained\n", exit: 3 });
      await handle.remove();
      await place.runtime.close();
      expect(await leftInTemp()).toEqual(before);
    },
  );

  test("a mount shows the user's files and keeps what is written there", async () => {
    const source = join(machine.folder, "mine, mine");
    await mkdir(source, { recursive: true });
    await writeFile(join(source, "in"), "given");
    const { stdout, handle } = await runToEnd(
      on,
      "mount",
      container("main", "sh", "-c", "cat /work/in; pwd; echo out > result"),
      { mounts: [{ path: "/work", source, readOnly: false }] },
    );
    expect(stdout).toBe("given/\n");
    expect(await handle.readFile("main", "/work/in", 4096)).toEqual(Buffer.from("given"));
  });

  test("a working folder that the image lacks is there, and may be written", async () => {
    const main = { ...container("main", "sh", "-c", "pwd; echo x > made"), workingDir: "/not/in/image" };
    const { stdout, exit, handle } = await runToEnd(on, "workdir", main);
    expect({ stdout, exit: exit.exitCode }).toEqual({ stdout: "/not/in/image\n", exit: 0 });
    expect((await handle.readFile("main", "/not/in/image/made", 4096))?.toString()).toBe("x\n");
  });

  test("limits, user, hostname and aliases are obeyed", async () => {
    const main = {
      ...container("main", "sh", "-c", "id -u; hostname; cat /etc/hosts; touch /x 2>&1 || true"),
      securityContext: { runAsUser: 65534, readOnlyRootFilesystem: true },
      resources: { limits: { cpu: "99", memory: "64Mi" } },
    };
    const spec = { hostname: "box", hostAliases: [{ ip: "10.1.2.3", hostnames: ["db.local"] }] };
    const { stdout } = await runToEnd(on, "limits", main, { spec });
    expect(stdout.split("\n").slice(0, 2)).toEqual(["65534", "box"]);
    expect(stdout).toMatch(/10\.1\.2\.3\s+db\.local/);
    expect(stdout).toMatch(/touch: .*Read-only file system/);
  });

  test("a container that takes too much memory is killed, and OOMKilled where the program notices", async () => {
    const main = { ...container("main", "tail", "/dev/zero"), resources: { limits: { memory: "16Mi" } } };
    const { exit, start } = await runToEnd(on, "oom", main);
    const id = start.kind === "started" ? start.containerID.split("//")[1] : undefined;
    const noticed = await machine.cli("container", "inspect", "--format", "{{.State.OOMKilled}}", id ?? "");
    const reason = noticed.stdout.trim() === "true" ? "OOMKilled" : undefined;
    expect({ code: exit.exitCode, reason: exit.reason }).toEqual({ code: 137, reason });
  });

  test("a command that does not exist is a failed start, not a retry", async () => {
    const { exit } = await runToEnd(on, "nosuch", container("main", "nonesuch"));
    expect({ code: exit.exitCode, reason: exit.reason }).toEqual({ code: 128, reason: "StartError" });
    expect(exit.message).toMatch(/nonesuch.*(?:not found|No such file)/);
  });

  test("a terminal is there where one is asked for", async () => {
    const script = "test -t 1 && echo a terminal || echo none";
    const main = container("main", "sh", "-c", script);
    expect((await runToEnd(on, "plain", main)).stdout).toBe("none\n");
    expect((await runToEnd(on, "tty", { ...main, tty: true, stdin: true })).stdout).toBe("a terminal\r\n");
  });

  test("args alone go to the image's own entrypoint, and nothing at all runs its command", async () => {
    const { stdout } = await runToEnd(on, "args", { name: "main", image: IMAGE, args: ["echo", "as command"] });
    expect(stdout).toBe("as command\n");
    expect((await runToEnd(on, "bare", { name: "main", image: IMAGE })).exit.exitCode).toBe(0);
  });

  test.runIf(machine.hasInit)("SIGTERM reaches a program that does nothing about it", async () => {
    const main = container("main", "sh", "-c", "echo up; sleep 1000; true");
    const handle = await openPod(on.runtime, on.podsFolder, podOf("term", [main]));
    await handle.startContainer(setupOf(main));
    await logShows(handle, "main", /up/);
    expect(await handle.exec("main", ["sh", "-c", "echo inside; exit 4"], 20_000)).toMatchObject({
      exitCode: 4,
      output: "inside\n",
    });
    expect((await handle.shell("main"))?.args).toContain("exec");
    await handle.signal("main", "SIGTERM");
    expect((await handle.ended("main")).exitCode).toBe(143);
    expect(handle.ip).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
    await handle.remove();
  });

  test("containers of a pod share localhost, one after another and at once", async () => {
    const server = container("server", "sh", "-c", "echo ready; echo from-server | nc -l -p 8080");
    const client = container("client", "sh", "-c", "nc 127.0.0.1 8080 < /dev/null; hostname");
    const handle = await openPod(on.runtime, on.podsFolder, podOf("shared", [server, client]));
    await handle.startContainer(setupOf(server));
    await logShows(handle, "server", /ready/);
    await handle.startContainer(setupOf(client));
    expect((await handle.ended("client")).exitCode).toBe(0);
    expect(await logOf(handle, "client", "stdout")).toBe("from-server\npod-shared\n");
    expect((await handle.ended("server")).exitCode).toBe(0);
    await handle.remove();
    const left = await machine.cli("ps", "--all", "--quiet", "--filter", "label=dev.tiphys.pod-uid=shared");
    expect(left.stdout).toBe("");
  });

  test("an image that is nowhere says so, and may come later", async () => {
    const main = { ...container("main", "true"), image: "127.0.0.1:9/no/such:1" };
    const said: string[] = [];
    const handle = await openPod(on.runtime, on.podsFolder, podOf("noimage", [main]));
    const start = (): Promise<unknown> =>
      handle.startContainer(setupOf(main, { waiting: (_, text) => said.push(text) }));
    expect(await start()).toMatchObject({ kind: "waiting", reason: "ErrImagePull" });
    expect(await start()).toMatchObject({
      kind: "waiting",
      reason: "ImagePullBackOff",
      message: expect.stringMatching(/^127\.0\.0\.1:9\/no\/such:1: 127\.0\.0\.1:9 cannot be reached/),
    });
    expect(said).toContain("pulling");
  });

  test("root's files in a volume go with the pod, also where the user may not touch them", async () => {
    const volume = join(on.podsFolder, "rootfiles", "volumes", "work");
    await mkdir(volume, { recursive: true });
    const main = container(
      "main",
      "sh",
      "-c",
      "mkdir -p /work/d/e; touch /work/d/e/f; chmod 0 /work/d/e/f; chmod 500 /work/d/e /work/d",
    );
    const { handle } = await runToEnd(on, "rootfiles", main, {
      mounts: [{ path: "/work", source: volume, readOnly: false }],
    });
    await handle.remove();
    await expect(readFile(join(volume, "d", "e", "f"))).rejects.toThrow("ENOENT");
  });

  test("after kill -9 of our process the container lives, and is taken up with its log", async () => {
    const go = join(machine.folder, "go");
    await mkdir(go);
    const script = "echo before; while [ ! -e /go/now ]; do sleep 1; done; echo after; exit 7";
    const main = container("main", "sh", "-c", script);
    const pod = podOf("crash", [main]);
    const mounts = [{ path: "/go", source: go, readOnly: true }];
    await crash({ options: runtimeOptions(machine, on.podsFolder), pod, mounts, wanted: "before" });
    const next = await startRuntime(machine, "pods");
    const handle = await openPod(next.runtime, on.podsFolder, pod);
    expect(handle.found).toMatchObject([{ name: "main", restartCount: 0, state: "alive" }]);
    await writeFile(join(go, "now"), "");
    expect((await handle.ended("main")).exitCode).toBe(7);
    expect(await logOf(handle, "main", "stdout")).toBe("before\nafter\n");
    await handle.remove();
    await next.runtime.close();
  });

  test("one that ended while nobody was there has its exit and its log", async () => {
    const main = container("main", "sh", "-c", "echo before; sleep 1; echo after; exit 7");
    const pod = podOf("ended", [main]);
    await crash({ options: runtimeOptions(machine, on.podsFolder), pod, mounts: [], wanted: "before" });
    await machine.cli("wait", "tiphys_pod-ended_main_ended_0");
    const next = await startRuntime(machine, "pods");
    const handle = await openPod(next.runtime, on.podsFolder, pod);
    expect(handle.found).toMatchObject([{ name: "main", state: { exit: { exitCode: 7 } } }]);
    expect(await logOf(handle, "main", "stdout")).toBe("before\nafter\n");
    await handle.remove();
    await next.runtime.close();
  });

  test("what a process that died had made and not started is gone after the next start", async () => {
    const labels = { place: on.podsFolder, "pod-uid": "half", container: "main", restart: "0" };
    const flags = Object.entries(labels).flatMap(([name, value]) => ["--label", `dev.tiphys.${name}=${value}`]);
    await mkdir(join(on.podsFolder, "half"), { recursive: true });
    await machine.cli("create", "--name", "half", ...flags, IMAGE, "true");
    const next = await startRuntime(machine, "pods");
    expect((await machine.cli("ps", "--all", "--quiet", "--filter", "name=half")).stdout).toBe("");
    await next.runtime.close();
  });

  test("a shell in what is left has the files, the variables and the working folder", async () => {
    const main = { ...container("main", "sh", "-c", "echo kept > /tmp/kept; exit 1"), workingDir: "/tmp" };
    const { handle } = await runToEnd(on, "shell", main, { env: { COLOUR: "blue" } });
    const shell = await handle.shell("main");
    expect(shell?.env["COLOUR"]).toBe("blue");
    // The same without a terminal, which this test has none of.
    const words = (shell?.args ?? []).filter((word) => word !== "--tty" && word !== "--interactive");
    const script = words.with(-1, "cat kept; echo $COLOUR; pwd");
    const { execFile } = await import("node:child_process");
    const output = await new Promise((resolve) =>
      execFile(shell?.file ?? "", script, { env: shell?.env }, (_, stdout, stderr) => resolve(stdout + stderr)),
    );
    expect(output).toBe("kept\nblue\n/tmp\n");
  });
});
