/** Entry of the writer thread: the only one that touches the disk, so the main thread never waits for it. */

import { existsSync } from "node:fs";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { assert } from "../../../core/std/assert.js";
import { takeLogRoom } from "./log-room.js";
import {
  type FromWriter,
  type TextGarbage,
  type TextRow,
  type ToWriter,
  unpacked,
  type WriterData,
} from "./messages.js";
import { StoreError } from "./port.js";
import { openDatabase } from "./sql-database.js";
import { faultOf, SqlLog } from "./sql-log.js";

/** Rows told in one message while the log is replayed. */
const replayChunk = 500;
/** Garbage dropped in one transaction. */
const dropChunk = 1000;
/** Chunks of garbage dropped before the store is closed, at most. */
const closingChunks = 10;
/** With more garbage than this it is dropped though batches wait. */
const garbageMax = 100_000;

class Writer {
  readonly #port: MessagePort;
  readonly #log: SqlLog;
  readonly #idleMs: number;
  #failedEpoch = 0;
  #garbage: TextGarbage[] = [];
  #floor = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(port: MessagePort, log: SqlLog, idleMs: number) {
    this.#port = port;
    this.#log = log;
    this.#idleMs = idleMs;
  }

  receive(message: ToWriter): void {
    if (message.kind === "close") this.#close();
    else this.#append(message);
  }

  #append({ epoch, rows, floor, garbage }: Extract<ToWriter, { kind: "append" }>): void {
    const failure = this.#failureOf(epoch, unpacked(rows));
    this.#say(failure ?? { kind: "durable" });
    if (failure !== undefined) return;
    for (const item of garbage) this.#garbage.push(item);
    this.#floor = floor;
    if (this.#garbage.length > garbageMax) this.#drop();
    else if (this.#garbage.length > 0) this.#dropWhenIdle();
  }

  /** Writes; undefined when all went well. */
  #failureOf(epoch: number, rows: readonly TextRow[]): FromWriter | undefined {
    // Its rows build on those that were lost.
    if (epoch <= this.#failedEpoch) return { kind: "failed", fault: "broken", message: "an earlier write failed" };
    try {
      this.#log.append(rows);
      return undefined;
    } catch (error) {
      this.#failedEpoch = epoch;
      return { kind: "failed", ...faultOf(error) };
    }
  }

  #dropWhenIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      this.#drop();
      // One chunk at a time: a batch that came meanwhile goes first.
      if (this.#garbage.length > 0) this.#idle = setTimeout(() => this.#dropWhenIdle(), 0);
    }, this.#idleMs);
  }

  /** In vain on a full disk; then it is tried again later. */
  #drop(): void {
    try {
      this.#log.drop(this.#garbage.slice(0, dropChunk), this.#floor);
      this.#garbage = this.#garbage.slice(dropChunk);
    } catch {}
  }

  #close(): void {
    clearTimeout(this.#idle);
    // What is left over comes up again at the next start.
    for (let chunk = 0; chunk < closingChunks && this.#garbage.length > 0; chunk++) this.#drop();
    this.#log.close();
    this.#say({ kind: "closed" });
    this.#port.close();
  }

  #say(message: FromWriter): void {
    this.#port.postMessage(message);
  }
}

const openers = { write: SqlLog.own, read: SqlLog.read, "read alone": SqlLog.readAlone } as const;

async function open({ path, access, patienceMs }: WriterData): Promise<SqlLog> {
  if (access !== "write" && !existsSync(path)) throw new StoreError("absent", "there is no store at this path");
  const database = await openDatabase(path);
  try {
    return openers[access](database, patienceMs);
  } catch (error) {
    database.close();
    throw error;
  }
}

function replay(log: SqlLog, say: (message: FromWriter) => void): void {
  let rows: TextRow[] = [];
  const end = log.replay((row) => {
    rows.push(row);
    if (rows.length < replayChunk) return;
    say({ kind: "replay", rows });
    rows = [];
  });
  say({ kind: "replay", rows });
  say({ kind: "opened", ...end });
}

async function start(port: MessagePort, data: WriterData): Promise<void> {
  const say = (message: FromWriter): void => port.postMessage(message);
  try {
    const log = await open(data);
    replay(log, say);
    if (data.access !== "write") return log.close();
    takeLogRoom(data.path);
    const writer = new Writer(port, log, data.idleMs);
    port.on("message", (message: ToWriter) => writer.receive(message));
  } catch (error) {
    say({ kind: "failed", ...faultOf(error) });
  }
}

assert(parentPort !== null, "this file runs as a thread");
void start(parentPort, workerData);
