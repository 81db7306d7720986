/** A process that writes to a store on disk until it kills itself; its order comes as JSON on stdin. */

import { readFileSync, writeSync } from "node:fs";

import { SeededChance } from "../../../kube/testing/seeded-chance.js";
import { openServer, openSqliteStore } from "../index.js";
import { realClock } from "./real-clock.js";
import { type Report, workload, workloadServer } from "./workload.js";

export interface CrashOrder {
  readonly path: string;
  /** URL of the writer thread's program. */
  readonly writer: string;
  readonly seed: number;
  /** The write with which it dies. */
  readonly asked: number;
  /** Turns of the event loop that it still lives then. */
  readonly turns: number;
}

const { path, writer, seed, asked, turns }: CrashOrder = JSON.parse(readFileSync(0, "utf8"));
let left = asked;

/** The pipe has it before the call returns, so what was told outlives the process. */
function report(report: Report): void {
  writeSync(1, `${JSON.stringify(report)}\n`);
  if (report.kind === "asked" && --left === 0) dieAfter(turns);
}

/** Not at once: by then the write may be on its way, on the disk, or acknowledged. */
function dieAfter(turnsLeft: number): void {
  if (turnsLeft <= 0) process.kill(process.pid, "SIGKILL");
  else setImmediate(() => dieAfter(turnsLeft - 1));
}

const chance = new SeededChance(seed);
const store = await openSqliteStore({ path, writer: new URL(writer), idleMs: 0 });
const server = await openServer({ ...workloadServer, store, clock: realClock, chance });
await workload(server.client(), chance, asked + 100, report);
