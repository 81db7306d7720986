import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeLogRoom } from "./log-room.js";
import type { TextRow } from "./messages.js";
import { openDatabase } from "./sql-database.js";
import { SqlLog } from "./sql-log.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tiphys-room-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const row = (revision: number): TextRow => ({
  revision,
  key: `configmaps/ns/c${revision}`,
  previous: 0,
  uid: `u${revision}`,
  text: JSON.stringify({ revision, filling: "x".repeat(3000) }),
  rows: [],
});

async function revisionsIn(path: string): Promise<readonly number[]> {
  const log = SqlLog.own(await openDatabase(path), 0);
  const revisions: number[] = [];
  log.replay(({ revision }) => void revisions.push(revision));
  log.close();
  return revisions;
}

test("commits go into the room that was taken, and a copy made in the middle holds them all", async () => {
  const path = join(folder, "store.db");
  const log = SqlLog.own(await openDatabase(path), 0);
  log.append([row(1)]);
  takeLogRoom(path);
  const { size } = statSync(`${path}-wal`);
  expect(size).toBeGreaterThan(4_000_000);
  for (let revision = 2; revision <= 50; revision++) log.append([row(revision)]);
  expect(statSync(`${path}-wal`).size).toBe(size);
  const copy = join(folder, "copy.db");
  copyFileSync(path, copy);
  copyFileSync(`${path}-wal`, `${copy}-wal`);
  expect(await revisionsIn(copy)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  log.close();
});

test("without a log nothing is made", () => {
  takeLogRoom(join(folder, "absent.db"));
  expect(existsSync(join(folder, "absent.db-wal"))).toBe(false);
});
