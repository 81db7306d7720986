/** Writes a container's output to its log files, with times, in segments, never faster than the disk takes it. */

import { closeSync, openSync, write, writeSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { LineFramer, type LogStream, logTime } from "../../log-format.js";
import { wallClock } from "./helper-process.js";
import { lossNote, writeOverEnd } from "./log-loss.js";

/** Segments are `log.0`, `log.1`, …, none is ever renamed or dropped: together they are the log. */
export const LOG_SEGMENT_PREFIX = "log.";
export const SEGMENT_BYTES = 64 * 1024 * 1024;
const MAX_QUEUED_BYTES = 1024 * 1024;
const RETRY_MS = 50;
const MAX_RETRIES = 20;

export interface LogWriterOptions {
  readonly folder: string;
  readonly segmentBytes: number;
  /** Goes on with this segment of an earlier process; 0 where left out. */
  readonly firstSegment?: number;
  /** Called when the disk is full, before trying again. */
  readonly makeRoom: () => void;
}

export class LogWriter {
  readonly #options: LogWriterOptions;
  readonly #sources: Readable[] = [];
  #fd: number;
  #segment = 0;
  #segmentSize = 0;
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #writing = false;
  /** Not told in the log yet. */
  #lostBytes = 0;
  #isTorn = false;
  #onIdle: (() => void)[] = [];

  constructor(options: LogWriterOptions) {
    this.#options = options;
    this.#segment = options.firstSegment ?? 0;
    this.#fd = this.#open(this.#segment);
  }

  /** Pumps `source` into the log; resolves when it has ended (its last bytes may still be on their way to the disk). */
  pump(source: Readable, stream: LogStream): Promise<void> {
    const framer = new LineFramer(stream);
    this.#sources.push(source);
    return new Promise((resolve) => {
      let over = false;
      const end = (): void => {
        if (over) return;
        over = true;
        this.#add(framer.end(now()));
        resolve();
      };
      source.on("data", (chunk: Buffer) => this.#add(framer.push(chunk, now())));
      source.on("end", end);
      source.on("close", end);
      source.on("error", end);
    });
  }

  /** Resolves when all that was pumped is written or lost, and closes the file. Never rejects. */
  async close(): Promise<void> {
    if (this.#writing) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
    if (this.#lostBytes > 0) this.#lastNote();
    closeSync(this.#fd);
  }

  #open(segment: number): number {
    return openSync(this.#path(segment), "a", 0o600);
  }

  #path(segment: number): string {
    return join(this.#options.folder, `${LOG_SEGMENT_PREFIX}${segment}`);
  }

  #add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#queue.push(bytes);
    this.#queuedBytes += bytes.length;
    if (this.#queuedBytes > MAX_QUEUED_BYTES) for (const source of this.#sources) source.pause();
    if (!this.#writing) this.#writeNext();
  }

  #writeNext(): void {
    if (this.#queue.length === 0) {
      this.#writing = false;
      const waiting = this.#onIdle;
      this.#onIdle = [];
      for (const resolve of waiting) resolve();
      return;
    }
    this.#writing = true;
    const note = this.#lostBytes > 0 ? [this.#note()] : [];
    const bytes = Buffer.concat([...note, ...this.#queue]);
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#write({ bytes, noteBytes: note[0]?.length ?? 0, begun: false }, 0);
  }

  #write(batch: Batch, failures: number): void {
    write(this.#fd, batch.bytes, 0, batch.bytes.length, null, (error, written) => {
      if (error !== null) return this.#failed(batch, failures);
      this.#segmentSize += written;
      if (batch.noteBytes > 0 && written >= batch.noteBytes) {
        this.#lostBytes = 0;
        this.#isTorn = false;
      }
      if (written === batch.bytes.length) return this.#next();
      const rest = batch.bytes.subarray(written);
      this.#write({ bytes: rest, noteBytes: Math.max(0, batch.noteBytes - written), begun: true }, 0);
    });
  }

  /** What is lost already was waited for: the rest is tried once, or a flood would take hours to end. */
  #failed(batch: Batch, failures: number): void {
    if (failures < (this.#lostBytes > 0 ? 0 : MAX_RETRIES)) {
      this.#options.makeRoom();
      setTimeout(() => this.#write(batch, failures + 1), RETRY_MS);
      return;
    }
    this.#lostBytes += batch.bytes.length - batch.noteBytes;
    this.#isTorn ||= batch.begun;
    this.#next();
  }

  #next(): void {
    if (this.#segmentSize >= this.#options.segmentBytes) this.#nextSegment();
    for (const source of this.#sources) source.resume();
    this.#writeNext();
  }

  /** Where no file can be made (no space for its name, too many open ones) this one goes on. */
  #nextSegment(): void {
    let next: number;
    try {
      next = this.#open(this.#segment + 1);
    } catch {
      return;
    }
    closeSync(this.#fd);
    this.#fd = next;
    this.#segment += 1;
    this.#segmentSize = 0;
  }

  #note(): Buffer {
    return lossNote(this.#lostBytes, now(), this.#isTorn ? "torn" : "whole");
  }

  #lastNote(): void {
    try {
      writeSync(this.#fd, this.#note());
    } catch {
      this.#noteOverEnd();
    }
  }

  #noteOverEnd(): void {
    try {
      writeOverEnd(this.#path(this.#segment), lossNote(this.#lostBytes, now(), "whole"));
    } catch {
      // The file cannot even be read: there is no place left to say it.
    }
  }
}

interface Batch {
  readonly bytes: Buffer;
  /** How much of its beginning is a note on what was lost before. */
  readonly noteBytes: number;
  /** Part of it is written: its first line is torn. */
  readonly begun: boolean;
}

let lastNanoseconds = 0n;

/** Never goes back, so that the lines of a log stand in order of time whatever happens to the clock. */
function now(): string {
  const nanoseconds = BigInt(wallClock()) * 1_000_000n + (process.hrtime.bigint() % 1_000_000n);
  lastNanoseconds = nanoseconds > lastNanoseconds ? nanoseconds : lastNanoseconds + 1n;
  return logTime(lastNanoseconds);
}
