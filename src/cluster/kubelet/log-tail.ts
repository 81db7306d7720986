/** Finds from where on a log has to be read for its end: for its last lines, or for the last bytes of what was written. */

import { FULL, isStderrAt, type LogStream, type StreamOffsets, tagAt, timeBytesAt } from "./log-format.js";
import type { LogSource } from "./runtime/port.js";

const BLOCK_BYTES = 256 * 1024;
const NEWLINE = 10;
/** A line's earlier parts are looked for so far back behind those that are found. */
const LOOK_BACK_BYTES = 1024 * 1024;

/**
 * Where the last `count` lines begin, for each stream; found from the end. A line may stand in parts with the other
 * stream's lines between them, and counts where its last part stands.
 */
export async function tailStarts(source: LogSource, count: number, stream?: LogStream): Promise<StreamOffsets> {
  const scan = new TailScan(count, stream);
  let carry: Buffer = Buffer.alloc(0);
  for (let end = await source.size(); end > 0 && !scan.isDone; ) {
    const start = Math.max(0, end - BLOCK_BYTES);
    const block = Buffer.concat([await readWhole(source, start, end - start), carry]);
    // Its first line may begin in the block before it.
    const first = start === 0 ? 0 : block.indexOf(NEWLINE) + 1;
    scan.add(block, first, start);
    carry = start === 0 || first === 0 ? block : block.subarray(0, first);
    end = start;
  }
  return scan.starts;
}

interface TailLine {
  start: number | undefined;
  /** It is one of the last lines, and its earlier parts may be still to come. */
  isOpen: boolean;
  /** Its stream's last record is known. */
  isSeen: boolean;
}

class TailScan {
  readonly #stream: LogStream | undefined;
  readonly #lines: Readonly<Record<LogStream, TailLine>> = {
    stdout: { start: undefined, isOpen: false, isSeen: false },
    stderr: { start: undefined, isOpen: false, isSeen: false },
  };
  #left: number;
  /** Where the log's last whole record ends. */
  #end: number | undefined;

  constructor(count: number, stream: LogStream | undefined) {
    this.#left = count;
    this.#stream = stream;
  }

  get isDone(): boolean {
    return this.#end !== undefined && this.#left === 0 && !this.#lines.stdout.isOpen && !this.#lines.stderr.isOpen;
  }

  get starts(): StreamOffsets {
    const { stdout, stderr } = this.#lines;
    const none = this.#end ?? 0;
    return { stdout: stdout.start ?? none, stderr: stderr.start ?? none };
  }

  /** The records of `block` from `first` on, last one first; `base`: the block's place in the log. */
  add(block: Buffer, first: number, base: number): void {
    let end = block.lastIndexOf(NEWLINE);
    if (end >= 0) this.#end ??= base + end + 1;
    while (end >= first && !this.isDone) {
      const start = end === 0 ? 0 : block.lastIndexOf(NEWLINE, end - 1) + 1;
      const wordAt = start + timeBytesAt(block, start);
      const tag = tagAt(block, wordAt, end);
      if (tag !== undefined) this.#record(isStderrAt(block, wordAt) ? "stderr" : "stdout", tag, base + start);
      end = start - 1;
    }
  }

  #record(stream: LogStream, tag: number, at: number): void {
    for (const line of [this.#lines.stdout, this.#lines.stderr]) {
      if (line.isOpen && (line.start ?? at) - at > LOOK_BACK_BYTES) line.isOpen = false;
    }
    if (this.#stream !== undefined && stream !== this.#stream) return;
    const line = this.#lines[stream];
    if (tag === FULL || !line.isSeen) {
      line.isOpen = this.#left > 0;
      if (line.isOpen) this.#left--;
    }
    line.isSeen = true;
    if (line.isOpen) line.start = at;
  }
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
