/** An output that remembers what was written, as a terminal or as a pipe. */

import type { Output } from "../ports.js";

export class FakeOutput implements Output {
  readonly isTTY: boolean;
  columns: number | undefined;
  rows: number | undefined;
  closed = false;
  fault: Error | undefined;
  text = "";
  readonly #resize = new Set<() => void>();
  #full: { promise: Promise<void>; release: () => void } | undefined;

  constructor(size?: { readonly columns: number; readonly rows: number }) {
    this.isTTY = size !== undefined;
    this.columns = size?.columns;
    this.rows = size?.rows;
  }

  write(chunk: string | Uint8Array): boolean {
    this.text += typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
    return this.#full === undefined;
  }

  drained(): Promise<void> {
    return this.#full?.promise ?? Promise.resolve();
  }

  settled(): Promise<void> {
    return this.drained();
  }

  /** The reader stops reading until `resume`. */
  stall(): void {
    let release = (): void => undefined;
    const promise = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#full = { promise, release };
  }

  resume(): void {
    this.#full?.release();
    this.#full = undefined;
  }

  onResize(listener: () => void): () => void {
    this.#resize.add(listener);
    return () => this.#resize.delete(listener);
  }

  resize(columns: number, rows: number): void {
    this.columns = columns;
    this.rows = rows;
    for (const listener of this.#resize) listener();
  }
}
