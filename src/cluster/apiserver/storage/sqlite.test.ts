import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { configMaps, workflows } from "../../../core/model/resources.js";
import { builtWriter } from "../testing/built-writer.js";
import { namespace, objectOf, testServer } from "../testing/server.js";
import { type LogRow, type Store, StoreError } from "./port.js";
import { openDatabase } from "./sql-database.js";
import { openSqliteStore, readSqliteStore } from "./sqlite.js";

let writer: URL;
let folder: string;

beforeAll(async () => {
  writer = await builtWriter();
  folder = mkdtempSync(`${tmpdir()}/tiphys-store-`);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function row(revision: number, name: string, previous = 0): LogRow {
  const value = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, resourceVersion: String(revision) } };
  return { revision, key: `configmaps/default/${name}`, previous, uid: `uid-${name}`, value, rows: [] };
}

const garbage = { floor: 0, items: [] };

async function contents(store: Store): Promise<LogRow[]> {
  const rows: LogRow[] = [];
  await store.replay((found) => rows.push(found));
  return rows;
}

test("what was written is there after opening again", async () => {
  const path = `${folder}/again.db`;
  const store = await openSqliteStore({ path, writer });
  await store.append({ epoch: 1, rows: [row(2, "a"), row(3, "b")], garbage });
  await store.append({ epoch: 1, rows: [row(4, "a", 2)], garbage });
  await store.close();
  const again = await openSqliteStore({ path, writer });
  expect(await contents(again)).toEqual([row(2, "a"), row(3, "b"), row(4, "a", 2)]);
  await again.close();
});

test("a second owner and a reader are told that the store is owned", async () => {
  const path = `${folder}/owned.db`;
  const store = await openSqliteStore({ path, writer });
  await expect(openSqliteStore({ path, writer, patienceMs: 0 })).rejects.toMatchObject({ fault: "owned" });
  await expect(readSqliteStore({ path, writer, patienceMs: 0 })).rejects.toMatchObject({ fault: "owned" });
  await store.append({ epoch: 1, rows: [row(2, "a")], garbage });
  await store.close();
});

test("readers see what was left, hinder nobody, and cannot write", async () => {
  const path = `${folder}/read.db`;
  await expect(readSqliteStore({ path, writer })).rejects.toMatchObject({ fault: "absent" });
  const owner = await openSqliteStore({ path, writer });
  await owner.append({ epoch: 1, rows: [row(2, "a")], garbage });
  await owner.close();
  const readers = await Promise.all([1, 2, 3].map(() => readSqliteStore({ path, writer })));
  const again = await openSqliteStore({ path, writer, patienceMs: 0 });
  for (const reader of readers) {
    expect(await contents(reader)).toEqual([row(2, "a")]);
    const refused = reader.append({ epoch: 1, rows: [row(3, "b")], garbage });
    await expect(refused).rejects.toMatchObject({ fault: "read-only" });
    await reader.close();
  }
  await again.close();
});

test("where what readers share cannot be made, they read alone", async () => {
  const path = `${folder}/full.db`;
  const owner = await openSqliteStore({ path, writer });
  await owner.append({ epoch: 1, rows: [row(2, "a")], garbage });
  await owner.close();
  // As on a disk without room.
  mkdirSync(`${path}-shm`);
  for (let time = 0; time < 2; time++) {
    const reader = await readSqliteStore({ path, writer });
    expect(await contents(reader)).toEqual([row(2, "a")]);
    await reader.close();
  }
});

test("where nothing can be written beside the file, a copy is read, and does not stay", async () => {
  const path = `${folder}/frozen.db`;
  const scratchFolder = `${folder}/scratch`;
  mkdirSync(scratchFolder);
  const owner = await openSqliteStore({ path, writer });
  await owner.append({ epoch: 1, rows: [row(2, "a")], garbage });
  await owner.close();
  // As where the file system is read-only: neither of SQLite's own files can be made.
  for (const suffix of ["-wal", "-shm"]) symlinkSync(`${folder}/nowhere/${suffix}`, `${path}${suffix}`);
  await expect(readSqliteStore({ path, writer })).rejects.toBeInstanceOf(StoreError);
  const reader = await readSqliteStore({ path, writer, scratchFolder });
  expect(await contents(reader)).toEqual([row(2, "a")]);
  expect(readdirSync(scratchFolder)).toEqual([]);
  await reader.close();
});

test("a server on a store that is only read answers reads and refuses writes", async () => {
  const path = `${folder}/look.db`;
  const owner = await testServer({ store: await openSqliteStore({ path, writer }) });
  const created = await owner.server
    .client()
    .create(configMaps, objectOf(configMaps, { name: "a", finalizers: ["x.io/y"] }));
  await owner.server.client().delete(configMaps, { namespace, name: "a" });
  await owner.server.close();
  const { server, clock } = await testServer({ store: await readSqliteStore({ path, writer }) });
  const client = server.client();
  expect((await client.get(configMaps, { namespace, name: "a" })).metadata.uid).toBe(created.metadata.uid);
  const refused = client.create(configMaps, objectOf(configMaps, { name: "b" }));
  await expect(refused).rejects.toMatchObject({ code: 405 });
  expect(clock.pending).toBe(0);
  await server.close();
});

test.each([
  ["text", "hello, this is no database at all; it is only text of some length"],
  ["a header alone", "SQLite format 3\0"],
])("a file that is not ours (%s) is not touched", async (name, content) => {
  const path = `${folder}/foreign-${name.length}.db`;
  writeFileSync(path, content);
  await expect(openSqliteStore({ path, writer })).rejects.toMatchObject({ fault: "unreadable" });
});

test("a database of another program is not touched", async () => {
  const path = `${folder}/other.db`;
  const database = await openDatabase(path);
  database.exec("CREATE TABLE t (a)");
  database.close();
  await expect(openSqliteStore({ path, writer })).rejects.toMatchObject({ fault: "unreadable" });
  await expect(readSqliteStore({ path, writer })).rejects.toMatchObject({ fault: "unreadable" });
});

test("a folder that does not exist is an error, not a crash", async () => {
  const path = `${folder}/none/x.db`;
  await expect(openSqliteStore({ path, writer })).rejects.toBeInstanceOf(StoreError);
  expect(readdirSync(folder)).not.toContain("none");
});

test("a row that replaces what was replaced already fails the batch, and those that build on it", async () => {
  const store = await openSqliteStore({ path: `${folder}/race.db`, writer });
  await store.append({ epoch: 1, rows: [row(2, "a"), row(3, "a", 2)], garbage });
  const race = store.append({ epoch: 1, rows: [row(4, "b"), row(5, "a", 2)], garbage });
  const next = store.append({ epoch: 1, rows: [row(6, "b", 4)], garbage });
  await expect(race).rejects.toMatchObject({ fault: "broken" });
  await expect(next).rejects.toMatchObject({ fault: "broken" });
  await store.append({ epoch: 2, rows: [row(7, "c")], garbage });
  await store.close();
});

test("what nobody needs is dropped from the file, and what is left is whole", async () => {
  const path = `${folder}/drop.db`;
  const history = { events: 20, bytes: 1_000_000 };
  const first = await testServer({ history, store: await openSqliteStore({ path, writer, idleMs: 0 }) });
  const client = first.server.client();
  const key = { namespace, name: "w" };
  for (const name of ["w", "gone"])
    await client.create(workflows, objectOf(workflows, { name }, { status: { nodes: { n0: 0 } } }));
  await client.delete(workflows, { namespace, name: "gone" });
  const write = (count: number) => {
    const nodes = { [`n${count % 50}`]: count, ...(count % 7 === 0 && { [`n${(count + 3) % 50}`]: null }) };
    return client.patch(workflows, key, { type: "merge", body: { status: { nodes } } });
  };
  for (let count = 0; count < 300; count++) await write(count);
  const last = await client.get(workflows, key);
  await first.server.close();
  expect((await contents(await readSqliteStore({ path, writer }))).length).toBeLessThan(60);
  const second = await testServer({ history, store: await openSqliteStore({ path, writer }) });
  const { items } = await second.server.client().list(workflows);
  expect(items.map((item) => JSON.parse(JSON.stringify(item)))).toEqual([JSON.parse(JSON.stringify(last))]);
  await second.server.close();
});
