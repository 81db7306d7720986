/** What became of a run whose helper is gone: only its records know. */

import type { ExitRecord } from "../../pod-state.js";
import { lostExit } from "../lost.js";
import { takeBackOutside } from "./outside.js";
import type { RunDetails } from "./plan-run.js";
import { readRecords } from "./records.js";

export interface BegunRun {
  readonly startedAt: number;
  readonly details: RunDetails | undefined;
  /** As it was recorded; undefined: the run is lost. */
  readonly exit: ExitRecord | undefined;
}

/** Undefined: it never began. `folder`: of the run. */
export function begunRun(folder: string): BegunRun | undefined {
  const { start, exit } = readRecords(folder);
  if (start === undefined) return undefined;
  // Written by us into a folder that only this user can write.
  return { startedAt: start.startedAt, details: start.details as RunDetails | undefined, exit };
}

/** How it ended: what nobody recorded is lost, from `now` on. What a lost run put outside of its folder is taken back. */
export async function endOfRun({ startedAt, details, exit }: BegunRun, now: number): Promise<ExitRecord> {
  if (exit !== undefined) return exit;
  if (details !== undefined) await takeBackOutside(details.outside).catch(() => undefined);
  return { ...lostExit, startedAt, finishedAt: now };
}
