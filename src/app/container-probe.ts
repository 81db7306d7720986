/** Whether docker and podman can be used here: docker by its daemon's socket, podman by running a container. */

import { execFile } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ContainerProbe, ContainerQuestion } from "../cli/ports.js";
import { tryContainers } from "../cluster/kubelet/index.js";
import { environment } from "./environment.js";
import { homeFolder } from "./home.js";
import { findProgram } from "./programs.js";
import { systemClock } from "./system-clock.js";

const run = promisify(execFile);

export async function probeContainers(
  runtime: "docker" | "podman",
  { timeoutMs, failures }: ContainerQuestion,
): Promise<ContainerProbe> {
  const program = await findProgram([runtime]);
  if (program === undefined) return { state: "absent", reason: `no ${runtime} program` };
  const { path } = program;
  const address = process.env[runtime === "docker" ? "DOCKER_HOST" : "CONTAINER_HOST"] || undefined;
  if (runtime === "docker") return probeDocker(path, address, timeoutMs);
  if (address === undefined) return probePodman(path, { timeoutMs, failures });
  if (!address.startsWith(UNIX)) return { state: "remote", address };
  const service = await askDaemon(address.slice(UNIX.length), timeoutMs);
  return service.state === "ready" ? probePodman(path, { timeoutMs, failures }) : service;
}

const UNIX = "unix://";

async function probeDocker(path: string, named: string | undefined, timeoutMs: number): Promise<ContainerProbe> {
  const context = named === undefined ? await contextAddress(path, timeoutMs) : { address: named, fault: undefined };
  const { address, fault } = context;
  if (address !== undefined && !address.startsWith(UNIX)) return { state: "remote", address };
  const sockets = address === undefined ? defaultSockets() : [address.slice(UNIX.length)];
  const answer = await firstAnswer(sockets, timeoutMs);
  return answer.state === "absent" && fault !== undefined ? { state: "refused", reason: fault } : answer;
}

async function firstAnswer(sockets: readonly string[], timeoutMs: number): Promise<ContainerProbe> {
  let answer: ContainerProbe = { state: "absent", reason: "no docker socket" };
  for (const socket of sockets) {
    const next = await askDaemon(socket, timeoutMs);
    if (next.state === "ready" || next.state === "silent") return next;
    // Of one that refuses there is more to say than of one that is not there.
    if (answer.state === "absent") answer = next;
  }
  return answer;
}

interface ContextInUse {
  readonly address: string | undefined;
  /** What the program said instead. */
  readonly fault: string | undefined;
}

/** Of Docker Desktop, Colima, …; nothing of a program that knows no contexts. */
async function contextAddress(path: string, timeoutMs: number): Promise<ContextInUse> {
  const args = ["context", "inspect", "--format", "{{.Endpoints.docker.Host}}"];
  const said = await ask(path, args, timeoutMs);
  if ("stdout" in said) return { address: said.stdout.trim() || undefined, fault: undefined };
  const knowsNone = said.complaint === undefined || /is not a docker command|unrecognized command/.test(said.complaint);
  return { address: undefined, fault: knowsNone ? undefined : `${path} context inspect: ${said.complaint}` };
}

type Said =
  | { readonly stdout: string }
  | { /** Undefined when it did not answer in time. */ readonly complaint: string | undefined };

async function ask(path: string, args: readonly string[], timeoutMs: number): Promise<Said> {
  try {
    const { stdout } = await run(path, args, { timeout: timeoutMs, env: environment() });
    return { stdout };
  } catch (error) {
    const {
      killed,
      stderr = "",
      message = "",
    } = error as Partial<Record<"stderr" | "message", string>> & { killed?: boolean };
    return { complaint: killed === true ? undefined : complaintIn(stderr.trim() === "" ? message : stderr) };
  }
}

/** The line of it that says why; of a line of a log its message. */
function complaintIn(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const line = lines.find((one) => one.startsWith("Error")) ?? lines[0] ?? "";
  const logged = /\bmsg="((?:[^"\\]|\\.)*)"/.exec(line)?.[1]?.replace(/\\(.)/g, "$1");
  return (logged ?? line).replace(/^Error: /, "").trim();
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

/** Of a socket where nobody is. */
const NOBODY = new Set(["ENOENT", "ENOTDIR", "ECONNREFUSED"]);

function failureOf({ code = "", message }: NodeJS.ErrnoException, socketPath: string): ContainerProbe {
  if (NOBODY.has(code)) return { state: "absent", reason: `nobody listens at ${socketPath}` };
  const isForbidden = code === "EACCES" || code === "EPERM";
  const why = `no permission for ${socketPath}: is this user in the group docker?`;
  return { state: "refused", reason: isForbidden ? why : `${socketPath}: ${message}` };
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
async function probePodman(path: string, question: ContainerQuestion): Promise<ContainerProbe> {
  const asked = await ask(path, ["version", "--format", "{{.Client.Version}}"], question.timeoutMs);
  if (!("stdout" in asked)) {
    return asked.complaint === undefined
      ? { state: "silent" }
      : { state: "refused", reason: `${path} version: ${asked.complaint}` };
  }
  const version = asked.stdout.trim();
  const why = await whyNot(path, version, question);
  if (why === undefined) return { state: "silent" };
  return why === ""
    ? { state: "ready", version }
    : { state: "refused", reason: `${path} cannot run a container: ${why}` };
}

/** Empty when podman runs containers; undefined when it did not answer in time. */
async function whyNot(
  path: string,
  version: string,
  { timeoutMs, failures }: ContainerQuestion,
): Promise<string | undefined> {
  const file = join(homeFolder(), "podman.json");
  const setting = await settingOf(path, version);
  const known = await readTrial(file);
  if (known?.with === setting && isBelieved(known, failures)) return known.why;
  const trialOf = { program: "podman", env: environment(), architecture: process.arch, timeoutMs } as const;
  const failure = await tryContainers({ ...trialOf, processPath: `/proc/${process.pid}` });
  if (failure?.endsWith("no answer")) return undefined;
  const trial: Trial = { with: setting, at: systemClock.now(), why: failure ?? "" };
  await writeFile(file, JSON.stringify(trial), { mode: 0o600 }).catch(() => undefined);
  return trial.why;
}

function isBelieved({ why, at }: Trial, failures: ContainerQuestion["failures"]): boolean {
  return why === "" || (failures === "remembered" && systemClock.now() - at < MISTRUST_MS);
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
