/** One run of a built-in image: a container that is a function of this process. */

import { messageOf } from "../../core/std/message.js";
import type { BuiltinContext, BuiltinImage } from "./builtin.js";
import { MemoryLog } from "./memory-log.js";
import type { ExitRecord } from "./pod-state.js";

export interface BuiltinRunOptions {
  readonly image: BuiltinImage;
  /** The rest of its context. */
  readonly context: Omit<BuiltinContext, "signal" | "log">;
  readonly now: () => number;
}

const KILLED = 137;
const FAILED = 1;

export class BuiltinRun {
  readonly log = new MemoryLog();
  readonly exit: Promise<ExitRecord>;
  readonly startedAt: number;
  readonly #stop = new AbortController();
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
    if (signal === "SIGKILL") this.#finish(KILLED, undefined);
  }

  async #run({ image, context }: BuiltinRunOptions): Promise<void> {
    const write = (line: string): void => this.log.write("stdout", Buffer.from(`${line}\n`), this.#now());
    try {
      const { exitCode, message } = await image({ ...context, signal: this.#stop.signal, log: write });
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
