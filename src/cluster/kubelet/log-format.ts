/**
 * Lines of a container's log: `<RFC 3339 time with nanoseconds> <stdout|stderr> <F|P> <bytes>`, as container runtimes
 * write them. F is a whole line (its newline stands at the end), P a part without one, so that no byte is lost.
 */

export type LogStream = "stdout" | "stderr";

/** A longer line is cut into parts, so that a reader never holds more than this. */
export const MAX_LINE_BYTES = 16 * 1024;
const NEWLINE = 10;
const SPACE = 32;
/** Length of the time that a line begins with. */
export const TIME_BYTES = 30;
/** Length of all that stands before a line's own bytes. */
export const LINE_HEAD_BYTES = TIME_BYTES + " stdout F ".length;

/** `2026-01-02T03:04:05.678901234Z`; `nanoseconds` since the epoch. */
export function logTime(nanoseconds: bigint): string {
  const milliseconds = Number(nanoseconds / 1_000_000n);
  const rest = (nanoseconds % 1_000_000n).toString().padStart(6, "0");
  return `${new Date(milliseconds).toISOString().slice(0, 23)}${rest}Z`;
}

/** Cuts one stream into lines; keeps the unfinished line until the rest of it comes. */
export class LineFramer {
  #rest: Buffer = Buffer.alloc(0);

  constructor(readonly stream: LogStream) {}

  /** Whether the last line still lacks its end. */
  get isAmidLine(): boolean {
    return this.#rest.length > 0;
  }

  /** The log lines that `chunk` completes, all with the same time. */
  push(chunk: Buffer, time: string): Buffer {
    const data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const parts: Buffer[] = [];
    const full = Buffer.from(`${time} ${this.stream} F `);
    let start = 0;
    for (;;) {
      const end = data.indexOf(NEWLINE, start);
      const stop = end < 0 ? data.length : end;
      while (stop - start > MAX_LINE_BYTES) {
        parts.push(this.#part(data.subarray(start, start + MAX_LINE_BYTES), time));
        start += MAX_LINE_BYTES;
      }
      if (end < 0) break;
      parts.push(full, data.subarray(start, end + 1));
      start = end + 1;
    }
    // Copied: the rest must not keep a large chunk alive.
    this.#rest = Buffer.from(data.subarray(start));
    return parts.length === 0 ? Buffer.alloc(0) : Buffer.concat(parts);
  }

  /** What is left when the stream ends without a newline. */
  end(time: string): Buffer {
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    return rest.length === 0 ? rest : this.#part(rest, time);
  }

  #part(bytes: Buffer, time: string): Buffer {
    return Buffer.concat([Buffer.from(`${time} ${this.stream} P `), bytes, Buffer.from("\n")]);
  }
}

export interface LogLine {
  /** As it stands in the log. */
  readonly time: string;
  readonly stream: LogStream;
  /** False when the rest of the line follows, or the stream ended without a newline. */
  readonly full: boolean;
  /** What was written, with the newline of a full line. */
  readonly bytes: Buffer;
}

/** One line of a log file with its newline; undefined when it is not one (torn by a crash). */
export function parseLogLine(line: Buffer): LogLine | undefined {
  const stream = streamAt(line);
  if (stream === undefined) return undefined;
  const tagAt = TIME_BYTES + 1 + stream.length + 1;
  const tag = line[tagAt];
  if ((tag !== 70 && tag !== 80) || line[tagAt + 1] !== SPACE) return undefined;
  const full = tag === 70;
  const isWhole = line[line.length - 1] === NEWLINE;
  // The log's own newline is the one that was written where the line is full.
  if (full && !isWhole) return undefined;
  return {
    time: line.toString("latin1", 0, TIME_BYTES),
    stream,
    full,
    bytes: line.subarray(tagAt + 2, full || !isWhole ? line.length : line.length - 1),
  };
}

function streamAt(line: Buffer): LogStream | undefined {
  if (line.length < TIME_BYTES + 10 || line[TIME_BYTES] !== SPACE) return undefined;
  const word = line.toString("latin1", TIME_BYTES + 1, TIME_BYTES + 8);
  if (word === "stdout ") return "stdout";
  return word === "stderr " ? "stderr" : undefined;
}
