/** A container's log as one run of bytes over its segment files. */

import { statSync, watch } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { LogSource } from "./runtime/port.js";
import { namesIn } from "./runtime/run-folders.js";

const LOOK_AGAIN_MS = 500;

export class SegmentedLog implements LogSource {
  readonly #folder: string;
  readonly #prefix: string;

  /** Segments are `<prefix>0`, `<prefix>1`, … in `folder`; it may not exist yet. */
  constructor(folder: string, prefix: string) {
    this.#folder = folder;
    this.#prefix = prefix;
  }

  async size(): Promise<number> {
    return this.#segments().reduce((sum, one) => sum + one.size, 0);
  }

  async read(offset: number, maxBytes: number): Promise<Buffer> {
    let start = 0;
    for (const { path, size } of this.#segments()) {
      if (offset < start + size) return readAt(path, offset - start, Math.min(maxBytes, start + size - offset));
      start += size;
    }
    return Buffer.alloc(0);
  }

  async grown(size: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const wait = this.#wait(signal);
    // What came before the watch began would go unseen.
    if ((await this.size()) <= size) await wait.done;
    wait.stop();
  }

  /** Until the folder changes or `signal` aborts; `stop` leaves nothing behind on a signal that lives longer. */
  #wait(signal: AbortSignal): { readonly done: Promise<void>; stop(): void } {
    let stop: () => void = () => undefined;
    const done = new Promise<void>((resolve) => {
      const watcher = this.#watch(resolve);
      stop = () => {
        watcher.close();
        signal.removeEventListener("abort", stop);
        resolve();
      };
      signal.addEventListener("abort", stop, { once: true });
    });
    return { done, stop: () => stop() };
  }

  #watch(onChange: () => void): { close(): void } {
    try {
      const watcher = watch(this.#folder, { persistent: false }, onChange);
      watcher.on("error", onChange);
      return watcher;
    } catch {
      // The folder is not there yet, or this user may watch no more of them: look again in a moment.
      const timer = setTimeout(onChange, LOOK_AGAIN_MS).unref();
      return { close: () => clearTimeout(timer) };
    }
  }

  /** A few entries: to look at them at once takes less than the way to another thread. */
  #segments(): readonly { readonly path: string; readonly size: number }[] {
    return namesIn(this.#folder)
      .filter((name) => name.startsWith(this.#prefix))
      .map((name) => Number(name.slice(this.#prefix.length)))
      .toSorted((a, b) => a - b)
      .map((number) => join(this.#folder, `${this.#prefix}${number}`))
      .map((path) => ({ path, size: statSync(path, { throwIfNoEntry: false })?.size ?? 0 }));
  }
}

async function readAt(path: string, offset: number, length: number): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await file.read(buffer, 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
