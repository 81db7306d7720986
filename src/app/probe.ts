/** What this machine can do: container daemons behind their sockets, isolation, programs on PATH. */

import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ContainerProbe, IsolationProbe, Probe, ProgramProbe } from "../cli/ports.js";
import { findIsolation } from "../cluster/kubelet/index.js";
import { homeFolder } from "./home.js";

const run = promisify(execFile);
/** A program that does not answer `--version` at once is not asked further. */
const VERSION_TIMEOUT_MS = 2000;

export const probe: Probe = {
  container: (runtime, timeoutMs) => probeDaemon(runtime, timeoutMs),
  isolation: probeIsolation,
  program: probeProgram,
};

async function probeDaemon(runtime: "docker" | "podman", timeoutMs: number): Promise<ContainerProbe> {
  const address = process.env[runtime === "docker" ? "DOCKER_HOST" : "CONTAINER_HOST"];
  if (address !== undefined && !address.startsWith("unix://")) return { state: "remote", address };
  const sockets = address === undefined ? defaultSockets(runtime) : [address.slice("unix://".length)];
  let answer: ContainerProbe = { state: "absent", reason: `no ${runtime} socket` };
  for (const socket of sockets) {
    answer = await askDaemon(socket, timeoutMs);
    if (answer.state !== "absent") return answer;
  }
  return answer;
}

function defaultSockets(runtime: "docker" | "podman"): readonly string[] {
  const runtimeFolder = process.env["XDG_RUNTIME_DIR"];
  const own = runtimeFolder === undefined ? [] : [runtimeFolder];
  if (runtime === "docker") {
    return [
      "/var/run/docker.sock",
      join(homedir(), ".docker/run/docker.sock"),
      ...own.map((one) => join(one, "docker.sock")),
    ];
  }
  return [...own.map((one) => join(one, "podman/podman.sock")), "/run/podman/podman.sock"];
}

function askDaemon(socketPath: string, timeoutMs: number): Promise<ContainerProbe> {
  return new Promise((resolve) => {
    const asked = request({ socketPath, path: "/version", timeout: timeoutMs }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve({ state: "ready", version: versionIn(text) }));
    });
    asked.on("timeout", () => {
      resolve({ state: "silent" });
      asked.destroy();
    });
    asked.on("error", (error) => resolve({ state: "absent", reason: error.message }));
    asked.end();
  });
}

function versionIn(text: string): string {
  try {
    const { Version = "" } = JSON.parse(text) as { readonly Version?: string };
    return Version;
  } catch {
    return "";
  }
}

async function probeIsolation(): Promise<IsolationProbe> {
  const folder = await mkdtemp(join(tmpdir(), "tiphys-probe-"));
  try {
    const machine = await findIsolation({
      wanted: undefined,
      path: process.env["PATH"] ?? "",
      home: homedir(),
      folder,
      cacheFile: join(homeFolder(), "isolation.json"),
    });
    return { isolation: machine.isolation, reason: machine.why ?? "" };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function probeProgram(names: readonly string[]): Promise<ProgramProbe | null> {
  const folders = (process.env["PATH"] ?? "").split(":").filter((folder) => folder !== "");
  for (const name of names) {
    for (const path of name.startsWith("/") ? [name] : folders.map((folder) => join(folder, name))) {
      if (await isExecutable(path)) return { name, path, version: await versionOf(path) };
    }
  }
  return null;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Only of programs that people know by version; the others would do who knows what when asked. */
const versionedPrograms = /\/(python[0-9.]*|node|go|bash|curl)$/;

async function versionOf(path: string): Promise<string> {
  if (!versionedPrograms.test(path)) return "";
  const args = path.endsWith("/go") ? ["version"] : ["--version"];
  const { stdout } = await run(path, args, { timeout: VERSION_TIMEOUT_MS }).catch(() => ({ stdout: "" }));
  return /\d+\.\d+/.exec(stdout)?.[0] ?? "";
}
