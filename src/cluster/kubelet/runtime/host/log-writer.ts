/** Writes a container's output to its log files, with times, in segments, never faster than the disk takes it. */

import { closeSync, openSync, write } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { LineFramer, type LogStream, logTime } from "../../log-format.js";
import { wallClock } from "./helper-process.js";

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
  #lostBytes = 0;
  #onIdle: (() => void)[] = [];

  constructor(options: LogWriterOptions) {
    this.#options = options;
    this.#segment = options.firstSegment ?? 0;
    this.#fd = this.#open();
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

  /** Resolves when all that was pumped is written, and closes the file. */
  async close(): Promise<void> {
    if (this.#writing) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
    if (this.#lostBytes > 0) this.#noteLoss();
    if (this.#writing) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
    closeSync(this.#fd);
  }

  #open(): number {
    return openSync(join(this.#options.folder, `${LOG_SEGMENT_PREFIX}${this.#segment}`), "a", 0o600);
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
    const batch = this.#queue.length === 1 ? (this.#queue[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#queue);
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#write(batch, 0);
  }

  #write(batch: Buffer, failures: number): void {
    write(this.#fd, batch, 0, batch.length, null, (error, written) => {
      if (error !== null && failures < MAX_RETRIES) {
        this.#options.makeRoom();
        setTimeout(() => this.#write(batch, failures + 1), RETRY_MS);
        return;
      }
      if (error !== null) this.#lostBytes += batch.length;
      else this.#segmentSize += written;
      if (error === null && written < batch.length) return this.#write(batch.subarray(written), 0);
      this.#afterWrite(error === null);
    });
  }

  #afterWrite(succeeded: boolean): void {
    if (this.#segmentSize >= this.#options.segmentBytes) {
      closeSync(this.#fd);
      this.#segment += 1;
      this.#segmentSize = 0;
      this.#fd = this.#open();
    }
    if (succeeded && this.#lostBytes > 0) this.#noteLoss();
    for (const source of this.#sources) source.resume();
    this.#writeNext();
  }

  #noteLoss(): void {
    const text = `[${this.#lostBytes} bytes of the log are missing here: the disk was full]\n`;
    this.#lostBytes = 0;
    this.#add(new LineFramer("stderr").push(Buffer.from(text), now()));
  }
}

let lastNanoseconds = 0n;

/** Never goes back, so that the lines of a log stand in order of time whatever happens to the clock. */
function now(): string {
  const nanoseconds = BigInt(wallClock()) * 1_000_000n + (process.hrtime.bigint() % 1_000_000n);
  lastNanoseconds = nanoseconds > lastNanoseconds ? nanoseconds : lastNanoseconds + 1n;
  return logTime(lastNanoseconds);
}
