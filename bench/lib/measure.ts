/** Timing whole commands, in turn with what they are compared with, so that a busy machine slows both. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "./cluster.js";

export const program = fileURLToPath(new URL("../../dist/tiphys.js", import.meta.url));

/** Milliseconds from the start of a command to its exit. */
export function timeCommand(argv: readonly string[], env: Readonly<Record<string, string>> = {}): number {
  const [file = "", ...args] = argv;
  const start = performance.now();
  const { status, stderr } = spawnSync(file, args, { env: { ...process.env, ...env }, encoding: "utf8" });
  if (status !== 0) throw new Error(`${argv.join(" ")} ended with ${status}\n${stderr}`);
  return performance.now() - start;
}

/** Medians of both, run in turn after one warm-up each. */
export function compare(
  rounds: number,
  ours: () => number,
  bare: () => number,
): { readonly ours: number; readonly bare: number } {
  ours();
  bare();
  const times = Array.from({ length: rounds }, () => [ours(), bare()] as const);
  return { ours: median(times.map(([mine]) => mine)), bare: median(times.map(([, other]) => other)) };
}

/** A home folder of the bench's own, removed afterwards. */
export async function withHome<T>(use: (home: string) => Promise<T> | T): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "tiphys-bench-"));
  try {
    return await use(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

export function verdict(isMet: boolean): string {
  return isMet ? "met" : "MISSED";
}
