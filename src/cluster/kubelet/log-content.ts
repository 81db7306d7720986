/** Takes what containers wrote out of blocks of their logs, without making anything of the single lines: logs are long. */

import { LINE_HEAD_BYTES, type LogStream, TIME_BYTES } from "./log-format.js";

export interface ContentOptions {
  /** Only one of the two streams. */
  readonly stream?: LogStream;
  /** Only lines written at or after this moment, milliseconds since the epoch. */
  readonly sinceMs?: number;
  /** Each line begins with its RFC 3339 time and a blank; a long one, which stands there in parts, does so once. */
  readonly timestamps?: boolean;
}

const NEWLINE = 10;
const SPACE = 32;
const FULL = 70;
const PART = 80;
const STDOUT = Buffer.from(" stdout ");
const STDERR = Buffer.from(" stderr ");
/** As far as milliseconds: a moment is compared with these bytes of a line's time. */
const MOMENT_BYTES = "2026-01-02T03:04:05.678".length;

/** Whether what was taken out last ended with a newline of the container's own: carried from block to block. */
export interface ContentPlace {
  isLineStart: boolean;
}

/** `block`: whole lines of a log, each with its newline. What is not a line of a log (torn by a crash) is left out. */
export function contentOf(block: Buffer, options: ContentOptions, place: ContentPlace): Buffer {
  const wanted = wantedOf(options);
  // Never longer than what it is taken from: each line loses more than it gains.
  const content = Buffer.allocUnsafe(block.length);
  let length = 0;
  for (let start = 0, end = 0; start < block.length; start = end + 1) {
    end = block.indexOf(NEWLINE, start);
    if (end < 0) break;
    const tag = tagOf(block, start, end);
    if (tag === undefined || !isWanted(block, start, wanted)) continue;
    if (options.timestamps === true && place.isLineStart) {
      length += block.copy(content, length, start, start + TIME_BYTES + 1);
    }
    place.isLineStart = tag === FULL;
    // The log's own newline is the one that was written where the line is full.
    length += copy(block, content, { from: start + LINE_HEAD_BYTES, to: tag === FULL ? end + 1 : end, at: length });
  }
  return content.subarray(0, length);
}

/** What is asked for, as the bytes that a line begins with. */
interface Wanted {
  readonly stream: Buffer | undefined;
  readonly since: Buffer | undefined;
}

function wantedOf({ stream, sinceMs }: ContentOptions): Wanted {
  return {
    stream: stream === undefined ? undefined : stream === "stdout" ? STDOUT : STDERR,
    since: sinceMs === undefined ? undefined : momentOf(sinceMs),
  };
}

function isWanted(block: Buffer, start: number, { stream, since }: Wanted): boolean {
  if (stream !== undefined && !matchesAt(block, start + TIME_BYTES, stream)) return false;
  return since === undefined || block.compare(since, 0, MOMENT_BYTES, start, start + MOMENT_BYTES) >= 0;
}

function momentOf(ms: number): Buffer {
  return Buffer.from(new Date(ms).toISOString().slice(0, MOMENT_BYTES));
}

/** F or P of a line; undefined when it is none. */
function tagOf(block: Buffer, start: number, end: number): number | undefined {
  if (end - start < LINE_HEAD_BYTES) return undefined;
  const word = start + TIME_BYTES;
  if (!matchesAt(block, word, STDOUT) && !matchesAt(block, word, STDERR)) return undefined;
  const tag = block[start + LINE_HEAD_BYTES - 2];
  if (block[start + LINE_HEAD_BYTES - 1] !== SPACE) return undefined;
  return tag === FULL || tag === PART ? tag : undefined;
}

function matchesAt(block: Buffer, at: number, word: Buffer): boolean {
  for (let index = 0; index < word.length; index++) if (block[at + index] !== word[index]) return false;
  return true;
}

interface CopyPlan {
  readonly from: number;
  readonly to: number;
  readonly at: number;
}

/** For the few bytes of most lines a loop is faster than the call of a native function. */
const LOOP_BYTES_MAX = 32;

function copy(source: Buffer, target: Buffer, { from, to, at }: CopyPlan): number {
  if (to - from > LOOP_BYTES_MAX) return source.copy(target, at, from, to);
  for (let index = 0; index < to - from; index++) target[at + index] = source[from + index] ?? 0;
  return to - from;
}
