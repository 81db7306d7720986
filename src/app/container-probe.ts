/** Whether docker and podman can be used here: docker by its daemon's socket, podman by running a container. */

import { execFile } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ContainerProbe } from "../cli/ports.js";
import { tryContainers } from "../cluster/kubelet/index.js";
import { environment } from "./environment.js";
import { homeFolder } from "./home.js";
import { findProgram } from "./programs.js";
import { systemClock } from "./system-clock.js";

const run = promisify(execFile);

/** Gives up with "silent" after `timeoutMs`. */
export async function probeContainers(runtime: "docker" | "podman", timeoutMs: number): Promise<ContainerProbe> {
  const program = await findProgram([runtime]);
  if (program === undefined) return { state: "absent", reason: `no ${runtime} program` };
  const address = process.env[runtime === "docker" ? "DOCKER_HOST" : "CONTAINER_HOST"] || undefined;
  if (runtime === "docker") return probeDocker(address ?? (await contextAddress(timeoutMs)), timeoutMs);
  if (address !== undefined && !address.startsWith("unix://")) return { state: "remote", address };
  return probePodman(program.path, timeoutMs);
}

async function probeDocker(address: string | undefined, timeoutMs: number): Promise<ContainerProbe> {
  if (address !== undefined && !address.startsWith("unix://")) return { state: "remote", address };
  const sockets = address === undefined ? defaultSockets() : [address.slice("unix://".length)];
  let answer: ContainerProbe = { state: "absent", reason: "no docker socket" };
  for (const socket of sockets) {
    const next = await askDaemon(socket, timeoutMs);
    if (next.state === "ready" || next.state === "silent") return next;
    // Of one that refuses there is more to say than of one that is not there.
    if (answer.state === "absent") answer = next;
  }
  return answer;
}

/** Of the context in use (Docker Desktop, Colima, …); undefined when the program knows no contexts. */
async function contextAddress(timeoutMs: number): Promise<string | undefined> {
  const args = ["context", "inspect", "--format", "{{.Endpoints.docker.Host}}"];
  const { stdout } = await run("docker", args, { timeout: timeoutMs }).catch(() => ({ stdout: "" }));
  return stdout.trim() || undefined;
}

function defaultSockets(): readonly string[] {
  const runtimeFolder = process.env["XDG_RUNTIME_DIR"];
  return ["/var/run/docker.sock", ...(runtimeFolder === undefined ? [] : [join(runtimeFolder, "docker.sock")])];
}

/** Exported for its test. */
export function askDaemon(socketPath: string, timeoutMs: number): Promise<ContainerProbe> {
  return new Promise((resolve) => {
    const asked = request({ socketPath, path: "/version" }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => settle(answerOf(response.statusCode ?? 0, text)));
      // It was cut off.
      response.on("close", () => settle({ state: "refused", reason: `${socketPath} gives half an answer` }));
    });
    // Of all of it: who sends a byte a second is silent too.
    const timer = setTimeout(() => settle({ state: "silent" }), timeoutMs);
    const settle = (probe: ContainerProbe): void => {
      clearTimeout(timer);
      resolve(probe);
      asked.destroy();
    };
    asked.on("error", (error: NodeJS.ErrnoException) => settle(failureOf(error, socketPath)));
    asked.end();
  });
}

function answerOf(status: number, text: string): ContainerProbe {
  if (status === 200) return { state: "ready", version: versionIn(text) };
  return { state: "refused", reason: `its daemon answers ${status}` };
}

function failureOf({ code, message }: NodeJS.ErrnoException, socketPath: string): ContainerProbe {
  if (code !== "EACCES") return { state: "absent", reason: message };
  return { state: "refused", reason: `no permission for ${socketPath}: is this user in the group docker?` };
}

function versionIn(text: string): string {
  try {
    const { Version = "" } = JSON.parse(text) as { readonly Version?: string };
    return Version;
  } catch {
    return "";
  }
}

/** A trial that failed is made again after a while: the person may have mended it. */
const MISTRUST_MS = 10 * 60_000;

interface Trial {
  /** What it was made with. */
  readonly with: string;
  readonly at: number;
  /** Empty: it went well. */
  readonly why: string;
}

/**
 * podman needs no daemon: its program alone is enough. But it is installed on many machines that cannot run a container
 * (control groups, user namespaces, no runtime): that is found out once, and believed until the machine or podman
 * changes.
 */
async function probePodman(path: string, timeoutMs: number): Promise<ContainerProbe> {
  const asked = await run(path, ["version", "--format", "{{.Client.Version}}"], {
    timeout: timeoutMs,
    env: environment(),
  }).catch((error: { readonly killed?: boolean; readonly message: string }) => error);
  if (!("stdout" in asked)) {
    return asked.killed === true ? { state: "silent" } : { state: "absent", reason: firstLine(asked.message) };
  }
  const version = asked.stdout.trim();
  const why = await whyNot(path, version, timeoutMs);
  if (why === undefined) return { state: "silent" };
  return why === ""
    ? { state: "ready", version }
    : { state: "absent", reason: `podman cannot run a container here (${why})` };
}

/** Empty when podman runs containers; undefined when it did not answer in time. */
async function whyNot(path: string, version: string, timeoutMs: number): Promise<string | undefined> {
  const file = join(homeFolder(), "podman.json");
  const setting = await settingOf(path, version);
  const known = await readTrial(file);
  if (known?.with === setting && (known.why === "" || systemClock.now() - known.at < MISTRUST_MS)) return known.why;
  const failure = await tryContainers({ program: "podman", env: environment(), architecture: process.arch, timeoutMs });
  if (failure?.endsWith("no answer")) return undefined;
  const trial: Trial = { with: setting, at: systemClock.now(), why: failure ?? "" };
  await writeFile(file, JSON.stringify(trial), { mode: 0o600 }).catch(() => undefined);
  return trial.why;
}

async function readTrial(file: string): Promise<Trial | undefined> {
  try {
    // Written by us; a torn one is no JSON.
    return JSON.parse(await readFile(file, "utf8")) as Trial;
  } catch {
    return undefined;
  }
}

async function settingOf(path: string, version: string): Promise<string> {
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  const { CONTAINERS_CONF = "", CONTAINERS_STORAGE_CONF = "", CONTAINER_HOST = "" } = process.env;
  const files = [
    path,
    "/etc/containers/containers.conf",
    "/etc/containers/storage.conf",
    join(homedir(), ".config/containers/containers.conf"),
    CONTAINERS_CONF,
  ];
  const changed = await Promise.all(
    files.map((one) =>
      stat(one).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  return JSON.stringify([boot.trim(), version, ...files, ...changed, CONTAINERS_STORAGE_CONF, CONTAINER_HOST]);
}

function firstLine(text: string): string {
  return text.split("\n").find((line) => line.trim() !== "") ?? "";
}
