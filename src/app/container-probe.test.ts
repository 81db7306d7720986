import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { askDaemon, probeContainers } from "./container-probe.js";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: ";

async function daemon(answer: (socket: Socket) => void): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tiphys-probe-"));
  const path = join(folder, "socket");
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    server.close();
    await rm(folder, { recursive: true });
  });
  return path;
}

test("a daemon that answers", async () => {
  const path = await daemon((socket) => socket.end(`${OK}18\r\n\r\n{"Version":"27.1"}`));
  expect(await askDaemon(path, 60_000)).toEqual({ state: "ready", version: "27.1" });
});

test("half an answer, another answer, no answer to the end: none of them is a daemon that works, and each is told", async () => {
  const cut = await daemon((socket) => socket.end(`${OK}1000\r\n\r\n{"Version"`));
  expect(await askDaemon(cut, 60_000)).toEqual({ state: "refused", reason: `${cut} gives half an answer` });
  const broken = await daemon((socket) => socket.end("HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nno"));
  expect(await askDaemon(broken, 60_000)).toEqual({ state: "refused", reason: "its daemon answers 500" });
  const slow = await daemon((socket) => socket.write(`${OK}1000\r\n\r\n{`));
  expect(await askDaemon(slow, 50)).toEqual({ state: "silent" });
  expect(await askDaemon(`${slow}-none`, 60_000)).toEqual({
    state: "absent",
    reason: `nobody listens at ${slow}-none`,
  });
  const other = await daemon((socket) => socket.end("SSH-2.0-OpenSSH\r\n"));
  expect(await askDaemon(other, 60_000)).toMatchObject({ state: "refused", reason: expect.stringContaining(other) });
});

describe("a program that is installed and cannot run containers is named, with what it said", () => {
  let bin: string;
  beforeEach(async () => {
    bin = await mkdtemp(join(tmpdir(), "tiphys-probe-"));
    vi.stubEnv("PATH", `${bin}:/usr/bin:/bin`);
    vi.stubEnv("TIPHYS_HOME", join(bin, "home"));
    for (const name of ["DOCKER_HOST", "CONTAINER_HOST"]) vi.stubEnv(name, "");
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(bin, { recursive: true });
  });
  const installed = (name: string, script: string): Promise<void> =>
    writeFile(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const asked = { timeoutMs: 60_000, failures: "remembered" } as const;

  test.each([
    ["Error: no such user", "no such user"],
    ['time=\\"now\\" level=error msg=\\"reading \\\\\\"a.conf\\\\\\": line 1\\"', 'reading "a.conf": line 1'],
    ["first\\nsecond", "first"],
    ["a warning\\nError: cannot re-exec", "cannot re-exec"],
  ])("podman, which says %s", async (said, told) => {
    await installed("podman", `printf "${said}\\n" >&2; exit 125`);
    expect(await probeContainers("podman", asked)).toEqual({
      state: "refused",
      reason: `${bin}/podman version: ${told}`,
    });
  });

  test("podman, which knows its version and runs no container: remembered for a while, not where it is named", async () => {
    await installed("podman", `[ "$1" = version ] && echo 5.0 && exit; echo "Error: $(cat ${bin}/why)" >&2; exit 1`);
    await writeFile(join(bin, "why"), "no crun");
    const first = await probeContainers("podman", asked);
    expect(first).toMatchObject({
      state: "refused",
      reason: expect.stringMatching(/podman cannot run a container: .*no crun$/),
    });
    await writeFile(join(bin, "why"), "no cgroups");
    expect(await probeContainers("podman", asked)).toEqual(first);
    expect(await probeContainers("podman", { ...asked, failures: "tried again" })).toMatchObject({
      reason: expect.stringContaining("no cgroups"),
    });
  });

  test("podman, whose address nobody listens at, is not asked", async () => {
    await installed("podman", "exit 1");
    vi.stubEnv("CONTAINER_HOST", `unix://${bin}/none`);
    expect(await probeContainers("podman", asked)).toEqual({
      state: "absent",
      reason: `nobody listens at ${bin}/none`,
    });
  });

  // Where docker runs, it is used, whatever its program says.
  test.skipIf(existsSync("/var/run/docker.sock"))("docker, whose context is gone", async () => {
    await installed("docker", 'echo "context \\"colima\\": context not found" >&2; exit 1');
    vi.stubEnv("XDG_RUNTIME_DIR", bin);
    const reason = `${bin}/docker context inspect: context "colima": context not found`;
    expect(await probeContainers("docker", asked)).toEqual({ state: "refused", reason });
  });
});
