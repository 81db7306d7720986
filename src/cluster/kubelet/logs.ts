/** Reads a container's log for people and programs: the end of it, what is newer than a moment, or as it grows. */

import type { LogStream } from "./log-format.js";
import { type ContentOptions, LogLines } from "./log-lines.js";
import { tailStarts } from "./log-tail.js";
import type { LogSource } from "./runtime/port.js";

export interface LogOptions extends ContentOptions {
  /** Goes on until the container has ended (or `signal` aborts). */
  readonly follow?: boolean;
  /** Of the container's run before its newest one; nothing where there was none. */
  readonly previous?: boolean;
  /** Only the last so many lines. */
  readonly tailLines?: number;
  /** At most so many bytes, cut where they end; with `follow` nothing is waited for after them. */
  readonly limitBytes?: number;
  readonly signal?: AbortSignal;
}

/** So much of a log is read at once, and no more of it is in memory. */
const BLOCK_BYTES = 256 * 1024;
const NEWLINE = 10;

/** What the container wrote, many lines at once. `ended` resolves when nothing more will come. */
export async function* readLog(
  source: LogSource,
  ended: Promise<unknown>,
  options: LogOptions = {},
): AsyncGenerator<Uint8Array> {
  let left = options.limitBytes ?? Number.POSITIVE_INFINITY;
  if (left <= 0) return;
  for await (const content of contentsOf(source, ended, options)) {
    if (content.length === 0) continue;
    yield content.subarray(0, left);
    left -= content.length;
    if (left <= 0) return;
  }
}

async function* contentsOf(source: LogSource, ended: Promise<unknown>, options: LogOptions): AsyncGenerator<Buffer> {
  const { tailLines, stream, signal } = options;
  const from = tailLines === undefined ? START : await tailStarts(source, tailLines, stream);
  const lines = new LogLines(options, from);
  const follower = options.follow === true ? new Follower(source, ended, signal) : undefined;
  const first = Math.min(from.stdout, from.stderr);
  for await (const { block, offset } of blocksOf(source, first, follower)) yield lines.push(block, offset);
  // A container that goes on may just be writing its last line.
  yield lines.end(lines.isTorn && (await isSettled(ended)) ? "torn" : "whole");
}

const START = { stdout: 0, stderr: 0 };

interface Block {
  readonly block: Buffer;
  /** Its place in the log. */
  readonly offset: number;
}

/** Whole lines, as they stand in the log; in the end what comes after the last newline. */
async function* blocksOf(source: LogSource, first: number, follower?: Follower): AsyncGenerator<Block> {
  let offset = first;
  let rest: Buffer = Buffer.alloc(0);
  try {
    for (;;) {
      const block = await source.read(offset, BLOCK_BYTES);
      if (block.length === 0) {
        if (follower === undefined || !(await follower.more(offset))) break;
        continue;
      }
      const data = rest.length === 0 ? block : Buffer.concat([rest, block]);
      const start = offset - rest.length;
      offset += block.length;
      const end = data.lastIndexOf(NEWLINE) + 1;
      rest = data.subarray(end);
      if (end > 0) yield { block: data.subarray(0, end), offset: start };
    }
    if (rest.length > 0) yield { block: rest, offset: offset - rest.length };
  } finally {
    follower?.stop();
  }
}

function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const yes = (): boolean => true;
  return Promise.race([promise.then(yes, yes), new Promise<boolean>((no) => setImmediate(no, false))]);
}

/** Without a reason, an error with a stack would be made for each log, and nobody reads it. */
const OVER = "the log is over";

/** Waits for the log to grow, and knows when it never will again. */
class Follower {
  readonly #source: LogSource;
  readonly #over = new AbortController();
  readonly #stop: () => void;
  readonly #signal: AbortSignal | undefined;
  #isLast = false;

  constructor(source: LogSource, ended: Promise<unknown>, signal: AbortSignal | undefined) {
    this.#source = source;
    this.#signal = signal;
    this.#stop = () => this.#over.abort(OVER);
    signal?.addEventListener("abort", this.#stop, { once: true });
    ended.then(this.#stop, this.#stop);
  }

  /** False when there is nothing to wait for any more. */
  async more(offset: number): Promise<boolean> {
    if (this.#signal?.aborted === true || this.#isLast) return false;
    if (!this.#over.signal.aborted) await this.#source.grown(offset, this.#over.signal);
    // Once the container has ended, one more look: its last lines may have come meanwhile.
    this.#isLast = this.#over.signal.aborted;
    return true;
  }

  stop(): void {
    this.#over.abort(OVER);
    this.#signal?.removeEventListener("abort", this.#stop);
  }
}

/** The last `maxBytes` of what the container wrote to one stream, or of the lines of both, as it wrote it. */
export async function readTail(source: LogSource, stream: LogStream | "both", maxBytes: number): Promise<Buffer> {
  const size = await source.size();
  for (let window = 4 * maxBytes + BLOCK_BYTES; ; window *= 4) {
    const tail = await tailWithin(source, { stream, maxBytes, from: Math.max(0, size - window) });
    if (tail.length >= maxBytes || window >= size) return tail;
  }
}

interface TailWish {
  readonly stream: LogStream | "both";
  readonly maxBytes: number;
  readonly from: number;
}

async function tailWithin(source: LogSource, { stream, maxBytes, from }: TailWish): Promise<Buffer> {
  const lines = new LogLines(stream === "both" ? {} : { stream }, START);
  let tail: Buffer = Buffer.alloc(0);
  let isFirst = from > 0;
  for await (const { block, offset } of blocksOf(source, from)) {
    // A window may begin in the middle of a line that looks like one.
    const whole = isFirst ? block.subarray(block.indexOf(NEWLINE) + 1) : block;
    isFirst = false;
    tail = last(Buffer.concat([tail, lines.push(whole, offset)]), maxBytes);
  }
  return last(Buffer.concat([tail, lines.end("whole")]), maxBytes);
}

function last(bytes: Buffer, count: number): Buffer {
  return bytes.subarray(Math.max(0, bytes.length - count));
}
