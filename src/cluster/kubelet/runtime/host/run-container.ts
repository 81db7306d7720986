/** One run of a container inside the helper: start record, process, log, exit record, in this order. */

import { type ChildProcess, spawn } from "node:child_process";
import { lstat, mkdir, readFile, readlink, rename, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { constants } from "node:os";
import { dirname } from "node:path";
import type { Readable } from "node:stream";
import type { ExitRecord } from "../../pod-state.js";
import { LogWriter, SEGMENT_BYTES } from "./log-writer.js";
import { RUN_VARIABLE, type RunSpec, type StartReply } from "./protocol.js";
import { writeExitRecord, writeStartRecord } from "./records.js";

/** How long the pipes may stay open once all processes of the container are gone, as far as we know. */
const PIPE_GRACE_MS = 500;
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
  /** Frees a little disk space that was kept for this moment. */
  makeRoom(): void;
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
    await prepare(spec);
    await writeStartRecord(spec.folder, { startedAt: Date.now(), details: spec.details });
  } catch (error) {
    return failed(error);
  }
  const log = new LogWriter({ folder: spec.folder, segmentBytes: SEGMENT_BYTES, makeRoom: () => host.makeRoom() });
  const startedAt = Date.now();
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

async function prepare(spec: RunSpec): Promise<void> {
  await mkdir(spec.folder, { recursive: true, mode: 0o700 });
  for (const { path, mode } of spec.folders) await mkdir(path, { recursive: true, mode });
  for (const { path, target } of spec.links) await makeLink(path, target);
  for (const { path, content } of spec.files) await makeFile(path, content);
  for (const { path, target } of spec.linksOutside) {
    await mkdir(dirname(path), { recursive: true });
    await makeLink(path, target);
  }
}

async function makeLink(path: string, target: string): Promise<void> {
  try {
    await symlink(target, path);
  } catch (error) {
    if ((await readlink(path).catch(() => undefined)) !== target) throw error;
  }
}

async function makeFile(path: string, content: string | undefined): Promise<void> {
  if (content !== undefined) return writeFile(path, content, { mode: 0o600 });
  await writeFile(path, "", { flag: "wx" }).catch(async (error: unknown) => {
    // Something is there already: it is the mount point.
    if ((await lstat(path).catch(() => undefined)) === undefined) throw error;
  });
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
  await writeExitRecord(spec.folder, exit);
  await tidy(spec);
  return reply;
}

function failed(error: unknown): Extract<StartReply, { kind: "failed" }> {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "failed", message, code, at: Date.now() };
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
  const finishedAt = Date.now();
  killGroup(pid, "SIGKILL");
  await drained(pumped, streams, () => host.endStrays(spec.key));
  if (!spec.contained) host.endStraysLater(spec.key);
  await log.close();
  const exit: ExitRecord = { exitCode, startedAt, finishedAt, ...(await sandboxFault(spec, exitCode)) };
  await tidy(spec);
  if (host.isOwned()) await recordExit(spec, exit, host);
  return exit;
}

/** A process that left the group may hold the pipes open: it ends with its container, and if it cannot be found, we let go. */
async function drained(
  pumped: Promise<unknown>,
  streams: readonly Readable[],
  endStrays: () => Promise<void>,
): Promise<void> {
  const done = pumped.then(() => true);
  if (await Promise.race([done, after(PIPE_GRACE_MS / 10)])) return;
  await endStrays();
  if (await Promise.race([done, after(PIPE_GRACE_MS)])) return;
  for (const stream of streams) stream.destroy();
  await pumped;
}

function after(milliseconds: number): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), milliseconds).unref();
  });
}

/** As a shell and the container runtimes count: 128 and the signal's number. */
function exitCodeOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 9 : (constants.signals[signal] ?? 9)));
    });
  });
}

async function sandboxFault(spec: RunSpec, exitCode: number): Promise<Partial<ExitRecord>> {
  if (spec.sandboxError === undefined || exitCode !== SANDBOX_FAILED) return {};
  const text = (await readFile(spec.sandboxError, "utf8").catch(() => "")).trim();
  return text === "" ? {} : { exitCode: 128, reason: "StartError", message: `the sandbox could not be made: ${text}` };
}

/** Takes away what the run put outside of its own folder, and keeps what it left there. */
async function tidy(spec: RunSpec): Promise<void> {
  for (const { from, to } of spec.moves) {
    await mkdir(dirname(to), { recursive: true });
    await rename(from, to).catch(() => copyThenRemove(from, to));
  }
  for (const { path, target } of spec.linksOutside) {
    if ((await readlink(path).catch(() => undefined)) === target) await unlink(path).catch(() => undefined);
  }
}

/** Another file system: renaming is refused there. */
async function copyThenRemove(from: string, to: string): Promise<void> {
  if ((await lstat(from).catch(() => undefined)) === undefined) return;
  const { cp } = await import("node:fs/promises");
  await cp(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  await rm(from, { recursive: true, force: true });
}

async function recordExit(spec: RunSpec, exit: ExitRecord, host: RunHost): Promise<void> {
  try {
    await writeExitRecord(spec.folder, exit);
  } catch {
    host.makeRoom();
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
