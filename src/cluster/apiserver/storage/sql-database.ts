/** The seam to SQLite: Node's own where there is one that lasts, else libsql. Both have better-sqlite3's calls. */

export interface SqlDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqlStatement;
  close(): void;
}

export interface SqlStatement {
  run(...values: readonly SqlValue[]): unknown;
  get(...values: readonly SqlValue[]): SqlRow | undefined;
  iterate(...values: readonly SqlValue[]): Iterable<SqlRow>;
}

export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, unknown>>;

/** Loads a driver and opens the file at `path`, which is made when it does not exist. Throws what the driver throws. */
export async function openDatabase(path: string): Promise<SqlDatabase> {
  return hasNodeSqlite(process.versions.node) ? openWithNode(path) : openWithLibsql(path);
}

/** From 22.13 on it is there without a flag. */
export function hasNodeSqlite(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 13);
}

async function openWithLibsql(path: string): Promise<SqlDatabase> {
  const { default: Database } = await import("libsql");
  const database = new Database(path);
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => asStatement(database.prepare(sql)),
    close: () => database.close(),
  };
}

interface NodeSqlite {
  readonly DatabaseSync: new (
    path: string,
  ) => { exec(sql: string): void; prepare(sql: string): unknown; close(): void };
}

/** What Node 22 says when its SQLite is loaded: of no use to who runs a workflow. */
const EXPERIMENTAL = "SQLite is an experimental feature";

async function openWithNode(path: string): Promise<SqlDatabase> {
  // A name of its own, so that neither compiler nor bundler on Node 20 looks for the module.
  const name = "node:sqlite";
  const { DatabaseSync } = await withoutWarning(EXPERIMENTAL, () => import(name) as Promise<NodeSqlite>);
  const database = new DatabaseSync(path);
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => asStatement(database.prepare(sql)),
    close: () => database.close(),
  };
}

/** Runs `work`; a warning of this process that begins with `text` is not shown meanwhile, all others are. */
export async function withoutWarning<T>(text: string, work: () => Promise<T>): Promise<T> {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    if (String(warning).startsWith(text)) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    return await work();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Both drivers' statements have these three methods, typed more loosely. */
function asStatement(statement: unknown): SqlStatement {
  return statement as SqlStatement;
}
