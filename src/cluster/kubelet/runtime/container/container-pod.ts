/** One pod whose containers a container program runs. */

import { join } from "node:path";
import { SegmentedLog } from "../../log-files.js";
import type { ExitRecord } from "../../pod-state.js";
import { LOG_SEGMENT_PREFIX } from "../host/log-writer.js";
import { START_RECORD } from "../host/protocol.js";
import { readRecords, writeExitRecord } from "../host/records.js";
import { lostExit } from "../lost.js";
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
import { namesIn, type RunFolder, runFolder, runFolders } from "../run-folders.js";
import { beginRun, inspectContainer, inspectContainers, type RunInput, type RunStart } from "./container-run.js";
import type { ContainerContext } from "./context.js";
import { type CopySource, exportContainerPath, readContainerFile } from "./copy-out.js";
import { type ContainerDetails, containerDetails } from "./details.js";
import { type Followed, followRun, recordEnded } from "./follow-run.js";
import type { ContainerFacts } from "./inspect.js";
import { PodNetwork } from "./pod-network.js";
import { killContainers, removeContainers } from "./remove-containers.js";
import { RootFiles } from "./root-files.js";
import { shellIn } from "./shell.js";

interface KnownRun {
  readonly restartCount: number;
  readonly details: ContainerDetails | undefined;
  readonly exit: Promise<ExitRecord>;
  isAlive: boolean;
}

const MAX_OUTPUT_CHARACTERS = 10 * 1024;

export class ContainerPod implements PodHandle {
  readonly #context: ContainerContext;
  readonly #setup: PodSetup;
  readonly #network: PodNetwork;
  readonly #rootFiles: RootFiles;
  readonly #runs = new Map<string, KnownRun>();
  /** Newest restart count of each container that has a folder, also when only its log is left. */
  readonly #newest = new Map<string, number>();
  /** IDs of all its containers, ended ones too: they hold files until the pod is removed. */
  readonly #ids = new Set<string>();
  readonly #found: FoundContainer[] = [];

  private constructor(context: ContainerContext, setup: PodSetup, network: PodNetwork) {
    this.#context = context;
    this.#setup = setup;
    this.#network = network;
    this.#rootFiles = new RootFiles(context);
  }

  /** `left`: what the program has of this pod since an earlier process. Rejects when the program does not answer. */
  static async open(
    context: ContainerContext,
    setup: PodSetup,
    left: { readonly holder: ContainerFacts | undefined },
  ): Promise<ContainerPod> {
    const pod = new ContainerPod(context, setup, new PodNetwork(context, setup.pod, left.holder));
    await pod.#takeUp();
    return pod;
  }

  get ip(): string {
    return this.#network.ip;
  }

  get found(): readonly FoundContainer[] {
    return this.#found;
  }

  async startContainer(setup: ContainerSetup): Promise<StartResult> {
    const { name } = setup.container;
    const { restartCount } = setup;
    const folder = this.#runFolder(name, restartCount);
    const { pod } = this.#setup;
    const begun = await this.#begin({ context: this.#context, pod, network: this.#network, setup, folder });
    if (begun.kind !== "begun") {
      this.#rest();
      return begun;
    }
    const { details, startedAt } = begun;
    const program = setup.argv[0] ?? "";
    const logged = { stdout: 0, stderr: 0 };
    this.#follow(name, restartCount, details, { folder, startedAt, program, logged });
    if (this.#network.kind === "own") await this.#learnAddress(details.id);
    return { kind: "started", startedAt, containerID: `${details.program}://${details.id}` };
  }

  ended(containerName: string): Promise<ExitRecord> {
    const run = this.#runs.get(containerName);
    return run === undefined ? Promise.reject(new Error(`${containerName} was never started`)) : run.exit;
  }

  async signal(containerName: string, signal: string): Promise<void> {
    const run = this.#runs.get(containerName);
    if (run?.details === undefined || !run.isAlive) return;
    // One that has just ended cannot be told; its end is what counts.
    await this.#context.cli.ask(["kill", "--signal", signal.replace(/^SIG/, ""), run.details.id]);
  }

  async exec(containerName: string, command: readonly string[], timeoutMs: number): Promise<ExecResult> {
    const run = this.#runs.get(containerName);
    if (run?.details === undefined || !run.isAlive) {
      return { exitCode: 126, output: "the container does not run", timedOut: false };
    }
    const reply = await this.#context.cli.run(["exec", run.details.id, ...command], { timeoutMs });
    const output = `${reply.stdout}${reply.stderr}`.slice(0, MAX_OUTPUT_CHARACTERS);
    return { exitCode: reply.exitCode, output, timedOut: reply.timedOut };
  }

  async shell(containerName: string): Promise<ShellCommand | undefined> {
    const details = this.#runs.get(containerName)?.details;
    return details === undefined ? undefined : shellIn(this.#context.cli, details);
  }

  async readFile(containerName: string, path: string, maxBytes: number, part?: FilePart): Promise<Buffer | undefined> {
    const source = this.#sourceOf(containerName);
    return source === undefined ? undefined : readContainerFile(source, path, { maxBytes, part });
  }

  async exportPath(containerName: string, path: string): Promise<ExportedPath | undefined> {
    const source = this.#sourceOf(containerName);
    return source === undefined ? undefined : exportContainerPath(source, path);
  }

  log(containerName: string, restartCount?: number): LogSource {
    const count = restartCount ?? this.#runs.get(containerName)?.restartCount ?? this.#newest.get(containerName) ?? 0;
    return new SegmentedLog(this.#runFolder(containerName, count), LOG_SEGMENT_PREFIX);
  }

  async remove(): Promise<void> {
    // What is left all the same is swept by a later process.
    const containers = [...this.#ids, ...this.#network.containers];
    await removeContainers(this.#context.cli, containers).catch(() => undefined);
    await this.#network.end();
    this.#context.live.delete(this);
    const { folder } = this.#setup;
    const runs = runFolders(this.#setup.folder).map((run) => run.folder);
    const volumes = join(folder, "volumes");
    const paths = [
      join(folder, "exports"),
      ...namesIn(volumes).map((name) => join(volumes, name)),
      // The start record holds the environment, and with it secrets.
      ...runs.flatMap((run) => [START_RECORD, "termination-message", "working-dir"].map((name) => join(run, name))),
    ];
    await Promise.all(paths.map((path) => this.#rootFiles.remove([path]).catch(() => undefined)));
  }

  /** Ends all that runs, at once. */
  async kill(): Promise<void> {
    const alive = [...this.#runs.values()].filter((run) => run.isAlive).flatMap((run) => run.details?.id ?? []);
    await killContainers(this.#context.cli, alive);
    await this.#network.end();
  }

  async #begin(input: RunInput): Promise<RunStart> {
    const { starting } = this.#context;
    const begun = beginRun(input);
    starting.add(begun);
    return begun.finally(() => starting.delete(begun));
  }

  #follow(name: string, restartCount: number, details: ContainerDetails, way: Omit<Followed, "context" | "id">): void {
    const exit = followRun({ context: this.#context, id: details.id, ...way });
    const run: KnownRun = {
      restartCount,
      details,
      isAlive: true,
      exit: exit.then((record) => this.#after(run, record)),
    };
    this.#runs.set(name, run);
    this.#ids.add(details.id);
    this.#context.live.add(this);
  }

  /** Before anyone is told: whoever reads the files next is the user. */
  async #after(run: KnownRun, exit: ExitRecord): Promise<ExitRecord> {
    run.isAlive = false;
    this.#rest();
    const folders = (run.details?.mounts ?? []).filter((mount) => !mount.readOnly).map((mount) => mount.source);
    const foreign = folders.filter((source) => !source.startsWith(`${this.#setup.folder}/`));
    await this.#rootFiles.giveBack(foreign, exit.startedAt ?? exit.finishedAt).catch(() => undefined);
    return exit;
  }

  #rest(): void {
    if (![...this.#runs.values()].some((run) => run.isAlive)) this.#network.rest();
  }

  async #learnAddress(id: string): Promise<void> {
    const facts = await inspectContainer(this.#context, id).catch(() => undefined);
    if (facts?.ip !== undefined) this.#network.ip = facts.ip;
  }

  #sourceOf(containerName: string): CopySource | undefined {
    const details = this.#runs.get(containerName)?.details;
    if (details === undefined) return undefined;
    const scratch = join(this.#setup.folder, "exports");
    return { cli: this.#context.cli, rootFiles: this.#rootFiles, details, scratch };
  }

  #runFolder(containerName: string, restartCount: number): string {
    return runFolder(this.#setup.folder, containerName, restartCount);
  }

  /** What earlier processes began: containers that live are followed, the ends of others are put on record. */
  async #takeUp(): Promise<void> {
    const runs: { run: RunFolder; start: { startedAt: number; details: unknown }; exit: ExitRecord | undefined }[] = [];
    for (const run of runFolders(this.#setup.folder)) {
      this.#newest.set(run.name, run.restartCount);
      const { start, exit } = readRecords(run.folder);
      if (start !== undefined) runs.push({ run, start, exit });
    }
    const open = runs.flatMap(({ start, exit }) =>
      exit === undefined ? (containerDetails(start.details)?.id ?? []) : [],
    );
    const facts = await inspectContainers(this.#context, open);
    const newest = new Map<string, FoundContainer>();
    for (const { run, start, exit } of runs) {
      const details = containerDetails(start.details);
      if (details !== undefined) this.#ids.add(details.id);
      newest.set(run.name, await this.#takeUpRun(run, start.startedAt, details, exit ?? facts.get(details?.id ?? "")));
    }
    this.#found.push(...newest.values());
    if (runs.length > 0) this.#rest();
  }

  async #takeUpRun(
    { name, restartCount, folder }: RunFolder,
    startedAt: number,
    details: ContainerDetails | undefined,
    known: ExitRecord | ContainerFacts | undefined,
  ): Promise<FoundContainer> {
    const found = { name, restartCount, startedAt } as const;
    const way = { folder, startedAt, program: "", logged: undefined };
    if (known !== undefined && "state" in known && details !== undefined && known.state === "running") {
      this.#follow(name, restartCount, details, way);
      if (this.#network.kind === "own") this.#network.ip = known.ip ?? "";
      return { ...found, state: "alive" };
    }
    const exit = await this.#exitOf({ context: this.#context, id: details?.id ?? "", ...way }, known);
    this.#runs.set(name, { restartCount, details, isAlive: false, exit: Promise.resolve(exit) });
    return { ...found, state: { exit } };
  }

  async #exitOf(followed: Followed, known: ExitRecord | ContainerFacts | undefined): Promise<ExitRecord> {
    if (known !== undefined && !("state" in known)) return known;
    if (known?.state === "ended") return recordEnded(followed, known);
    // On record as begun, and it never ran, or is gone: it must not begin now.
    if (known !== undefined) await removeContainers(this.#context.cli, [known.id]);
    const exit = { ...lostExit, startedAt: followed.startedAt, finishedAt: this.#context.clock.now() };
    await writeExitRecord(followed.folder, exit);
    return exit;
  }
}
