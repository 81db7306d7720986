/** Takes what containers wrote out of blocks of their logs, without making anything of the single lines: logs are long. */

import { type LogStream, TAG_BYTES, TIME_BYTES, timeBytesAt, utcTime } from "./log-format.js";

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
    const wordAt = start + timeBytesAt(block, start);
    const tag = tagOf(block, wordAt, end);
    if (tag === undefined || !isWanted(block, { start, wordAt }, wanted)) continue;
    if (options.timestamps === true && place.isLineStart) {
      length += content.write(`${timeOf(block, { start, wordAt })} `, length, "latin1");
    }
    place.isLineStart = tag === FULL;
    // The log's own newline is the one that was written where the line is full.
    length += copy(block, content, { from: wordAt + TAG_BYTES, to: tag === FULL ? end + 1 : end, at: length });
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

/** Where a line begins, and the word after its time. */
interface LinePlace {
  readonly start: number;
  readonly wordAt: number;
}

function isWanted(block: Buffer, line: LinePlace, { stream, since }: Wanted): boolean {
  const { start, wordAt } = line;
  if (stream !== undefined && !matchesAt(block, wordAt, stream)) return false;
  if (since === undefined) return true;
  if (wordAt - start === TIME_BYTES) return block.compare(since, 0, MOMENT_BYTES, start, start + MOMENT_BYTES) >= 0;
  return Buffer.from(timeOf(block, line), "latin1").compare(since, 0, MOMENT_BYTES, 0, MOMENT_BYTES) >= 0;
}

function timeOf(block: Buffer, { start, wordAt }: LinePlace): string {
  return utcTime(block.toString("latin1", start, wordAt));
}

function momentOf(ms: number): Buffer {
  return Buffer.from(new Date(ms).toISOString().slice(0, MOMENT_BYTES));
}

/** F or P of a line; undefined when it is none. */
function tagOf(block: Buffer, wordAt: number, end: number): number | undefined {
  if (end - wordAt < TAG_BYTES) return undefined;
  if (!matchesAt(block, wordAt, STDOUT) && !matchesAt(block, wordAt, STDERR)) return undefined;
  const tag = block[wordAt + TAG_BYTES - 2];
  if (block[wordAt + TAG_BYTES - 1] !== SPACE) return undefined;
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
