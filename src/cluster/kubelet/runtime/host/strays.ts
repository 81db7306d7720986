/** Finds processes by the run key in their environment: those that left their container's group, or outlived a crash. */

import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { RUN_VARIABLE } from "./protocol.js";

/** Of a run's key `<pod UID>/<container>/<restart count>`. */
export type KeyTest = (key: string) => boolean;

/** Looked at in one go: more would make who wants a start wait. */
const COMPANY = 16;
/** Few environments are longer. */
const environment = Buffer.alloc(64 * 1024);

/**
 * The PIDs of living processes whose environment names such a run. Only Linux tells; elsewhere none are found. Each look is
 * a few short calls at once: the way to another thread and back takes ten times as long, and there are many processes.
 */
export async function* findStrays(matches: KeyTest): AsyncGenerator<number> {
  const entries = await readdir("/proc").catch(() => []);
  const pids = entries.filter((name) => /^\d+$/.test(name)).map(Number);
  for (const [index, pid] of pids.entries()) {
    if (index % COMPANY === COMPANY - 1) await new Promise((resolve) => setImmediate(resolve));
    const key = pid === process.pid ? undefined : runKeyOf(pid);
    if (key !== undefined && matches(key)) yield pid;
  }
}

function runKeyOf(pid: number): string | undefined {
  try {
    const text = `\0${environmentOf(pid)}`;
    const at = text.indexOf(`\0${RUN_VARIABLE}=`);
    if (at < 0) return undefined;
    const start = at + RUN_VARIABLE.length + 2;
    const end = text.indexOf("\0", start);
    return text.slice(start, end < 0 ? undefined : end);
  } catch {
    return undefined;
  }
}

/** Throws for a process that has ended, and for another user's. */
function environmentOf(pid: number): string {
  const path = `/proc/${pid}/environ`;
  const file = openSync(path, "r");
  try {
    let length = 0;
    for (let count = -1; count !== 0 && length < environment.length; length += count) {
      count = readSync(file, environment, length, environment.length - length, null);
    }
    return length < environment.length ? environment.toString("latin1", 0, length) : readFileSync(path, "latin1");
  } finally {
    closeSync(file);
  }
}

/** SIGKILL to all of them, again for those they started meanwhile, until none is left. */
export async function endStrays(matches: KeyTest): Promise<void> {
  for (let round = 0; round < 5; round++) {
    let isClean = true;
    for await (const pid of findStrays(matches)) {
      isClean = false;
      // As soon as it is found: a little later its number may be that of another process.
      kill(pid);
    }
    if (isClean) return;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

const SCAN_EVERY_MS = 250;

/** Ends strays of many runs with one look through the process table, at most four times a second. */
export class StraySweeper {
  #keys = new Set<string>();
  #busy = false;

  /** Runs that ended, and whose strays were not looked for yet. */
  get waiting(): ReadonlySet<string> {
    return this.#keys;
  }

  add(key: string): void {
    this.#keys.add(key);
    if (!this.#busy) void this.#sweep();
  }

  async #sweep(): Promise<void> {
    this.#busy = true;
    while (this.#keys.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, SCAN_EVERY_MS));
      const keys = this.#keys;
      this.#keys = new Set();
      await endStrays((key) => keys.has(key));
    }
    this.#busy = false;
  }
}
