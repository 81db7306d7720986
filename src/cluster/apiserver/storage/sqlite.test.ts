import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtWriter } from "../testing/built-writer.js";
import type { LogRow, Store } from "./port.js";
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
