import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { begin, type HostFixture, hostFixture, realClock, runToEnd } from "../../testing/host-fixture.js";
import { gone } from "../../testing/processes.js";
import type { HostRuntime } from "./host-runtime.js";
import type { Isolation } from "./machine.js";

// Real processes on a machine that may be busy: a limit against hanging, not a measure.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const fixture: HostFixture = await hostFixture({
  path: process.env["PATH"] ?? "/usr/bin:/bin",
  home: process.env["HOME"] ?? "/root",
  clock: realClock(() => Date.now()),
});
const probe = await fixture.start();
const best = probe.machine.isolation;
await probe.close();
afterAll(() => fixture.remove());

/** Those that this machine allows; full allows no-proc as well. */
const isolations: readonly Isolation[] =
  best === "full" ? ["full", "no-proc", "plain"] : best === "no-proc" ? ["no-proc", "plain"] : ["plain"];

describe.each(isolations)("isolation %s", (isolation) => {
  let runtime: HostRuntime;
  let count = 0;
  const uid = () => `${isolation}-${count++}`;
  const sh = (script: string) => ["sh", "-c", script];

  beforeAll(async () => {
    runtime = await fixture.start({ isolation, cacheFile: join(fixture.folder, `${isolation}.json`) });
    return () => runtime.close();
  });

  test("is in force", () => {
    expect(runtime.machine.isolation).toBe(isolation);
  });

  test("echo: exit code, both streams, a last line without newline", async () => {
    const run = await runToEnd(fixture, runtime, {
      uid: uid(),
      argv: sh("echo hello; echo oops >&2; printf end; exit 3"),
    });
    expect(run.exit).toMatchObject({ exitCode: 3 });
    expect(run.stdout).toBe("hello\nend");
    expect(run.stderr).toBe("oops\n");
  });

  test.each([
    ["exit 255", 255],
    ["kill -9 $$", 137],
    ["kill -TERM $$", 143],
    ["exec >&- 2>&-; exit 4", 4],
  ])("%s", async (script, exitCode) => {
    const run = await runToEnd(fixture, runtime, { uid: uid(), argv: sh(script) });
    expect(run.exit.exitCode).toBe(exitCode);
    expect(run.stderr).toBe("");
  });

  test("only PATH and what the container names is in the environment", async () => {
    const run = await runToEnd(fixture, runtime, { uid: uid(), argv: ["env"], env: { MINE: "a b" } });
    const names = run.stdout.split("\n").map((line) => line.split("=")[0] ?? "");
    expect(run.stdout).toContain("MINE=a b\n");
    const known = new Set([
      "PATH",
      "HOME",
      "HOSTNAME",
      "TMPDIR",
      "PWD",
      "OLDPWD",
      "TIPHYS_RUN",
      "MINE",
      "SHLVL",
      "_",
      "",
    ]);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  test("binary output is kept byte for byte", async () => {
    const run = await runToEnd(fixture, runtime, { uid: uid(), argv: ["cat", "/bin/sh"] });
    expect(run.stdout === (await readFile("/bin/sh")).toString("latin1")).toBe(true);
  });

  test("4 MB of lines are all there", async () => {
    const run = await runToEnd(fixture, runtime, {
      uid: uid(),
      argv: sh("yes 0123456789012345678 | head -c 4000000"),
    });
    expect(run.stdout.length).toBe(4_000_000);
    expect(run.stdout.endsWith("0123456789012345678\n")).toBe(true);
  });

  test("SIGTERM ends it; what ignores SIGTERM is ended by SIGKILL", async () => {
    const polite = await begin(fixture, runtime, { uid: uid(), argv: ["sleep", "1000"] });
    await polite.handle.signal("main", "SIGTERM");
    expect((await polite.handle.ended("main")).exitCode).toBe(143);
    const script = "trap '' TERM; echo ready; while :; do sleep 1000; done";
    const rude = await begin(fixture, runtime, { uid: uid(), argv: sh(script) });
    const log = rude.handle.log("main");
    await log.grown(0, new AbortController().signal);
    await rude.handle.signal("main", "SIGTERM");
    await rude.handle.signal("main", "SIGKILL");
    expect((await rude.handle.ended("main")).exitCode).toBe(137);
  });

  test("daemons that it left behind end with it", async () => {
    const id = uid();
    const run = await runToEnd(fixture, runtime, { uid: id, argv: sh("setsid sleep 1000 & sleep 1001 & echo bye") });
    expect(run.stdout).toBe("bye\n");
    await gone(id);
  });

  test("a missing program names itself and the image", async () => {
    const run = await runToEnd(fixture, runtime, {
      uid: uid(),
      argv: ["cowsay", "hi"],
      container: { image: "docker/whalesay" },
    });
    expect(run.exit).toMatchObject({ exitCode: 128, reason: "StartError" });
    expect(run.exit.message).toContain('program "cowsay"');
    expect(run.exit.message).toContain('"docker/whalesay"');
  });

  test("mounts and outputs at paths that do not exist on the machine", async () => {
    const id = uid();
    const volume = join(fixture.folder, `volume-${id}`);
    await mkdir(volume);
    await writeFile(join(volume, "in"), "given");
    const path = join(fixture.folder, `mount-${id}`, "deep/volume");
    const run = await runToEnd(fixture, runtime, {
      uid: id,
      argv: sh(`cat ${path}/in && echo made >${path}/out`),
      mounts: [{ path, source: volume, readOnly: false }],
    });
    expect(run.stderr).toBe("");
    expect(run.stdout).toBe("given");
    expect((await run.handle.readFile("main", `${path}/out`, 4096))?.toString()).toBe("made\n");
    const exported = await run.handle.exportPath("main", path);
    expect(readdirSync(exported?.hostPath ?? "").toSorted()).toEqual(["in", "out"]);
    expect(existsSync(path)).toBe(false);
  });

  test("a command runs beside it", async () => {
    const { handle } = await begin(fixture, runtime, {
      uid: uid(),
      argv: sh("echo up; exec sleep 1000"),
      env: { A: "b" },
    });
    await handle.log("main").grown(0, new AbortController().signal);
    expect(await handle.exec("main", sh("echo $A; exit 5"), 5000)).toEqual({
      exitCode: 5,
      output: "b\n",
      timedOut: false,
    });
    expect(await handle.exec("main", ["sleep", "1000"], 50)).toMatchObject({ timedOut: true });
    await handle.signal("main", "SIGKILL");
    await handle.ended("main");
  });

  test("when its owner goes, its containers end and are lost", async () => {
    const id = uid();
    const own = await fixture.start({ isolation, cacheFile: join(fixture.folder, `${isolation}.json`) });
    const { handle } = await begin(fixture, own, { uid: id, argv: ["sleep", "1000"] });
    await own.close();
    await gone(id);
    expect(await handle.ended("main")).toMatchObject({ exitCode: 137, reason: "ContainerStatusUnknown" });
    const again = await fixture.start({ isolation, cacheFile: join(fixture.folder, `${isolation}.json`) });
    const reopened = await begin(fixture, again, { uid: id, argv: ["true"] });
    expect(reopened.handle.found).toMatchObject([{ name: "main", restartCount: 0, state: "lost" }]);
    // The same run never begins twice.
    expect(reopened.result).toMatchObject({ kind: "failed" });
    expect(await reopened.handle.ended("main")).toMatchObject({ exitCode: 128, reason: "StartError" });
    await again.close();
  });

  test("an ended run is found again, with its files and its log", async () => {
    const id = uid();
    await runToEnd(fixture, runtime, { uid: id, argv: sh("echo said; exit 6") });
    const again = await fixture.start({ isolation, cacheFile: join(fixture.folder, `${isolation}.json`) });
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { uid: id }, spec: { containers: [] } };
    const handle = await again.openPod({ pod, folder: join(fixture.podsFolder, id) });
    expect(handle.found).toMatchObject([{ name: "main", state: { exit: { exitCode: 6 } } }]);
    expect((await handle.log("main").read(0, 1000)).toString()).toContain("stdout F said\n");
    await again.close();
  });
});

describe.skipIf(best === "plain")("in a sandbox", () => {
  let runtime: HostRuntime;
  beforeAll(async () => {
    runtime = await fixture.start();
    return () => runtime.close();
  });

  test("the machine is as it was, and what it wrote can be read", async () => {
    const script =
      "echo a >/new-file && mkdir -p /x/y && echo b >/x/y/z && echo c >/tmp/t && echo d >$HOME/h && hostname";
    const run = await runToEnd(fixture, runtime, { uid: "sandboxed", argv: ["sh", "-c", script] });
    expect(run.stderr).toBe("");
    for (const [path, text] of [
      ["/new-file", "a\n"],
      ["/x/y/z", "b\n"],
      ["/tmp/t", "c\n"],
      ["/root/h", "d\n"],
    ] as const) {
      expect((await run.handle.readFile("main", path, 4096))?.toString()).toBe(text);
      expect(existsSync(path)).toBe(false);
    }
    expect(run.stdout).toBe("pod-sandboxed\n");
    expect((await run.handle.readFile("main", "/etc/passwd", 4096))?.length).toBeGreaterThan(0);
    expect(await run.handle.readFile("main", "/etc/no-such-file", 4096)).toBeUndefined();
  });

  test("homes are not shown, and read-only mounts are", async () => {
    const volume = join(fixture.folder, "read-only");
    await mkdir(volume);
    const run = await runToEnd(fixture, runtime, {
      uid: "masked",
      argv: ["sh", "-c", "ls -A /home; touch /ro/file || echo refused"],
      mounts: [{ path: "/ro", source: volume, readOnly: true }],
    });
    expect(run.stdout).toBe("refused\n");
  });

  test("a file can be mounted over another, and the working folder is made", async () => {
    const file = join(fixture.folder, "hosts");
    await writeFile(file, "mine\n");
    const run = await runToEnd(fixture, runtime, {
      uid: "file-mount",
      argv: ["sh", "-c", "pwd; cat /etc/hosts"],
      workingDir: "/some/where",
      mounts: [{ path: "/etc/hosts", source: file, readOnly: true }],
    });
    expect(run.stdout).toBe("/some/where\nmine\n");
  });
});

describe("plain", () => {
  let runtime: HostRuntime;
  const out = join(fixture.folder, "fixed-out");
  beforeAll(async () => {
    runtime = await fixture.start({
      isolation: "plain",
      cacheFile: join(fixture.folder, "p.json"),
      writtenPaths: () => [out],
    });
    return () => runtime.close();
  });

  test("containers that write the same path run one after another, and each keeps its own file", async () => {
    const runs = await Promise.all(
      ["w1", "w2", "w3"].map((id) =>
        runToEnd(fixture, runtime, { uid: id, argv: ["sh", "-c", `echo ${id} >>${out}; cat ${out}`] }),
      ),
    );
    expect(runs.map((run) => run.stdout)).toEqual(["w1\n", "w2\n", "w3\n"]);
    const kept = await Promise.all(runs.map(async (run) => (await run.handle.readFile("main", out, 4096))?.toString()));
    expect(kept).toEqual(["w1\n", "w2\n", "w3\n"]);
    expect(existsSync(out)).toBe(false);
  });

  test("a path that exists is refused by name", async () => {
    await writeFile(out, "precious");
    const run = await runToEnd(fixture, runtime, { uid: "taken", argv: ["true"] });
    expect(run.exit.message).toContain(out);
    expect(await readFile(out, "utf8")).toBe("precious");
    await rm(out);
  });

  test("a mount that only arguments name is put into them", async () => {
    const volume = join(fixture.folder, "staging");
    await mkdir(volume);
    await writeFile(join(volume, "script"), "echo ran");
    const run = await runToEnd(fixture, runtime, {
      uid: "rewritten",
      argv: ["sh", "/argo/staging/script"],
      mounts: [{ path: "/argo/staging", source: volume, readOnly: false }],
    });
    expect(run.stdout).toBe("ran\n");
    expect(existsSync("/argo")).toBe(false);
  });
});
