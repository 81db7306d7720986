/** A step that prints 200 MB, and whether all of it came. */

/** 200 MB with their newlines. */
export const LINES = 2_000_000;
export const LINE = "x".repeat(99);
const CHUNK_BYTES = 64 * 1024;

/** Compares the flood with what it must be as it comes by, and keeps none of it. */
export class Flood {
  readonly #lineBytes: number;
  readonly #pattern: Buffer;
  #bytes = 0;
  #rest = "";

  constructor(prefix: string) {
    const line = Buffer.from(`${prefix}${LINE}\n`);
    this.#lineBytes = line.length;
    // As long as a chunk can be, from wherever in a line it begins.
    this.#pattern = Buffer.concat(Array.from({ length: Math.ceil(CHUNK_BYTES / line.length) + 1 }, () => line));
  }

  /** Lines that came right and in one row, and what came after them. */
  get seen(): { readonly lines: number; readonly rest: string } {
    return { lines: this.#bytes / this.#lineBytes, rest: this.#rest.slice(0, 1000) };
  }

  take(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; at += CHUNK_BYTES) this.#takePart(chunk.subarray(at, at + CHUNK_BYTES));
  }

  #takePart(chunk: Buffer): void {
    const wanted = Math.min(chunk.length, LINES * this.#lineBytes - this.#bytes);
    const phase = this.#bytes % this.#lineBytes;
    if (this.#rest !== "" || !chunk.subarray(0, wanted).equals(this.#pattern.subarray(phase, phase + wanted))) {
      this.#rest += chunk.toString();
      return;
    }
    this.#bytes += wanted;
    this.#rest += chunk.subarray(wanted).toString();
  }
}
