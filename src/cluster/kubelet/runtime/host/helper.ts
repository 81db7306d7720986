/**
 * The process that starts containers, so that the main process never forks: reads requests from stdin, answers on
 * stdout. When stdin closes, its owner is gone: everything it started ends, then it ends itself.
 */

import { unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../../../core/std/message.js";
import { CommandRunner } from "../container/command-runner.js";
import { execInRun } from "./exec-in-run.js";
import { folderArgument } from "./helper-process.js";
import { readLines } from "./line-reader.js";
import type { Reply, Request } from "./protocol.js";
import { removeTree } from "./remove-tree.js";
import { killGroup, type Run, type RunHost, startRun } from "./run-container.js";
import { endStrays, StraySweeper } from "./strays.js";

const RESERVE_BYTES = 64 * 1024;

const runs = new Map<string, Run>();
const sweeper = new StraySweeper();
let owned = true;

const host: RunHost = {
  makeRoom: dropReserve,
  endStrays: (stray) => endStrays((key) => key === stray),
  endStraysLater: (key) => sweeper.add(key),
  isOwned: () => owned,
};

const commands = new CommandRunner({
  folder: folderArgument(),
  said: (id, line) => say({ said: id, line }),
  makeRoom: () => dropReserve("log"),
});

/** A little space each, so that the last words and the exit of a step that filled the disk can still be written. */
const reserves = ["log", "exit"] as const;

function reserveFile(use: "log" | "exit"): string {
  return join(folderArgument(), `.reserve-${use}`);
}

let hasReserves = false;

/** Not before something runs: until then the folder may be another owner's. */
function keepReserves(): void {
  if (hasReserves) return;
  hasReserves = true;
  for (const use of reserves) {
    try {
      writeFileSync(reserveFile(use), Buffer.alloc(RESERVE_BYTES, 1), { mode: 0o600 });
    } catch {
      // The disk is full already: go on without.
    }
  }
}

function dropReserve(use: "log" | "exit"): void {
  try {
    unlinkSync(reserveFile(use));
  } catch {
    // Used up before.
  }
}

function say(reply: Reply): void {
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}

async function answer(request: Request): Promise<unknown> {
  switch (request.op) {
    case "start":
      return start(request);
    case "signal":
      return signal(request.key, request.signal);
    case "exec": {
      const run = runs.get(request.key);
      return run === undefined
        ? { exitCode: 126, output: "the container does not run", timedOut: false }
        : execInRun(request.exec, run.pid);
    }
    case "sweep":
      return endStrays(ofOwners(new Set(request.owners)));
    case "remove":
      return remove(request.paths);
    default:
      return commands.answer(request);
  }
}

async function start(request: Extract<Request, { op: "start" }>): Promise<unknown> {
  keepReserves();
  const run = await startRun(request.run, host);
  if ("kind" in run) return run;
  const { key } = run.spec;
  runs.set(key, run);
  // Told after the reply to the start: both go through the same pipe in order.
  void run.exit.then((exit) => {
    runs.delete(key);
    if (owned) say({ exited: key, exit });
  });
  if (!owned) killGroup(run.pid, "SIGKILL");
  return { kind: "started", pid: run.pid, startedAt: run.startedAt };
}

let removals: Promise<void> = Promise.resolve();

/** One after the other, a turn each: whoever starts or ends meanwhile does not wait for all of them. */
function remove(paths: readonly string[]): Promise<void> {
  const done = removals.then(async () => {
    for (const path of paths) {
      await new Promise((resolve) => setImmediate(resolve));
      await removeTree(path);
    }
  });
  removals = done.catch(() => undefined);
  return done;
}

function signal(key: string, name: string): void {
  const run = runs.get(key);
  if (run === undefined || !isSignal(name)) return;
  if (run.spec.signalled !== undefined) noteSignal(run.spec.signalled);
  killGroup(run.pid, name);
}

function podUidOf(key: string): string {
  return key.split("/")[0] ?? "";
}

/** Runs by their keys, or pods by their UIDs. */
function ofOwners(owners: ReadonlySet<string>): (key: string) => boolean {
  return (key) => owners.has(key) || owners.has(podUidOf(key));
}

/** Before the signal is sent: who cannot hear it yet reads it there. */
function noteSignal(file: string): void {
  try {
    writeFileSync(file, "1\n");
  } catch {
    // Its files are gone, or the disk is full: the signal itself is what counts.
  }
}

function isSignal(name: string): name is NodeJS.Signals {
  return /^SIG[A-Z0-9]+$/.test(name);
}

async function orphaned(): Promise<void> {
  owned = false;
  const podUids = new Set([...runs.keys()].map(podUidOf));
  for (const run of runs.values()) killGroup(run.pid, "SIGKILL");
  const programs = commands.endAll();
  const late = sweeper.waiting;
  // The process table may be long: it is looked through only if there can be anything.
  if (podUids.size > 0 || late.size > 0) await endStrays((key) => late.has(key) || podUids.has(podUidOf(key)));
  await programs;
  if (hasReserves) for (const use of reserves) dropReserve(use);
  process.exit(0);
}

function onRequest(line: string): void {
  const request = JSON.parse(line) as Request;
  answer(request).then(
    (result) => say({ id: request.id, result }),
    (error: unknown) => say({ id: request.id, error: messageOf(error) }),
  );
}

// Ctrl-C reaches the whole terminal group; what it means is for the owner to say.
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => undefined);
process.stdout.on("error", () => void orphaned());
process.title = "tiphys helper";
readLines(process.stdin, onRequest, () => void orphaned());
