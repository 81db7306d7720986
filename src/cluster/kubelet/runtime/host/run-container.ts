/** One run of a container inside the helper: start record, process, log, exit record, in this order. */

import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { messageOf } from "../../../../core/std/message.js";
import type { ExitRecord } from "../../pod-state.js";
import { drained } from "./drained.js";
import { wallClock } from "./helper-process.js";
import { LogWriter, SEGMENT_BYTES } from "./log-writer.js";
import { makeOutside, takeBackOutside } from "./outside.js";
import { RUN_VARIABLE, type RunSpec, type StartReply } from "./protocol.js";
import { writeExitRecord, writeStartRecord } from "./records.js";

const SANDBOX_FAILED = 125;

export interface Run {
  readonly spec: RunSpec;
  /** Process group of the container. */
  readonly pid: number;
  readonly startedAt: number;
  /** Resolves when the exit record is durable. */
  readonly exit: Promise<ExitRecord>;
}

export interface RunHost {
  /** The disk is full: frees a little space that was kept for this moment. */
  makeRoom(use: "log" | "exit"): void;
  /** Ends processes that left the run's process group. */
  endStrays(key: string): Promise<void>;
  /** The same, soon, together with others. */
  endStraysLater(key: string): void;
  /** False once our owner is gone: then no exit is recorded, the container is lost. */
  isOwned(): boolean;
}

/** Resolves once the process exists, with the run, or with why there is none. */
export async function startRun(spec: RunSpec, host: RunHost): Promise<Run | Extract<StartReply, { kind: "failed" }>> {
  try {
    prepare(spec);
    await makeOutside(spec.outside);
  } catch (error) {
    return failed(error);
  }
  let log: LogWriter | undefined;
  try {
    log = new LogWriter({ folder: spec.folder, segmentBytes: SEGMENT_BYTES, makeRoom: () => host.makeRoom("log") });
    await writeStartRecord(spec.folder, { startedAt: wallClock(), details: spec.details });
  } catch (error) {
    await log?.close();
    await takenBack(spec);
    return failed(error);
  }
  const startedAt = wallClock();
  const [file = "", ...args] = spec.argv;
  let child: ChildProcess;
  try {
    child = spawn(file, args, {
      cwd: spec.cwd,
      env: { ...spec.env, [RUN_VARIABLE]: spec.key },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    return await recordFailedStart(spec, log, error);
  }
  const { pid } = child;
  if (pid === undefined) {
    const error = await new Promise<unknown>((resolve) => child.once("error", resolve));
    return await recordFailedStart(spec, log, error);
  }
  return { spec, pid, startedAt, exit: finish({ spec, child, pid, startedAt, log, host }) };
}

/** Many small calls that never wait for a disk: done at once they cost a tenth of what they do one by one. */
function prepare(spec: RunSpec): void {
  mkdirSync(spec.folder, { recursive: true, mode: 0o700 });
  for (const { path, mode } of spec.folders) makeFolder(path, mode);
  for (const { path, target } of spec.links) makeLink(path, target);
  for (const { path, content } of spec.files) makeFile(path, content);
}

/** An existing folder keeps its mode, unless it has to be open to all. */
function makeFolder(path: string, mode: number): void {
  mkdirSync(path, { recursive: true, mode });
  if (mode > 0o777) chmodSync(path, mode);
}

function makeLink(path: string, target: string): void {
  try {
    symlinkSync(target, path);
  } catch (error) {
    if (readlinkSync(path) !== target) throw error;
  }
}

function makeFile(path: string, content: string | undefined): void {
  if (content !== undefined) writeFileSync(path, content, { mode: 0o600 });
  // Whatever is there already is the mount point.
  else if (lstatSync(path, { throwIfNoEntry: false }) === undefined) writeFileSync(path, "", { flag: "wx" });
}

async function recordFailedStart(
  spec: RunSpec,
  log: LogWriter,
  error: unknown,
): Promise<Extract<StartReply, { kind: "failed" }>> {
  await log.close();
  const reply = failed(error);
  const exit = {
    exitCode: 128,
    reason: "StartError",
    message: reply.message,
    startedAt: undefined,
    finishedAt: reply.at,
  };
  // What cannot be recorded is told all the same; nobody begins this run again.
  await writeExitRecord(spec.folder, exit).catch(() => undefined);
  await takenBack(spec);
  return reply;
}

function failed(error: unknown): Extract<StartReply, { kind: "failed" }> {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  return { kind: "failed", message: messageOf(error), code, at: wallClock() };
}

interface Running {
  readonly spec: RunSpec;
  readonly child: ChildProcess;
  readonly pid: number;
  readonly startedAt: number;
  readonly log: LogWriter;
  readonly host: RunHost;
}

async function finish(running: Running): Promise<ExitRecord> {
  const { spec, child, pid, startedAt, log, host } = running;
  const streams = [child.stdout, child.stderr].filter((one): one is Readable => one !== null);
  const pumped = Promise.all([
    child.stdout === null ? undefined : log.pump(child.stdout, "stdout"),
    child.stderr === null ? undefined : log.pump(child.stderr, "stderr"),
  ]);
  const exitCode = await exitCodeOf(child);
  const finishedAt = wallClock();
  killGroup(pid, "SIGKILL");
  await drained(pumped, streams, () => host.endStrays(spec.key));
  if (!spec.contained) host.endStraysLater(spec.key);
  await log.close();
  const left = await takenBack(spec);
  const exit: ExitRecord = { exitCode, startedAt, finishedAt, ...left, ...sandboxFault(spec, exitCode) };
  if (host.isOwned()) await recordExit(spec, exit, host);
  return exit;
}

/** Why what the run left at fixed paths could not be moved into its folder, if so: where it is read it will be missing. */
async function takenBack({ outside }: RunSpec): Promise<Pick<ExitRecord, "message">> {
  try {
    await takeBackOutside(outside);
    return {};
  } catch (error) {
    return { message: `what it left outside of its own folder could not be taken: ${messageOf(error)}` };
  }
}

/** As a shell and the container runtimes count: 128 and the signal's number. */
function exitCodeOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 9 : (constants.signals[signal] ?? 9)));
    });
  });
}

function sandboxFault(spec: RunSpec, exitCode: number): Partial<ExitRecord> {
  if (spec.sandboxError === undefined || exitCode !== SANDBOX_FAILED) return {};
  const text = textOf(spec.sandboxError).trim();
  return text === "" ? {} : { exitCode: 128, reason: "StartError", message: `the sandbox could not be made: ${text}` };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

async function recordExit(spec: RunSpec, exit: ExitRecord, host: RunHost): Promise<void> {
  try {
    await writeExitRecord(spec.folder, exit);
  } catch {
    host.makeRoom("exit");
    // A disk that is full for good: the owner is told all the same.
    await writeExitRecord(spec.folder, exit).catch(() => undefined);
  }
}

/** Nothing happens when the group is gone. */
export function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: all of them have ended.
  }
}
