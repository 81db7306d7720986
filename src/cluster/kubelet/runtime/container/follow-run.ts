/** Follows a container that runs: its output into the log, its end onto record. */

import { sleep } from "../../../../kube/clock.js";
import { SegmentedLog } from "../../log-files.js";
import { readTail } from "../../logs.js";
import type { ExitRecord } from "../../pod-state.js";
import { LOG_SEGMENT_PREFIX } from "../host/log-writer.js";
import { writeExitRecord } from "../host/records.js";
import { lostExit } from "../lost.js";
import { isHelperGone } from "./cli.js";
import { exitOfFacts, inspectContainer } from "./container-run.js";
import type { ContainerContext } from "./context.js";
import { initComplaint, startError } from "./failed-start.js";
import type { ContainerFacts } from "./inspect.js";
import type { PumpReply, StreamBytes } from "./protocol.js";
import { settledWithin } from "./settled-within.js";

export interface Followed {
  readonly context: ContainerContext;
  readonly id: string;
  readonly folder: string;
  readonly startedAt: number;
  /** The first word of its command; empty: the image's own. */
  readonly program: string;
  /** What the log holds already; undefined: to be counted. Means nothing where the container's monitor writes it. */
  readonly logged: StreamBytes | undefined;
}

/** How long `logs --follow` may take to come to its end once the container has ended. */
const LOG_END_MS = 2_000;
const MAX_PAUSE_MS = 5_000;

/** Resolves when the end is on record. Never rejects: a program that does not answer is asked again. */
export async function followRun(followed: Followed): Promise<ExitRecord> {
  const { context } = followed;
  let logged = followed.logged;
  for (let pauseMs = 100; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
    try {
      const watched = await watchOnce({ ...followed, logged });
      logged = watched.logged;
      if (watched.exit !== undefined) return await record(followed, watched.exit);
    } catch (error) {
      // Of a helper that was killed nobody knows how far the log came.
      logged = undefined;
      if (context.closed.aborted) return await never();
      if (!isHelperGone(error)) pauseMs = MAX_PAUSE_MS;
    }
    await sleep(context.clock, pauseMs, context.closed);
  }
}

/** One that ended while nobody watched: the rest of its log, then its end. */
export async function recordEnded(followed: Followed, facts: ContainerFacts): Promise<ExitRecord> {
  if (!followed.context.cli.program.writesLog) await restOfLog(followed, followed.logged);
  return record(followed, await exitOf(followed, facts));
}

interface Watched {
  readonly logged: StreamBytes | undefined;
  /** Undefined: it runs on, though the watch ended. */
  readonly exit: ExitRecord | undefined;
}

async function watchOnce(followed: Followed): Promise<Watched> {
  const { context, id } = followed;
  const pumped = await (context.cli.program.writesLog ? waitForEnd(followed) : pumpedUntilEnd(followed));
  const facts = await inspectContainer(context, id);
  if (facts === undefined) return { logged: undefined, exit: lostNow(followed) };
  if (facts.state === "running") return { logged: pumped?.written, exit: undefined };
  const logged =
    pumped === undefined || pumped.exitCode === 0 ? pumped?.written : await restOfLog(followed, pumped.written);
  return { logged, exit: await exitOf(followed, facts) };
}

async function waitForEnd({ context, id }: Followed): Promise<undefined> {
  const { cli } = context;
  await cli.run(["wait", ...cli.program.waitFlags, id]);
}

/** Not ended by itself with exit code 0, it may lack the end of the log. */
async function pumpedUntilEnd(followed: Followed): Promise<PumpReply> {
  const { context, id, folder, logged } = followed;
  const pump = context.cli.pump(["logs", "--follow", id], folder, logged);
  // It may fail before anyone asks for its reply.
  pump.reply.catch(() => undefined);
  try {
    await waitForEnd(followed);
    await settledWithin(context.clock, LOG_END_MS, pump.reply);
  } finally {
    pump.cancel();
  }
  return pump.reply;
}

async function restOfLog({ context, id, folder }: Followed, known: StreamBytes | undefined): Promise<StreamBytes> {
  return (await context.cli.pump(["logs", id], folder, known).reply).written;
}

async function exitOf(followed: Followed, facts: ContainerFacts): Promise<ExitRecord> {
  const { context, startedAt, folder, program } = followed;
  const exit = exitOfFacts(facts, startedAt, context.clock.now());
  if (exit === undefined) return lostNow(followed);
  const fault = exit.exitCode === 0 ? undefined : initComplaint(await shortLog(folder), program);
  return fault === undefined ? exit : startError(fault, exit.finishedAt);
}

function lostNow({ startedAt, context }: Followed): ExitRecord {
  return { ...lostExit, startedAt, finishedAt: context.clock.now() };
}

async function record({ folder }: Followed, exit: ExitRecord): Promise<ExitRecord> {
  // On a disk that is full it is told all the same: the program remembers it for whoever comes next.
  await writeExitRecord(folder, exit).catch(() => undefined);
  return exit;
}

const MAX_SHORT_BYTES = 2_048;

/** All that the container said, if that is little; else nothing. */
async function shortLog(folder: string): Promise<string> {
  const log = new SegmentedLog(folder, LOG_SEGMENT_PREFIX);
  const isShort = (await log.size()) < MAX_SHORT_BYTES;
  return isShort ? String(await readTail(log, "both", MAX_SHORT_BYTES)) : "";
}

/** Nobody asks any more. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}
