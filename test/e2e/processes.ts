/** Which processes of this machine come of something that a test started. Reads /proc: Linux only. */

import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface LivingProcess {
  readonly pid: number;
  readonly command: string;
}

/** Those that have `mark` in their environment, their command line or their working folder; zombies left out. */
export function processesWith(mark: string): readonly LivingProcess[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const command = read(`/proc/${name}/cmdline`).replaceAll("\0", " ").trim();
      const traces = [command, read(`/proc/${name}/environ`), link(`/proc/${name}/cwd`)];
      const isZombie = command === "";
      return !isZombie && traces.some((text) => text.includes(mark)) ? [{ pid: Number(name), command }] : [];
    });
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

/** Asks again and again, as nothing tells when a process of somebody else ends; rejects with the last answer after `ms`. */
export async function becomesEmpty(look: () => readonly string[], ms = 5000): Promise<void> {
  const until = performance.now() + ms;
  for (;;) {
    const seen = look();
    if (seen.length === 0) return;
    if (performance.now() > until) throw new Error(`still there after ${ms} ms:\n${seen.join("\n")}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
