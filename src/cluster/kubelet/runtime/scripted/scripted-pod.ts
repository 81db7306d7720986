/** One scripted pod: each container has an outcome, and timers of the given clock bring it about. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Container, Probe } from "../../../../core/model/kube/pod.js";
import type { Clock, Timer } from "../../../../kube/clock.js";
import { keepLog, keptLog } from "../../keep-log.js";
import { MemoryLog } from "../../memory-log.js";
import type { ExitRecord, PodFailure } from "../../pod-state.js";
import type {
  ContainerSetup,
  ExecResult,
  ExportedPath,
  FoundContainer,
  LogSource,
  PodHandle,
  StartResult,
} from "../port.js";
import type { ScriptOutcome } from "./script.js";

export interface ScriptedPodOptions {
  readonly clock: Clock;
  readonly outcomeOf: (container: Container) => ScriptOutcome;
  /** The pod's folder, made where missing: logs of containers that ended are kept there, as other drivers keep them. */
  readonly keptIn?: string;
  /** Its files may go: nobody runs it any more. */
  readonly removed?: () => void;
}

interface RunIdentity {
  readonly containerName: string;
  readonly restartCount: number;
}

interface ScriptedRun extends RunIdentity {
  readonly outcome: ScriptOutcome;
  readonly startedAt: number;
  readonly log: MemoryLog;
  readonly exit: Promise<ExitRecord>;
  readonly end: (exit: ExitRecord) => void;
  isOver: boolean;
  timer: Timer | undefined;
}

/** Reasons with which a container is over before it began; with any other it waits and is tried again. */
const FINAL_START_REASONS = new Set(["StartError", "ContainerCannotRun", "ContainerStatusUnknown"]);

export class ScriptedPod implements PodHandle {
  readonly ip = "127.0.0.1";
  readonly found: readonly FoundContainer[] = [];
  readonly evicted: Promise<PodFailure>;
  readonly #options: ScriptedPodOptions;
  readonly #runs = new Map<string, ScriptedRun>();
  #evict: (failure: PodFailure) => void = () => undefined;

  constructor(options: ScriptedPodOptions) {
    this.#options = options;
    this.evicted = new Promise((resolve) => {
      this.#evict = resolve;
    });
  }

  startContainer({ container, restartCount }: ContainerSetup): Promise<StartResult> {
    const outcome = this.#options.outcomeOf(container);
    const now = this.#options.clock.now();
    if (outcome.start !== undefined) return Promise.resolve(failedStart(outcome, now));
    const run = this.#begin(outcome, { now, containerName: container.name, restartCount });
    this.#runs.set(container.name, run);
    return Promise.resolve({
      kind: "started",
      startedAt: now,
      containerID: `scripted://${container.name}/${restartCount}`,
    });
  }

  ended(containerName: string): Promise<ExitRecord> {
    const run = this.#runs.get(containerName);
    return run === undefined ? Promise.reject(new Error(`${containerName} was never started`)) : run.exit;
  }

  signal(containerName: string, signal: string): Promise<void> {
    const run = this.#runs.get(containerName);
    if (run !== undefined && !run.isOver) this.#obey(run, signal);
    return Promise.resolve();
  }

  exec(): Promise<ExecResult> {
    return Promise.resolve({ exitCode: 0, output: "", timedOut: false });
  }

  probe(containerName: string, _probe: Probe): Promise<boolean> {
    const run = this.#runs.get(containerName);
    const age = run === undefined ? -1 : this.#options.clock.now() - run.startedAt;
    return Promise.resolve(run !== undefined && age >= run.outcome.readyAfterMs);
  }

  shell(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  readFile(containerName: string, path: string): Promise<Buffer | undefined> {
    const content = this.#runs.get(containerName)?.outcome.files[path];
    return Promise.resolve(content === undefined ? undefined : Buffer.from(content));
  }

  /** Only here something is written to disk: who reads the path wants a file. */
  async exportPath(containerName: string, path: string): Promise<ExportedPath | undefined> {
    const content = await this.readFile(containerName, path);
    if (content === undefined) return undefined;
    const folder = await mkdtemp(join(tmpdir(), "tiphys-scripted-"));
    const hostPath = join(folder, basename(path));
    await writeFile(hostPath, content);
    return { hostPath, dispose: () => rm(folder, { recursive: true, force: true }) };
  }

  log(containerName: string, wanted?: number): LogSource {
    const run = this.#runs.get(containerName);
    const restartCount = wanted ?? run?.restartCount ?? 0;
    if (run !== undefined && run.restartCount === restartCount) return run.log;
    const { keptIn } = this.#options;
    return keptIn === undefined ? new MemoryLog() : keptLog({ podFolder: keptIn, containerName, restartCount });
  }

  /** Its log can still be read. */
  remove(): Promise<void> {
    this.#options.removed?.();
    return Promise.resolve();
  }

  close(): void {
    for (const run of this.#runs.values()) run.timer?.cancel();
  }

  #begin(outcome: ScriptOutcome, { now, ...identity }: { readonly now: number } & RunIdentity): ScriptedRun {
    let end: (exit: ExitRecord) => void = () => undefined;
    const exit = new Promise<ExitRecord>((resolve) => {
      end = resolve;
    });
    const run: ScriptedRun = {
      outcome,
      startedAt: now,
      log: new MemoryLog(),
      exit,
      end,
      isOver: false,
      timer: undefined,
      ...identity,
    };
    if (outcome.stdout !== "") run.log.write("stdout", Buffer.from(outcome.stdout), now);
    if (outcome.stderr !== "") run.log.write("stderr", Buffer.from(outcome.stderr), now);
    if (outcome.durationMs !== undefined) this.#later(run, outcome.durationMs, () => this.#complete(run));
    return run;
  }

  #complete(run: ScriptedRun): void {
    // An evicted pod's containers go on until they are told to stop.
    const { pod, exitCode, reason, message } = run.outcome;
    if (pod !== undefined) this.#evict(pod);
    else
      this.#end(run, exitCode, {
        ...(reason === undefined ? {} : { reason }),
        ...(message === undefined ? {} : { message }),
      });
  }

  #obey(run: ScriptedRun, signal: string): void {
    const { onTerm, termDelayMs } = run.outcome;
    if (signal === "SIGKILL") this.#end(run, 137, {});
    else if (onTerm !== "ignore") this.#later(run, termDelayMs, () => this.#end(run, onTerm, {}));
  }

  #later(run: ScriptedRun, delayMs: number, act: () => void): void {
    run.timer?.cancel();
    run.timer = this.#options.clock.after(delayMs, () => {
      if (!run.isOver) act();
    });
  }

  #end(run: ScriptedRun, exitCode: number, more: Pick<ExitRecord, "reason" | "message">): void {
    const finishedAt = this.#options.clock.now();
    run.isOver = true;
    run.timer?.cancel();
    run.log.end(finishedAt);
    const record = { exitCode, ...more, startedAt: run.startedAt, finishedAt };
    const { keptIn: podFolder } = this.#options;
    if (podFolder === undefined) run.end(record);
    // An end is told in any case; a full disk costs the log only.
    else
      keepLog({ podFolder, ...run }, run.log).then(
        () => run.end(record),
        () => run.end(record),
      );
  }
}

function failedStart(outcome: ScriptOutcome, now: number): StartResult {
  const { reason, message } = outcome.start ?? { reason: "StartError", message: "" };
  if (!FINAL_START_REASONS.has(reason)) return { kind: "waiting", reason, message };
  const exitCode = outcome.exitCode === 0 ? 128 : outcome.exitCode;
  return { kind: "failed", exit: { exitCode, reason, message, startedAt: undefined, finishedAt: now } };
}
