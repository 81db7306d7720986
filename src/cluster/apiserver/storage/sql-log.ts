/** The log as two tables of SQLite: rows of the log, and rows of objects. Runs in the writer thread. */

import { messageOf } from "../../../core/std/message.js";
import type { TextGarbage, TextRow } from "./messages.js";
import { type LogEnd, StoreError, type StoreFault } from "./port.js";
import { withTheirRows } from "./replay.js";
import type { SqlDatabase, SqlRow, SqlStatement } from "./sql-database.js";

/** "Tiph": says that the file is ours. */
const applicationId = 0x54697068;
const formatVersion = 1;

// The index makes it an error to replace one revision twice, whatever the owner believed.
const schema = `
  CREATE TABLE log (
    revision INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    previous INTEGER NOT NULL,
    uid TEXT NOT NULL,
    value TEXT
  );
  CREATE UNIQUE INDEX log_key_previous ON log (key, previous) WHERE previous > 0;
  CREATE TABLE rows (
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    uid TEXT NOT NULL,
    value TEXT,
    PRIMARY KEY (revision, id)
  ) WITHOUT ROWID;
  CREATE TABLE floor (revision INTEGER NOT NULL);
  INSERT INTO floor VALUES (0);
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${formatVersion};
`;

interface Statements {
  readonly insertLog: SqlStatement;
  readonly insertRow: SqlStatement;
  readonly deleteLog: SqlStatement;
  readonly deleteRow: SqlStatement;
  readonly setFloor: SqlStatement;
}

export class SqlLog {
  readonly #database: SqlDatabase;
  readonly #statements: Statements;

  private constructor(database: SqlDatabase) {
    this.#database = database;
    this.#statements = {
      insertLog: database.prepare("INSERT INTO log (revision, key, previous, uid, value) VALUES (?, ?, ?, ?, ?)"),
      insertRow: database.prepare("INSERT INTO rows (revision, id, uid, value) VALUES (?, ?, ?, ?)"),
      deleteLog: database.prepare("DELETE FROM log WHERE revision = ?"),
      deleteRow: database.prepare("DELETE FROM rows WHERE revision = ? AND id = ?"),
      setFloor: database.prepare("UPDATE floor SET revision = ?"),
    };
  }

  /** Takes the file for good: no other connection can read or write it until this one is closed. */
  static own(database: SqlDatabase, patienceMs: number): SqlLog {
    database.exec(`PRAGMA busy_timeout = ${patienceMs}`);
    pragma(database, "locking_mode = EXCLUSIVE");
    pragma(database, "journal_mode = WAL");
    database.exec("PRAGMA synchronous = FULL");
    pragma(database, "journal_size_limit = 16777216");
    transaction(database, "BEGIN IMMEDIATE", () => {
      if (isEmpty(database)) database.exec(schema);
    });
    checkFormat(database);
    return new SqlLog(database);
  }

  /** Opens the file beside other readers, when nobody owns it. */
  static read(database: SqlDatabase, patienceMs: number): SqlLog {
    database.exec(`PRAGMA busy_timeout = ${patienceMs}`);
    checkFormat(database);
    return new SqlLog(database);
  }

  /** As `read`, but with no other reader beside it: this takes no room on the disk. */
  static readAlone(database: SqlDatabase, patienceMs: number): SqlLog {
    pragma(database, "locking_mode = EXCLUSIVE");
    return SqlLog.read(database, patienceMs);
  }

  /** Tells all rows in order of revision, from one moment. */
  replay(tell: (row: TextRow) => void): LogEnd {
    return transaction(this.#database, "BEGIN", () => {
      const log = this.#database.prepare("SELECT revision, key, previous, uid, value FROM log ORDER BY revision");
      const rows = this.#database.prepare("SELECT revision, id, uid, value FROM rows ORDER BY revision, id");
      let revision = 0;
      for (const { entry, rows: own } of withTheirRows(
        mapped(log.iterate(), logRow),
        mapped(rows.iterate(), keptRow),
      )) {
        revision = entry.revision;
        tell({ ...entry, rows: own });
      }
      return { revision, floor: numberOf(this.#database.prepare("SELECT revision FROM floor").get(), "revision") };
    });
  }

  /** Durable when it returns. On a throw nothing of the batch was written. */
  append(rows: readonly TextRow[]): void {
    transaction(this.#database, "BEGIN IMMEDIATE", () => {
      for (const { revision, key, previous, uid, text, rows: changes } of rows) {
        this.#statements.insertLog.run(revision, key, previous, uid, text);
        for (const change of changes) this.#statements.insertRow.run(revision, change.id, uid, change.text);
      }
    });
  }

  /** Drops rows that nobody needs, and raises the line below which revisions are incomplete. */
  drop(items: readonly TextGarbage[], floor: number): void {
    transaction(this.#database, "BEGIN IMMEDIATE", () => {
      this.#statements.setFloor.run(floor);
      for (const [revision, id] of items) {
        if (id === null) this.#statements.deleteLog.run(revision);
        else this.#statements.deleteRow.run(revision, id);
      }
    });
  }

  close(): void {
    this.#database.close();
  }
}

function transaction<T>(database: SqlDatabase, begin: string, work: () => T): T {
  database.exec(begin);
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** SQLite itself rolls back after some errors; then there is nothing to do. */
function rollBack(database: SqlDatabase): void {
  try {
    database.exec("ROLLBACK");
  } catch {}
}

/** A pragma that answers with a row. */
function pragma(database: SqlDatabase, text: string): SqlRow | undefined {
  return database.prepare(`PRAGMA ${text}`).get();
}

function isEmpty(database: SqlDatabase): boolean {
  return numberOf(database.prepare("SELECT count(*) AS tables FROM sqlite_master").get(), "tables") === 0;
}

function checkFormat(database: SqlDatabase): void {
  const id = numberOf(pragma(database, "application_id"), "application_id");
  if (id !== applicationId) throw new StoreError("unreadable", "the file is a database of another program");
  const version = numberOf(pragma(database, "user_version"), "user_version");
  if (version === formatVersion) return;
  throw new StoreError("unreadable", `the store has format ${version}; this program reads format ${formatVersion}`);
}

function* mapped<T>(rows: Iterable<SqlRow>, read: (row: SqlRow) => T): Generator<T, void, undefined> {
  for (const row of rows) yield read(row);
}

function logRow(row: SqlRow) {
  return {
    revision: numberOf(row, "revision"),
    key: textOf(row, "key") ?? "",
    previous: numberOf(row, "previous"),
    uid: textOf(row, "uid") ?? "",
    text: textOf(row, "value"),
  };
}

function keptRow(row: SqlRow) {
  return {
    revision: numberOf(row, "revision"),
    uid: textOf(row, "uid") ?? "",
    id: textOf(row, "id") ?? "",
    text: textOf(row, "value"),
  };
}

function numberOf(row: SqlRow | undefined, column: string): number {
  return Number(row?.[column] ?? 0);
}

function textOf(row: SqlRow, column: string): string | null {
  const value = row[column];
  return typeof value === "string" ? value : null;
}

/** What an error of the driver means for the store. */
export function faultOf(error: unknown): { readonly fault: StoreFault; readonly message: string } {
  if (error instanceof StoreError) return { fault: error.fault, message: error.message };
  const message = messageOf(error);
  const code = codeOf(error, message);
  if (/BUSY|LOCKED|\blocked\b/.test(code)) return { fault: "owned", message: "another process owns the store" };
  if (/FULL|is full/.test(code)) return { fault: "full", message: "no space is left for the store" };
  if (/NOTADB|CORRUPT|not a database|malformed/.test(code)) return { fault: "unreadable", message };
  return { fault: "broken", message };
}

function codeOf(error: unknown, message: string): string {
  const code: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;
  return `${typeof code === "string" ? code : ""} ${message}`;
}
