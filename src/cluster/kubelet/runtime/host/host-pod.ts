/** One pod on this machine: its containers are process groups, each in its own view of the machine. */

import { join } from "node:path";
import { SegmentedLog } from "../../log-files.js";
import type { ExitRecord } from "../../pod-state.js";
import type {
  ContainerSetup,
  ExecResult,
  ExportedPath,
  FilePart,
  FoundContainer,
  LogSource,
  PodHandle,
  PodSetup,
  ShellCommand,
  StartResult,
} from "../port.js";
import { runFolder, runFolders } from "../run-folders.js";
import { HelperGoneError } from "./helper-client.js";
import { LOG_SEGMENT_PREFIX } from "./log-writer.js";
import { begunRun, endOfRun } from "./lost-run.js";
import { type HostContext, planRun, type RunDetails } from "./plan-run.js";
import { START_RECORD } from "./protocol.js";
import { readFileInView } from "./read-file.js";
import { exportFromView } from "./read-view.js";
import { shellFor } from "./shell.js";
import { isBelow } from "./view.js";

interface KnownRun {
  readonly restartCount: number;
  readonly details: RunDetails | undefined;
  readonly exit: Promise<ExitRecord>;
  isAlive: boolean;
}

export class HostPod implements PodHandle {
  readonly ip = "127.0.0.1";
  readonly #context: HostContext;
  readonly #setup: PodSetup;
  readonly #runs = new Map<string, KnownRun>();
  /** Newest restart count of each container that has a folder, also when only its log is left. */
  readonly #newest = new Map<string, number>();
  #found: readonly FoundContainer[] = [];

  private constructor(context: HostContext, setup: PodSetup) {
    this.#context = context;
    this.#setup = setup;
  }

  /** Reads what earlier processes recorded of this pod. Nothing of theirs is alive: steps die with their owner. */
  static async open(context: HostContext, setup: PodSetup): Promise<HostPod> {
    const pod = new HostPod(context, setup);
    pod.#found = await pod.#readRuns();
    return pod;
  }

  get found(): readonly FoundContainer[] {
    return this.#found;
  }

  async startContainer(setup: ContainerSetup): Promise<StartResult> {
    const { name } = setup.container;
    const key = `${this.#setup.pod.metadata.uid ?? ""}/${name}/${setup.restartCount}`;
    const planned = await planRun({
      context: this.#context,
      pod: this.#setup.pod,
      setup,
      key,
      folder: this.#runFolder(name, setup.restartCount),
    });
    if (planned.kind === "refused") return failedStart(planned.message, this.#context.now());
    const exit = this.#context.exitOf(key);
    const run = { restartCount: setup.restartCount, details: planned.details, exit, isAlive: true };
    this.#runs.set(name, run);
    void exit.then(() => {
      run.isAlive = false;
      planned.release();
    });
    const reply = await this.#context.start(planned.run).catch((error: unknown) => {
      if (error instanceof HelperGoneError && begunRun(planned.run.folder) !== undefined) return undefined;
      // Others may wait for its paths.
      planned.release();
      throw error;
    });
    // Begun, and its helper died before it could say so: it must not begin twice.
    if (reply === undefined) return { kind: "failed", exit: await exit };
    if (reply.kind === "failed") {
      planned.release();
      return failedStart(reply.message, reply.at);
    }
    return { kind: "started", startedAt: reply.startedAt, containerID: `host://${key}` };
  }

  ended(containerName: string): Promise<ExitRecord> {
    const run = this.#runs.get(containerName);
    return run === undefined ? Promise.reject(new Error(`${containerName} was never started`)) : run.exit;
  }

  async signal(containerName: string, signal: string): Promise<void> {
    const run = this.#runs.get(containerName);
    if (run !== undefined) await this.#context.signal(this.#keyOf(containerName, run), signal);
  }

  async exec(containerName: string, command: readonly string[], timeoutMs: number): Promise<ExecResult> {
    const run = this.#runs.get(containerName);
    if (run?.details === undefined) return { exitCode: 126, output: "the container does not run", timedOut: false };
    const { machine } = this.#context;
    const isSandbox = run.details.view.kind === "sandbox";
    return this.#context.exec(this.#keyOf(containerName, run), {
      argv: command,
      env: run.details.env,
      cwd: isSandbox ? "/" : run.details.cwd,
      enter: isSandbox
        ? { nsenter: machine.tools.nsenter ?? "nsenter", userNamespace: machine.userNamespace }
        : undefined,
      timeoutMs,
    });
  }

  async shell(containerName: string): Promise<ShellCommand | undefined> {
    const run = this.#runs.get(containerName);
    if (run?.details === undefined) return undefined;
    return shellFor(this.#context.machine, run.details, this.#runFolder(containerName, run.restartCount));
  }

  async readFile(containerName: string, path: string, maxBytes: number, part?: FilePart): Promise<Buffer | undefined> {
    const details = this.#runs.get(containerName)?.details;
    // In isolation plain /dev is the machine's: what stands there is not this container's.
    if (details === undefined || (details.view.kind === "plain" && isBelow(path, "/dev"))) return undefined;
    return readFileInView(details.view, path, { maxBytes, part });
  }

  async exportPath(containerName: string, path: string): Promise<ExportedPath | undefined> {
    const details = this.#runs.get(containerName)?.details;
    if (details === undefined) return undefined;
    return exportFromView(details.view, path, join(this.#setup.folder, "exports"));
  }

  log(containerName: string, restartCount?: number): LogSource {
    const count = restartCount ?? this.#runs.get(containerName)?.restartCount ?? this.#newest.get(containerName) ?? 0;
    return new SegmentedLog(this.#runFolder(containerName, count), LOG_SEGMENT_PREFIX);
  }

  async remove(): Promise<void> {
    for (const [name, run] of this.#runs) {
      if (run.isAlive) await this.#context.signal(this.#keyOf(name, run), "SIGKILL");
    }
    const folders = runFolders(this.#setup.folder);
    await this.#context.remove([
      join(this.#setup.folder, "exports"),
      // The start record holds the environment, and with it secrets.
      ...folders.flatMap(({ folder }) => [join(folder, "fs"), join(folder, START_RECORD)]),
    ]);
  }

  #keyOf(containerName: string, run: KnownRun): string {
    return `${this.#setup.pod.metadata.uid ?? ""}/${containerName}/${run.restartCount}`;
  }

  #runFolder(containerName: string, restartCount: number): string {
    return runFolder(this.#setup.folder, containerName, restartCount);
  }

  async #readRuns(): Promise<readonly FoundContainer[]> {
    const found: FoundContainer[] = [];
    for (const { name, restartCount, folder } of runFolders(this.#setup.folder)) {
      this.#newest.set(name, restartCount);
      const begun = begunRun(folder);
      if (begun === undefined) continue;
      const { details, startedAt, exit } = begun;
      const end = await endOfRun(begun, this.#context.startedAt);
      this.#runs.set(name, { restartCount, details, exit: Promise.resolve(end), isAlive: false });
      found.push({ name, restartCount, startedAt, state: exit === undefined ? "lost" : { exit } });
    }
    const newest = new Map(found.map((one) => [one.name, one]));
    return [...newest.values()];
  }
}

/** As containerd says it for a program that cannot be run. */
export function failedStart(message: string, at: number): Extract<StartResult, { kind: "failed" }> {
  return {
    kind: "failed",
    exit: { exitCode: 128, reason: "StartError", message, startedAt: undefined, finishedAt: at },
  };
}
