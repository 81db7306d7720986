/**
 * Takes what a container wrote out of blocks of its log: whole lines of both streams, where the log has parts of them
 * between each other. Nothing is made of the single lines: logs are long.
 */

import { HeldBytes } from "./held-bytes.js";
import {
  FULL,
  isStderrAt,
  type LogStream,
  type StreamOffsets,
  TAG_BYTES,
  TIME_BYTES,
  tagAt,
  timeBytesAt,
  tornHeadAt,
  utcTime,
} from "./log-format.js";

export interface ContentOptions {
  /** Only one of the two streams. */
  readonly stream?: LogStream;
  /** Only lines whose end was written at or after this moment, milliseconds since the epoch. */
  readonly sinceMs?: number;
  /** Each line begins with the RFC 3339 time of its end and a blank. */
  readonly timestamps?: boolean;
}

const NEWLINE = 10;
/** As far as milliseconds: a moment is compared with these characters of a line's time. */
const MOMENT_LENGTH = "2026-01-02T03:04:05.678".length;
/** Of a longer line, so much is told before its end is there: the other stream's lines may stand in it. */
const LINE_BYTES_MAX = 1024 * 1024;
const BREAK =
  "[the log breaks off here, in the middle of a line, as it does on a full disk: what came after it is missing]\n";

interface StreamState {
  readonly name: LogStream;
  readonly isWanted: boolean;
  /** Records before this offset are not asked for. */
  readonly from: number;
  /** Of a line whose end has not come. */
  readonly held: HeldBytes;
  /** Of the last of them. */
  heldTime: string;
  /** What was told last lacks its end. */
  isAmid: boolean;
}

/** One record of a block: where it begins, its word behind the time, its newline. */
interface Place {
  readonly start: number;
  readonly wordAt: number;
  readonly end: number;
}

export class LogLines {
  readonly #since: string | undefined;
  readonly #timestamps: boolean;
  readonly #stdout: StreamState;
  readonly #stderr: StreamState;
  /** Whose line is told without its end. */
  #open: StreamState | undefined;
  #content: Buffer = Buffer.alloc(0);
  #length = 0;
  #isTorn = false;

  constructor({ stream, sinceMs, timestamps }: ContentOptions, from: StreamOffsets) {
    this.#since = sinceMs === undefined ? undefined : new Date(sinceMs).toISOString().slice(0, MOMENT_LENGTH);
    this.#timestamps = timestamps === true;
    const stateOf = (name: LogStream): StreamState => ({
      name,
      isWanted: stream === undefined || stream === name,
      from: from[name],
      held: new HeldBytes(),
      heldTime: "",
      isAmid: false,
    });
    this.#stdout = stateOf("stdout");
    this.#stderr = stateOf("stderr");
  }

  /** The log ends within a record. */
  get isTorn(): boolean {
    return this.#isTorn;
  }

  /** What `block` completes; it holds whole records, but for the log's last. `offset`: its place in the log. */
  push(block: Buffer, offset: number): Buffer {
    // Never longer: each record loses more than it gains.
    this.#content = Buffer.allocUnsafe(block.length + this.#stdout.held.length + this.#stderr.held.length);
    this.#length = 0;
    for (let start = 0, end = 0; start < block.length; start = end + 1) {
      end = block.indexOf(NEWLINE, start);
      if (end < 0) {
        this.#isTorn = true;
        break;
      }
      const place = { start, wordAt: start + timeBytesAt(block, start), end };
      if (tagAt(block, place.wordAt, end) !== undefined) this.#record(block, place, offset);
      else this.#afterTorn(block, place, offset);
    }
    return this.#content.subarray(0, this.#length);
  }

  /** What still lacks its end when nothing more comes; then, of a log that was `torn`, that it is. */
  end(torn: "torn" | "whole"): Buffer {
    this.#content = Buffer.allocUnsafe(
      this.#stdout.held.length + this.#stderr.held.length + 4 * TIME_BYTES + BREAK.length,
    );
    this.#length = 0;
    for (const stream of [this.#stdout, this.#stderr]) {
      if (stream.held.length === 0 || this.#isTooOld(stream.heldTime)) continue;
      this.#begin(stream, stream.heldTime);
      this.#tellHeld(stream);
      this.#open = stream;
    }
    if (torn === "torn" && this.#stderr.isWanted) {
      if (this.#open !== undefined) this.#write("\n");
      this.#write(BREAK);
    }
    return this.#content.subarray(0, this.#length);
  }

  /** A whole record may stand behind one that broke off. */
  #afterTorn(block: Buffer, { start, end }: Place, offset: number): void {
    const head = tornHeadAt(block, start + 1, end);
    if (head === undefined) return;
    const wordAt = head + timeBytesAt(block, head);
    this.#record(block, { start: head, wordAt, end }, offset);
  }

  #record(block: Buffer, place: Place, offset: number): void {
    const stream = isStderrAt(block, place.wordAt) ? this.#stderr : this.#stdout;
    if (!stream.isWanted || offset + place.start < stream.from) return;
    const isFull = block[place.wordAt + TAG_BYTES - 2] === FULL;
    const from = place.wordAt + TAG_BYTES;
    // The log's own newline is the one that was written where the line is full.
    const to = isFull ? place.end + 1 : place.end;
    if (isFull || stream.held.length + to - from > LINE_BYTES_MAX) {
      this.#tell(stream, block, place, to);
      return;
    }
    stream.heldTime = timeOf(block, place);
    stream.held.add(block, from, to);
  }

  /** What is held of its line, and the record as far as `to`. */
  #tell(stream: StreamState, block: Buffer, place: Place, to: number): void {
    if (this.#since !== undefined && this.#isTooOld(timeOf(block, place))) {
      stream.held.clear();
      return;
    }
    this.#begin(stream, this.#timestamps ? timeOf(block, place) : "");
    if (stream.held.length > 0) this.#tellHeld(stream);
    this.#length += copy(block, this.#content, { from: place.wordAt + TAG_BYTES, to, at: this.#length });
    stream.isAmid = to === place.end;
    this.#open = stream.isAmid ? stream : undefined;
  }

  #isTooOld(time: string): boolean {
    return this.#since !== undefined && time.slice(0, MOMENT_LENGTH) < this.#since;
  }

  /** No line begins in the middle of the other stream's. */
  #begin(stream: StreamState, time: string): void {
    if (this.#open !== undefined && this.#open !== stream) this.#write("\n");
    if (this.#timestamps && !stream.isAmid) this.#write(`${time} `);
  }

  #tellHeld(stream: StreamState): void {
    this.#length += stream.held.take(this.#content, this.#length);
  }

  #write(text: string): void {
    this.#length += this.#content.write(text, this.#length, "latin1");
  }
}

function timeOf(block: Buffer, { start, wordAt }: Place): string {
  return utcTime(block.toString("latin1", start, wordAt));
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
