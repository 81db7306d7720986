/** This process's end of the pipe to the helper. */

import { type ChildProcess, spawn } from "node:child_process";
import type { ExitRecord } from "../../pod-state.js";
import { readLines } from "./line-reader.js";
import type { ExecReply, ExecSpec, Reply, Request, RunSpec, StartReply } from "./protocol.js";

type Distributed<T> = T extends unknown ? Omit<T, "id"> : never;
type RequestBody = Distributed<Request>;

export interface HelperOptions {
  /** The helper's bundled script. */
  readonly script: string;
  /** Folder on the file system of the pods; holds the reserve. */
  readonly folder: string;
  readonly exited: (key: string, exit: ExitRecord) => void;
}

/** A request whose answer may take its time. */
export interface PendingRequest<T> {
  readonly reply: Promise<T>;
  /** Ends the program behind it; the reply still comes. */
  cancel(): void;
}

/** Rejects with this when the helper is gone: containers it ran are gone with it. */
export class HelperGoneError extends Error {
  override readonly name = "HelperGoneError";
}

export class HelperClient {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  readonly #listening = new Map<number, (line: string) => void>();
  readonly #gone: Promise<void>;
  #isGone = false;
  #nextId = 1;

  constructor(options: HelperOptions) {
    // A small young generation: the helper copies bytes all day and keeps none.
    const flags = ["--max-semi-space-size=2", "--max-old-space-size=128"];
    this.#child = spawn(process.execPath, [...flags, options.script, options.folder], {
      stdio: ["pipe", "pipe", "inherit"],
      detached: true,
      env: {},
    });
    this.#gone = new Promise((resolve) => {
      this.#child.once("error", () => resolve());
      this.#child.once("exit", () => resolve());
    });
    void this.#gone.then(() => this.#end());
    this.#child.stdin?.on("error", () => undefined);
    const { stdout } = this.#child;
    // Undefined where no more files can be opened.
    if (stdout)
      readLines(
        stdout,
        (line) => this.#onReply(line, options),
        () => this.#end(),
      );
  }

  /** Resolves when the helper process has ended, for whatever reason. */
  get gone(): Promise<void> {
    return this.#gone;
  }

  start(run: RunSpec): Promise<StartReply> {
    return this.#ask<StartReply>({ op: "start", run });
  }

  signal(key: string, signal: string): Promise<void> {
    return this.#ask<void>({ op: "signal", key, signal });
  }

  exec(key: string, exec: ExecSpec): Promise<ExecReply> {
    return this.#ask<ExecReply>({ op: "exec", key, exec });
  }

  /** Ends what is left of runs (named by their keys), or of all runs of pods (by their UIDs). */
  sweep(owners: readonly string[]): Promise<void> {
    return this.#ask<void>({ op: "sweep", owners });
  }

  remove(paths: readonly string[]): Promise<void> {
    return this.#ask<void>({ op: "remove", paths });
  }

  /** A request that can be given up; `said` hears the lines of a command that tells them. */
  begin<T>(body: RequestBody, said?: (line: string) => void): PendingRequest<T> {
    const id = this.#nextId;
    if (said !== undefined) this.#listening.set(id, said);
    const reply = this.#ask<T>(body).finally(() => this.#listening.delete(id));
    return { reply, cancel: () => void this.#ask({ op: "cancel", target: id }).catch(() => undefined) };
  }

  /** Ends the helper and with it all it started; resolves when it is gone. */
  async close(): Promise<void> {
    this.#child.stdin?.end();
    await this.#gone;
  }

  #ask<T>(body: RequestBody): Promise<T> {
    const id = this.#nextId++;
    if (this.#isGone) return Promise.reject(new HelperGoneError("the process helper has ended"));
    return new Promise<T>((resolve, reject) => {
      // Both ends are of one build: the reply to a request has the shape that the protocol says.
      this.#waiting.set(id, { resolve: (value) => resolve(value as T), reject });
      this.#child.stdin?.write(`${JSON.stringify({ id, ...body })}\n`);
    });
  }

  #onReply(line: string, options: HelperOptions): void {
    const reply = JSON.parse(line) as Reply;
    if ("exited" in reply) {
      options.exited(reply.exited, reply.exit);
      return;
    }
    if ("said" in reply) {
      this.#listening.get(reply.said)?.(reply.line);
      return;
    }
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ("error" in reply) waiting?.reject(new Error(reply.error));
    else waiting?.resolve(reply.result);
  }

  #end(): void {
    this.#isGone = true;
    for (const { reject } of this.#waiting.values()) reject(new HelperGoneError("the process helper has ended"));
    this.#waiting.clear();
  }
}
