/** A container's log in memory, in the same form as on disk. */

import { LineFramer, type LogStream, logTime } from "./log-format.js";
import type { LogSource } from "./runtime/port.js";

export class MemoryLog implements LogSource {
  #chunks: Buffer[] = [];
  #size = 0;
  #waiting = new Set<() => void>();
  readonly #framers = { stdout: new LineFramer("stdout"), stderr: new LineFramer("stderr") };

  /** `at`: milliseconds since the epoch. */
  write(stream: LogStream, bytes: Buffer, at: number): void {
    this.#add(this.#framers[stream].push(bytes, timeOf(at)));
  }

  /** Lines that had no newline are kept as they are. */
  end(at: number): void {
    for (const framer of [this.#framers.stdout, this.#framers.stderr])
      if (framer.isAmidLine) this.#add(framer.end(timeOf(at)));
  }

  async size(): Promise<number> {
    return this.#size;
  }

  async read(offset: number, maxBytes: number): Promise<Buffer> {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return (this.#chunks[0] ?? Buffer.alloc(0)).subarray(offset, offset + maxBytes);
  }

  grown(size: number, signal: AbortSignal): Promise<void> {
    if (this.#size > size || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      this.#waiting.add(done);
      signal.addEventListener("abort", done, { once: true });
    });
  }

  #add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#chunks.push(bytes);
    this.#size += bytes.length;
    for (const done of [...this.#waiting]) done();
  }
}

function timeOf(at: number): string {
  return logTime(BigInt(Math.round(at * 1000)) * 1000n);
}
