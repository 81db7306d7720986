/** One run of a built-in image: a container that is a function of this process. */

import { messageOf } from "../../core/std/message.js";
import type { BuiltinContext, BuiltinImage } from "./builtin.js";
import { MemoryLog } from "./memory-log.js";
import type { ExitRecord } from "./pod-state.js";

type OuterContext = Omit<BuiltinContext, "signal" | "killed" | "log">;

export interface BuiltinRunOptions {
  readonly image: BuiltinImage;
  /** The rest of its context. */
  readonly context: OuterContext;
  readonly now: () => number;
}

const KILLED = 137;
const FAILED = 1;

export class BuiltinRun {
  readonly log = new MemoryLog();
  readonly exit: Promise<ExitRecord>;
  readonly startedAt: number;
  readonly #stop = new AbortController();
  readonly #killed = new AbortController();
  readonly #now: () => number;
  #end: (exit: ExitRecord) => void = () => undefined;
  #ended = false;

  constructor(options: BuiltinRunOptions) {
    this.#now = options.now;
    this.startedAt = options.now();
    this.exit = new Promise((resolve) => {
      this.#end = resolve;
    });
    void this.#run(options);
  }

  /** SIGKILL ends it whatever it does; any other signal asks it to end. */
  signal(signal: string): void {
    // With a reason: without one, an error with a stack would be made for each container, and nobody reads it.
    this.#stop.abort("the container is told to end");
    if (signal !== "SIGKILL") return;
    this.#finish(KILLED, undefined);
    this.#killed.abort();
  }

  /** Nobody asks any more what becomes of it: it does nothing more, and its end is not told. */
  abandon(): void {
    this.#ended = true;
    this.#stop.abort();
    this.#killed.abort();
  }

  async #run({ image, context }: BuiltinRunOptions): Promise<void> {
    const write = (line: string): void => {
      if (!this.#ended) this.log.write("stdout", Buffer.from(`${line}\n`), this.#now());
    };
    const signals = { signal: this.#stop.signal, killed: this.#killed.signal };
    try {
      const { exitCode, message } = await image({
        ...untilKilled(context, this.#killed.signal),
        ...signals,
        log: write,
      });
      this.#finish(exitCode, message);
    } catch (error) {
      const message = messageOf(error);
      write(message);
      this.#finish(FAILED, message);
    }
  }

  #finish(exitCode: number, message: string | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    const finishedAt = this.#now();
    this.log.end(finishedAt);
    this.#end({ exitCode, startedAt: this.startedAt, finishedAt, ...(message === undefined ? {} : { message }) });
  }
}

/** A function of this process cannot be killed; what it asks for gets no answer once it is. */
function untilKilled(context: OuterContext, killed: AbortSignal): OuterContext {
  const unlessKilled = async <T>(answer: Promise<T>): Promise<T> => {
    const value = await answer;
    return killed.aborted ? never() : value;
  };
  return {
    ...context,
    ended: (name) => unlessKilled(context.ended(name)),
    stdoutTail: (name, maxBytes) => unlessKilled(context.stdoutTail(name, maxBytes)),
    readFile: (name, path, maxBytes) => unlessKilled(context.readFile(name, path, maxBytes)),
    exportPath: (name, path) => unlessKilled(context.exportPath(name, path)),
  };
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
