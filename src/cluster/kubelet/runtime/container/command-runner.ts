/** The helper's half of a container driver: runs the container program, pumps what containers say into their logs. */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { readLines } from "../host/line-reader.js";
import { LogWriter, SEGMENT_BYTES } from "../host/log-writer.js";
import { resumeLog } from "./log-resume.js";
import type { CommandReply, CommandRequest, ContainerRequest, PumpReply, PumpRequest } from "./protocol.js";
import { SkipFirst } from "./skip-first.js";

const MAX_STDOUT_BYTES = 4 * 1024 * 1024;
const MAX_STDERR_BYTES = 16 * 1024;
const NO_PROGRAM = 127;
/** What a program that was given up has for its own end. */
const CANCEL_GRACE_MS = 1_000;
/** How the program's own complaints begin, as opposed to a container's words on the same stream. */
const COMPLAINT = /^(?:Error|error|unexpected EOF|time=)/;

export interface CommandRunnerHost {
  /** On the file system of the pods. */
  readonly folder: string;
  /** A line of the command with this request ID. */
  said(id: number, line: string): void;
  makeRoom(): void;
}

export class CommandRunner {
  readonly #host: CommandRunnerHost;
  readonly #children = new Map<number, ChildProcess>();
  #isOver = false;

  constructor(host: CommandRunnerHost) {
    this.#host = host;
  }

  async answer(request: ContainerRequest): Promise<CommandReply | PumpReply | undefined> {
    switch (request.op) {
      case "command":
        return this.#command(request);
      case "pump":
        return this.#pump(request);
      case "cancel":
        this.#cancel(request.target);
        return undefined;
    }
  }

  /**
   * Containers go on without the programs that watch them; of those none is left, also where it hears no SIGTERM. Nothing is
   * begun any more.
   */
  async endAll(): Promise<void> {
    this.#isOver = true;
    const children = [...this.#children.values()];
    const exits = Promise.all(children.map(exited));
    for (const child of children) end(child);
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise((resolve) => (timer = setTimeout(resolve, CANCEL_GRACE_MS)));
    await Promise.race([exits, grace]);
    clearTimeout(timer);
    for (const child of children) endForced(child);
  }

  /** Who gave it up waits for its reply all the same. */
  #cancel(id: number): void {
    end(this.#children.get(id));
    setTimeout(() => endForced(this.#children.get(id)), CANCEL_GRACE_MS).unref();
  }

  async #command({ id, argv, env, timeoutMs, tells }: CommandRequest): Promise<CommandReply> {
    const child = this.#spawn(id, argv, env);
    const stdout = new Collected(MAX_STDOUT_BYTES);
    const stderr = new Collected(MAX_STDERR_BYTES);
    // Without any where no more files can be opened.
    const streams = [child.stdout, child.stderr].filter((one): one is Readable => Boolean(one));
    if (tells === "lines") for (const one of streams) readLines(one, (line) => this.#host.said(id, line), ignore);
    child.stdout?.on("data", (chunk: Buffer | string) => stdout.addFirst(chunk));
    child.stderr?.on("data", (chunk: Buffer | string) => stderr.addLast(chunk));
    let timedOut = false;
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true;
            endForced(child);
          }, timeoutMs);
    const { exitCode, error } = await ended(child);
    clearTimeout(timer);
    this.#children.delete(id);
    return { exitCode, stdout: stdout.text(), stderr: error ?? stderr.text(), timedOut };
  }

  async #pump({ id, argv, env, folder, skip }: PumpRequest): Promise<PumpReply> {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { bytes, segment } = await resumeLog(folder, skip);
    const log = new LogWriter({
      folder,
      segmentBytes: SEGMENT_BYTES,
      firstSegment: segment,
      makeRoom: () => this.#host.makeRoom(),
    });
    let child: ChildProcess;
    try {
      child = this.#spawn(id, argv, env);
    } catch (error) {
      await log.close();
      throw error;
    }
    const stdout = new SkipFirst(bytes.stdout);
    const stderr = new SkipFirst(bytes.stderr);
    const complaint = new Collected(MAX_STDERR_BYTES);
    child.stderr?.on("data", (chunk: Buffer) => complaint.addLast(chunk));
    const pumped = [pipe(child.stdout, stdout, log, "stdout"), pipe(child.stderr, stderr, log, "stderr")];
    const { exitCode } = await ended(child);
    await Promise.all(pumped);
    await log.close();
    this.#children.delete(id);
    const own = exitCode === 0 ? 0 : complaintBytes(complaint.text());
    const written = {
      stdout: bytes.stdout + stdout.passed,
      stderr: bytes.stderr + Math.max(0, stderr.passed - own),
    };
    return { exitCode, written };
  }

  #spawn(id: number, argv: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
    if (this.#isOver) throw new Error("nobody is left to hear of it");
    const [file = "", ...args] = argv;
    const child = spawn(file, args, { env, cwd: this.#cwd(), detached: true, stdio: ["ignore", "pipe", "pipe"] });
    this.#children.set(id, child);
    return child;
  }

  /** Not the user's folder: podman's monitor leaves a file `oom` where it was started when a container ran out of memory. */
  #cwd(): string {
    const folder = join(this.#host.folder, ".programs");
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return folder;
    } catch {
      return this.#host.folder;
    }
  }
}

function pipe(source: Readable | null, skip: SkipFirst, log: LogWriter, stream: "stdout" | "stderr"): Promise<void> {
  const pumped = log.pump(skip, stream);
  if (!source) skip.end();
  else {
    source.pipe(skip);
    // One that is destroyed does not end what it is piped to.
    source.once("close", () => skip.end());
  }
  return pumped;
}

/** What a program that failed said last of its own, on the stream of the container: not the container's words. */
function complaintBytes(stderr: string): number {
  const lines = stderr.split("\n");
  const last = lines.at(-1) === "" ? lines.at(-2) : lines.at(-1);
  return last !== undefined && COMPLAINT.test(last) ? Buffer.byteLength(last) + (lines.at(-1) === "" ? 1 : 0) : 0;
}

/** Both streams have been read to their end by then. */
function ended(child: ChildProcess): Promise<{ readonly exitCode: number; readonly error: string | undefined }> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ exitCode: NO_PROGRAM, error: error.message }));
    child.once("close", (code, signal) => {
      const exitCode = code ?? 128 + (signal === null ? 9 : (constants.signals[signal] ?? 9));
      resolve({ exitCode, error: undefined });
    });
  });
}

/** Its output may be held open by others for longer. */
function exited(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once("exit", () => resolve()));
}

/** With all that it started: a container program may have helpers of its own. */
function end(child: ChildProcess | undefined, signal: NodeJS.Signals = "SIGTERM"): void {
  if (child?.pid === undefined || child.exitCode !== null) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended by itself.
  }
}

/** Also where it does not hear: then its output is over as well, which one that left its group may hold for ever. */
function endForced(child: ChildProcess | undefined): void {
  end(child, "SIGKILL");
  child?.stdout?.destroy();
  child?.stderr?.destroy();
}

function ignore(): void {
  // The command's end is told by its reply.
}

/** Text of a stream, no more than so many bytes of it. */
class Collected {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  addFirst(chunk: Buffer | string): void {
    if (this.#size < this.#maxBytes) this.#add(chunk);
  }

  addLast(chunk: Buffer | string): void {
    this.#add(chunk);
    while (this.#parts.length > 1 && this.#size - (this.#parts[0]?.length ?? 0) >= this.#maxBytes) {
      this.#size -= this.#parts.shift()?.length ?? 0;
    }
  }

  text(): string {
    return Buffer.concat(this.#parts).toString("utf8");
  }

  #add(chunk: Buffer | string): void {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    this.#parts.push(bytes);
    this.#size += bytes.length;
  }
}
