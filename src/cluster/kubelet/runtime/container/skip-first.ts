/** Drops the first bytes of a stream: what was read of it before. */

import { Transform, type TransformCallback } from "node:stream";

export class SkipFirst extends Transform {
  #left: number;
  #passed = 0;

  constructor(bytes: number) {
    super();
    this.#left = bytes;
  }

  /** How many bytes went through. */
  get passed(): number {
    return this.#passed;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    const rest = this.#left === 0 ? chunk : chunk.subarray(Math.min(this.#left, chunk.length));
    this.#left -= chunk.length - rest.length;
    this.#passed += rest.length;
    if (rest.length > 0) this.push(rest);
    callback();
  }
}
