/** Start and exit records: one file each, durable before anyone acts on them. */

import { closeSync, constants, fsync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ExitRecord } from "../../pod-state.js";
import { EXIT_RECORD, START_RECORD } from "./protocol.js";

export interface StartRecord {
  readonly startedAt: number;
  readonly details: unknown;
}

/**
 * Durable when it resolves; rejects with EEXIST when this run was begun before: it must not begin twice. Only the wait
 * for the disk is left to another thread: the calls around it are shorter than the way there and back.
 */
export async function writeStartRecord(folder: string, record: StartRecord): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  await writeDurably(openSync(join(folder, START_RECORD), flags, 0o600), record);
}

/** Durable when it resolves; whole or not there at all. */
export async function writeExitRecord(folder: string, record: ExitRecord): Promise<void> {
  const path = join(folder, EXIT_RECORD);
  await writeDurably(openSync(`${path}.new`, "w", 0o600), record);
  renameSync(`${path}.new`, path);
}

/** File systems that keep a journal make a new file's name durable together with its content. */
async function writeDurably(file: number, value: unknown): Promise<void> {
  try {
    writeSync(file, `${JSON.stringify(value)}\n`);
    await synced(file);
  } finally {
    closeSync(file);
  }
}

const synced = promisify(fsync);

export interface RunRecords {
  /** Undefined: never begun. A torn record is a begun run all the same. */
  readonly start: StartRecord | undefined;
  readonly exit: ExitRecord | undefined;
}

/** What was recorded of a run, by whichever process. Two small files: at once takes less than the way to another thread. */
export function readRecords(folder: string): RunRecords {
  const [start, exit] = [readText(join(folder, START_RECORD)), readText(join(folder, EXIT_RECORD))];
  return {
    start: start === undefined ? undefined : (parsedStart(start) ?? { startedAt: 0, details: undefined }),
    exit: exit === undefined ? undefined : parsedExit(exit),
  };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function parsedStart(text: string): StartRecord | undefined {
  const value = parsed(text);
  if (typeof value !== "object" || value === null || !("startedAt" in value)) return undefined;
  if (typeof value.startedAt !== "number") return undefined;
  return { startedAt: value.startedAt, details: "details" in value ? value.details : undefined };
}

function parsedExit(text: string): ExitRecord | undefined {
  const value = parsed(text);
  if (!isExit(value)) return undefined;
  return {
    exitCode: value.exitCode,
    startedAt: value.startedAt,
    finishedAt: value.finishedAt,
    ...(typeof value.reason === "string" ? { reason: value.reason } : {}),
    ...(typeof value.message === "string" ? { message: value.message } : {}),
  };
}

function isExit(value: unknown): value is ExitRecord {
  if (typeof value !== "object" || value === null || !("exitCode" in value) || !("finishedAt" in value)) return false;
  return typeof value.exitCode === "number" && typeof value.finishedAt === "number";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
