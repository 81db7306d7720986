/**
 * Lines of a container's log: `<RFC 3339 time with nanoseconds> <stdout|stderr> <F|P> <bytes>`, as container runtimes
 * write them. F is a whole line (its newline stands at the end), P a part without one, so that no byte is lost. Our times
 * end with Z; those of podman's monitor with the machine's offset (`+00:00`).
 */

export type LogStream = "stdout" | "stderr";
/** A place in the log for each of the two. */
export type StreamOffsets = Readonly<Record<LogStream, number>>;

/** A longer line is cut into parts, so that a reader never holds more than this. */
export const MAX_LINE_BYTES = 16 * 1024;
const NEWLINE = 10;
const SPACE = 32;
/** Length of a time in UTC, with Z. */
export const TIME_BYTES = 30;
const OFFSET_TIME_BYTES = 35;
/** Length of what stands between a line's time and its own bytes. */
export const TAG_BYTES = " stdout F ".length;
const Z = 90;
const DASH = 45;
const T = 84;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.$/;
const STDOUT = Buffer.from(" stdout ");
const STDERR = Buffer.from(" stderr ");
/** Which tells them apart. */
const STREAM_LETTER = " std".length;
/** Tags. */
export const FULL = 70;
const PART = 80;

/** Length of the time that the line which begins at `start` begins with, if it is a line. */
export function timeBytesAt(block: Buffer, start: number): number {
  return block[start + TIME_BYTES - 1] === Z ? TIME_BYTES : OFFSET_TIME_BYTES;
}

/** A line's time with Z; what is none stays as it is. */
export function utcTime(time: string): string {
  if (time.length !== OFFSET_TIME_BYTES) return time;
  const fraction = time.slice(19, 29);
  if (time.endsWith("+00:00")) return `${time.slice(0, 29)}Z`;
  const milliseconds = Date.parse(`${time.slice(0, 19)}${time.slice(29)}`);
  return Number.isNaN(milliseconds) ? time : `${new Date(milliseconds).toISOString().slice(0, 19)}${fraction}Z`;
}

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
  /** In UTC, with Z. */
  readonly time: string;
  readonly stream: LogStream;
  /** False when the rest of the line follows, or the stream ended without a newline. */
  readonly full: boolean;
  /** What was written, with the newline of a full line. */
  readonly bytes: Buffer;
}

/** One line of a log file with its newline; undefined when it is not one (torn by a crash). */
export function parseLogLine(line: Buffer): LogLine | undefined {
  const end = line.length - 1;
  const timeBytes = timeBytesAt(line, 0);
  const tag = line[end] === NEWLINE ? tagAt(line, timeBytes, end) : undefined;
  if (tag === undefined) return undefined;
  const full = tag === FULL;
  return {
    time: utcTime(line.toString("latin1", 0, timeBytes)),
    stream: isStderrAt(line, timeBytes) ? "stderr" : "stdout",
    full,
    // The log's own newline is the one that was written where the line is full.
    bytes: line.subarray(timeBytes + TAG_BYTES, full ? line.length : end),
  };
}

/** {@link FULL} or {@link PART}, of the line whose time ends at `wordAt` and whose newline is at `end`; undefined when it is none. */
export function tagAt(block: Buffer, wordAt: number, end: number): number | undefined {
  if (end - wordAt < TAG_BYTES) return undefined;
  if (!matchesAt(block, wordAt, STDOUT) && !matchesAt(block, wordAt, STDERR)) return undefined;
  const tag = block[wordAt + TAG_BYTES - 2];
  if (block[wordAt + TAG_BYTES - 1] !== SPACE) return undefined;
  return tag === FULL || tag === PART ? tag : undefined;
}

/** Of a line that has a tag. */
export function isStderrAt(block: Buffer, wordAt: number): boolean {
  return block[wordAt + STREAM_LETTER] === STDERR[STREAM_LETTER];
}

/** Where a whole line begins behind one that broke off before its tag, between `from` and the newline at `end`. */
export function tornHeadAt(block: Buffer, from: number, end: number): number | undefined {
  for (let at = from; at < end; at++) {
    const isTime = block[at + 4] === DASH && block[at + 10] === T && TIME.test(block.toString("latin1", at, at + 20));
    if (isTime && tagAt(block, at + timeBytesAt(block, at), end) !== undefined) return at;
  }
  return undefined;
}

function matchesAt(block: Buffer, at: number, word: Buffer): boolean {
  for (let index = 0; index < word.length; index++) if (block[at + index] !== word[index]) return false;
  return true;
}
