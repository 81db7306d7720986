/** Reads a container's log for people and programs: the end of it, what is newer than a moment, or as it grows. */

import { type ContentOptions, contentOf } from "./log-content.js";
import { type LogLine, type LogStream, parseLogLine } from "./log-format.js";
import type { LogSource } from "./runtime/port.js";

export interface LogOptions extends ContentOptions {
  /** Goes on until the container has ended (or `signal` aborts). */
  readonly follow?: boolean;
  /** Of the container's run before its newest one; nothing where there was none. */
  readonly previous?: boolean;
  /** Only the last so many lines. */
  readonly tailLines?: number;
  /** At most so many bytes, cut where they end; with `follow` nothing is waited for after them. Not of lines one by one. */
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
  const place = { isLineStart: true };
  let left = options.limitBytes ?? Number.POSITIVE_INFINITY;
  if (left <= 0) return;
  for await (const block of blocksOf(source, ended, options)) {
    const content = contentOf(block, options, place);
    if (content.length === 0) continue;
    yield content.subarray(0, left);
    left -= content.length;
    if (left <= 0) return;
  }
}

/** The same line by line, for who looks at each; `timestamps` means nothing here: a line has its time. */
export async function* readLogLines(
  source: LogSource,
  ended: Promise<unknown>,
  options: LogOptions = {},
): AsyncGenerator<LogLine> {
  for await (const block of blocksOf(source, ended, options)) yield* linesIn(block, options);
}

/** Whole lines, as they stand in the log; what comes after the last newline waits for the rest of its line. */
async function* blocksOf(source: LogSource, ended: Promise<unknown>, options: LogOptions): AsyncGenerator<Buffer> {
  let offset = options.tailLines === undefined ? 0 : await tailOffset(source, options.tailLines);
  let rest: Buffer = Buffer.alloc(0);
  const follower = options.follow === true ? new Follower(source, ended, options.signal) : undefined;
  try {
    for (;;) {
      const block = await source.read(offset, BLOCK_BYTES);
      if (block.length === 0) {
        if (follower === undefined || !(await follower.more(offset))) return;
        continue;
      }
      offset += block.length;
      const data = rest.length === 0 ? block : Buffer.concat([rest, block]);
      const end = data.lastIndexOf(NEWLINE) + 1;
      rest = data.subarray(end);
      if (end > 0) yield data.subarray(0, end);
    }
  } finally {
    follower?.stop();
  }
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

function isWanted(line: LogLine, options: LogOptions): boolean {
  if (options.stream !== undefined && line.stream !== options.stream) return false;
  return options.sinceMs === undefined || Date.parse(line.time) >= options.sinceMs;
}

function* linesIn(block: Buffer, options: LogOptions): Generator<LogLine> {
  let start = 0;
  for (let end = block.indexOf(NEWLINE); end >= 0; end = block.indexOf(NEWLINE, start)) {
    const line = parseLogLine(block.subarray(start, end + 1));
    if (line !== undefined && isWanted(line, options)) yield line;
    start = end + 1;
  }
}

/** Where the last `count` lines begin; read from the end. */
async function tailOffset(source: LogSource, count: number): Promise<number> {
  const size = await source.size();
  let missing = count + 1;
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - BLOCK_BYTES);
    const block = await readWhole(source, start, end - start);
    // The log's last byte is a newline: it begins no line.
    for (let at = block.length - 1; at >= 0; at--) {
      if (block[at] === NEWLINE && --missing === 0) return start + at + 1;
    }
    end = start;
  }
  return 0;
}

/** A source may answer less than it has, at the end of a segment. */
async function readWhole(source: LogSource, offset: number, length: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let done = 0; done < length; ) {
    const part = await source.read(offset + done, length - done);
    if (part.length === 0) break;
    parts.push(part);
    done += part.length;
  }
  return Buffer.concat(parts);
}

/** The last `maxBytes` of what the container wrote to one stream, or to both in the order it came, as it wrote it. */
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
  const part: LogSource = {
    read: (offset, bytes) => source.read(from + offset, bytes),
    size: async () => (await source.size()) - from,
    grown: () => Promise.resolve(),
  };
  let kept: Buffer = Buffer.alloc(0);
  let lines: Buffer[] = [];
  let isFirst = from > 0;
  for await (const line of readLogLines(part, Promise.resolve(), stream === "both" ? {} : { stream })) {
    // A window may begin in the middle of a line that looks like one.
    if (!isFirst) lines.push(line.bytes);
    isFirst = false;
    if (lines.length < 1024) continue;
    kept = last(Buffer.concat([kept, ...lines]), maxBytes);
    lines = [];
  }
  return last(Buffer.concat([kept, ...lines]), maxBytes);
}

function last(bytes: Buffer, count: number): Buffer {
  return bytes.subarray(Math.max(0, bytes.length - count));
}
