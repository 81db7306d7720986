/** The store on disk: the main thread's side of the writer thread. */

import { existsSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { KubeObject } from "../../../core/model/kube/meta.js";
import type { Json } from "../../../core/std/json.js";
import { deepFreeze } from "../../../kube/freeze.js";
import { type FromWriter, packed, type TextChange, type TextRow, type ToWriter, type WriterData } from "./messages.js";
import { type Batch, type LogEnd, type LogRow, type Store, StoreError } from "./port.js";

export interface SqliteStoreOptions {
  /** The database file; its folder exists. Beside it stand `-wal` and, while someone reads, `-shm`. */
  readonly path: string;
  /** Where the writer thread's program is: `dist/store-writer.cjs`. */
  readonly writer: URL;
  /** Milliseconds to wait for a reader to leave; left out: 250. */
  readonly patienceMs?: number;
  /** Milliseconds without a write before superseded rows are dropped from the file; left out: 200. */
  readonly idleMs?: number;
}

export interface SqliteReadOptions extends SqliteStoreOptions {
  /** Where a copy may be made for a moment when the store lies where nothing can be written; left out: nowhere. */
  readonly scratchFolder?: string;
}

/**
 * Becomes the owner of the store. Rejects with {@link StoreError} "owned" while another process is, "unreadable" for a
 * file that is not ours.
 */
export function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  return Connection.open(options, "write");
}

/**
 * Reads a store that has no owner, for commands that only look. What it held when it was opened is all there is: nothing
 * can be appended, and nobody is kept from owning it. Rejects with {@link StoreError} "absent", "owned", "unreadable".
 */
export async function readSqliteStore(options: SqliteReadOptions): Promise<Store> {
  try {
    return await Connection.open(options, "read");
  } catch (error) {
    if (!isOfTheDisk(error)) throw error;
  }
  try {
    // By another thread: the end of the first has let go of the file for certain.
    return await Connection.open(options, "read alone");
  } catch (error) {
    if (!isOfTheDisk(error) || options.scratchFolder === undefined) throw error;
    return await readCopy(options, options.scratchFolder, error);
  }
}

/** Without room, or where nothing can be written. */
function isOfTheDisk(error: unknown): boolean {
  return error instanceof StoreError && (error.fault === "full" || error.fault === "broken");
}

/** Where SQLite cannot write beside the file, it cannot read it either. Nobody can own a store there. */
async function readCopy(options: SqliteReadOptions, scratchFolder: string, refusal: unknown): Promise<Store> {
  const folder = await mkdtemp(join(scratchFolder, "tiphys-"));
  const path = join(folder, "store.db");
  try {
    await copyFile(options.path, path);
    if (existsSync(`${options.path}-wal`)) await copyFile(`${options.path}-wal`, `${path}-wal`);
    return await Connection.open({ ...options, path }, "read alone");
  } catch {
    throw refusal;
  } finally {
    // It is all read by now.
    await rm(folder, { recursive: true, force: true });
  }
}

interface Waiting {
  readonly sizes: readonly number[];
  readonly resolve: (sizes: readonly number[]) => void;
  readonly reject: (error: StoreError) => void;
}

class Connection implements Store {
  readonly inFlightMax = 2;
  readonly defer = process.nextTick;
  readonly access: Store["access"];
  readonly #worker: Worker;
  #waiting: Waiting[] = [];
  #replayed: TextRow[] = [];
  #end: LogEnd | undefined;
  #failure: StoreError | undefined;
  #onOpened: (() => void) | undefined;
  #onClosed: (() => void) | undefined;

  private constructor(
    { path, writer, patienceMs = 250, idleMs = 200 }: SqliteStoreOptions,
    access: WriterData["access"],
  ) {
    const data: WriterData = { path, access, patienceMs, idleMs };
    this.access = access === "write" ? "write" : "read";
    this.#worker = new Worker(writer, { workerData: data });
    this.#worker.on("message", (message: FromWriter) => this.#receive(message));
    this.#worker.on("error", (error) => this.#break(new StoreError("broken", error.message)));
    this.#worker.on("exit", () => this.#ended());
  }

  static async open(options: SqliteStoreOptions, access: WriterData["access"]): Promise<Store> {
    const connection = new Connection(options, access);
    await new Promise<void>((resolve) => {
      connection.#onOpened = resolve;
    });
    if (connection.#failure === undefined) return connection;
    await connection.#worker.terminate();
    throw connection.#failure;
  }

  async replay(tell: (row: LogRow, size: number) => void): Promise<LogEnd> {
    const rows = this.#replayed;
    this.#replayed = [];
    for (const row of rows) tell(parsedRow(row), sizeOf(row));
    return this.#end ?? { revision: 0, floor: 0 };
  }

  append({ epoch, rows, garbage }: Batch): Promise<readonly number[]> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.access === "read") return Promise.reject(new StoreError("read-only", "the store was opened for reading"));
    const texts = rows.map(textRow);
    const message: ToWriter = {
      kind: "append",
      epoch,
      rows: packed(texts),
      floor: garbage.floor,
      garbage: garbage.items.map(({ revision, id }) => [revision, id ?? null] as const),
    };
    return new Promise((resolve, reject) => {
      this.#waiting.push({ sizes: texts.map(sizeOf), resolve, reject });
      this.#worker.postMessage(message);
    });
  }

  async close(): Promise<void> {
    if (this.#failure === undefined && this.access === "write") {
      await new Promise<void>((resolve) => {
        this.#onClosed = resolve;
        const message: ToWriter = { kind: "close" };
        this.#worker.postMessage(message);
      });
    }
    await this.#worker.terminate();
  }

  #receive(message: FromWriter): void {
    if (message.kind === "replay") {
      for (const row of message.rows) this.#replayed.push(row);
    } else if (message.kind === "opened") {
      this.#end = message;
      // Only the end of a reading thread lets go of the file for certain.
      if (this.access === "read") void this.#worker.terminate();
      else this.#onOpened?.();
    } else if (message.kind === "durable") {
      const oldest = this.#waiting.shift();
      oldest?.resolve(oldest.sizes);
    } else if (message.kind === "failed") {
      this.#fail(new StoreError(message.fault, message.message));
    } else {
      this.#onClosed?.();
    }
  }

  #fail(error: StoreError): void {
    if (this.#end === undefined) this.#break(error);
    else this.#waiting.shift()?.reject(error);
  }

  #break(error: StoreError): void {
    this.#failure ??= error;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { reject } of waiting) reject(error);
    this.#onOpened?.();
    this.#onClosed?.();
  }

  #ended(): void {
    if (this.access === "read" && this.#end !== undefined) this.#onOpened?.();
    else this.#break(new StoreError("broken", "the writer thread ended"));
  }
}

function textRow({ revision, key, previous, uid, value, rows }: LogRow): TextRow {
  const changes = rows.map((row) => ({ id: row.id, revision, text: textOf(row.value) }));
  return { revision, key, previous, uid, text: textOf(value), rows: changes };
}

function textOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function parsedRow({ revision, key, previous, uid, text, rows }: TextRow): LogRow {
  const value = text === null ? undefined : parsedObject(text);
  return { revision, key, previous, uid, value, rows: rows.map(parsedChange) };
}

/** It was an object when it was written. */
function parsedObject(text: string): KubeObject {
  return deepFreeze(JSON.parse(text) as KubeObject);
}

function parsedChange({ id, revision, text }: TextChange) {
  return { id, revision, value: text === null ? undefined : deepFreeze(JSON.parse(text) as Json) };
}

/** Bytes, nearly: characters of the JSON text. */
function sizeOf({ key, text, rows }: TextRow): number {
  return rows.reduce((sum, row) => sum + row.id.length + (row.text?.length ?? 0), key.length + (text?.length ?? 0));
}
