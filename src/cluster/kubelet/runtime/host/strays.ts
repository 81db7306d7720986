/** Finds processes by the run key in their environment: those that left their container's group, or outlived a crash. */

import { readdir, readFile } from "node:fs/promises";
import { RUN_VARIABLE } from "./protocol.js";

/** Of a run's key `<pod UID>/<container>/<restart count>`. */
export type KeyTest = (key: string) => boolean;

/** PIDs of living processes whose environment names such a run. Only Linux tells; elsewhere none are found. */
export async function findStrays(matches: KeyTest): Promise<readonly number[]> {
  const entries = await readdir("/proc").catch(() => []);
  const pids = entries.filter((name) => /^\d+$/.test(name)).map(Number);
  const found: number[] = [];
  for (const pid of pids) {
    const key = pid === process.pid ? undefined : await runKeyOf(pid);
    if (key !== undefined && matches(key)) found.push(pid);
  }
  return found;
}

async function runKeyOf(pid: number): Promise<string | undefined> {
  try {
    const environment = `\0${await readFile(`/proc/${pid}/environ`, "latin1")}`;
    const at = environment.indexOf(`\0${RUN_VARIABLE}=`);
    if (at < 0) return undefined;
    const start = at + RUN_VARIABLE.length + 2;
    const end = environment.indexOf("\0", start);
    return environment.slice(start, end < 0 ? undefined : end);
  } catch {
    return undefined;
  }
}

/** SIGKILL to all of them, again for those they started meanwhile, until none is left. */
export async function endStrays(matches: KeyTest): Promise<void> {
  for (let round = 0; round < 5; round++) {
    const pids = await findStrays(matches);
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
    }
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
