import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SeededChance } from "../../../kube/testing/seeded-chance.js";
import { VirtualClock } from "../../../kube/testing/virtual-clock.js";
import { MemoryDisk, openMemoryStore, openServer, openSqliteStore, type Store } from "../index.js";
import { builtWriter, bundled } from "../testing/built-writer.js";
import type { CrashOrder } from "../testing/crash-child.js";
import { realClock } from "../testing/real-clock.js";
import { judged, type Report, workload, workloadServer } from "../testing/workload.js";
import { openDatabase } from "./sql-database.js";
import { SqlLog } from "./sql-log.js";

/** Seeds of the runs; more of them with TIPHYS_CRASH_RUNS. */
const runs = Number(process.env["TIPHYS_CRASH_RUNS"] ?? 0);
const folder = mkdtempSync(`${tmpdir()}/tiphys-crash-`);
let writer: URL;
let child: string;

beforeAll(async () => {
  writer = await builtWriter();
  child = fileURLToPath(await bundled("src/cluster/apiserver/testing/crash-child.ts"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One life of the server, up to its crash; adds to `reports`. */
type Life = (seed: number, reports: Report[]) => Promise<void>;
type Open = () => Promise<Store>;

/** Several lives on one store, each judged by the next. */
async function faultsOf(seed: number, lives: number, open: Open, live: Life): Promise<readonly string[]> {
  const faults: string[] = [];
  let reports: Report[] = [];
  for (let life = 0; life <= lives; life++) {
    const server = await openServer({
      ...workloadServer,
      store: await open(),
      clock: realClock,
      chance: new SeededChance(seed),
    });
    const judgement = await judged(server.client(), reports);
    await server.close();
    faults.push(...judgement.faults.map((fault) => `seed ${seed}, life ${life}: ${fault}`));
    reports = [...judgement.found];
    if (life < lives) await live(seed * 100 + life, reports);
  }
  return faults;
}

test("memory: after a crash it holds what was acknowledged, and of the rest a prefix", async () => {
  const faults: string[] = [];
  for (let seed = 1; seed <= Math.max(runs, 100); seed++) {
    const disk = new MemoryDisk();
    const live: Life = async (lifeSeed, reports) => {
      const chance = new SeededChance(lifeSeed);
      const clock = new VirtualClock();
      const store = openMemoryStore({ disk, clock, commitMs: 5 });
      const server = await openServer({ ...workloadServer, store, clock, chance });
      void workload(server.client(), chance, 60, (report) => reports.push(report));
      await clock.advance(Math.floor(chance.next() * 90));
      disk.crash(chance);
    };
    faults.push(...(await faultsOf(seed, 4, async () => openMemoryStore({ disk }), live)));
  }
  expect(faults).toEqual([]);
});

test("SQLite: after kill -9 it holds what was acknowledged, and of the rest a prefix", {
  timeout: 600_000,
}, async () => {
  const faults: string[] = [];
  let kills = 0;
  for (let seed = 1; seed <= Math.max(runs, 3); seed++) {
    const path = `${folder}/kill-${seed}.db`;
    const live: Life = async (lifeSeed, reports) => {
      const chance = new SeededChance(lifeSeed);
      // At each write in turn, and each time somewhere else on its way to the disk.
      const asked = 1 + (kills++ % 60);
      const turns = Math.floor(chance.next() * chance.next() * 200);
      await lifeOfChild({ path, writer: writer.href, seed: lifeSeed, asked, turns }, reports);
    };
    faults.push(...(await faultsOf(seed, 4, () => openSqliteStore({ path, writer }), live)));
  }
  expect(faults).toEqual([]);
});

async function lifeOfChild(order: CrashOrder, reports: Report[]): Promise<void> {
  const process_ = spawn(process.execPath, [child], { stdio: ["pipe", "pipe", "inherit"] });
  process_.stdin.end(JSON.stringify(order));
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    process_.on("exit", (_code, signal) => resolve(signal)),
  );
  for await (const line of createInterface({ input: process_.stdout })) reports.push(JSON.parse(line));
  expect(await ended).toBe("SIGKILL");
}

test("SQLite: a log cut at any place holds whole batches, and all before the cut", async () => {
  const path = `${folder}/cut.db`;
  const chance = new SeededChance(7);
  const log = SqlLog.own(await openDatabase(path), 0);
  const ends: number[] = [];
  for (let batch = 0; batch < 60; batch++) {
    log.append([0, 1, 2].map((index) => textRow(batch * 3 + index + 2, chance)));
    ends.push(statSync(`${path}-wal`).size);
  }
  copyFileSync(path, `${path}.copy`);
  copyFileSync(`${path}-wal`, `${path}.copy-wal`);
  log.close();
  const end = ends.at(-1) ?? 0;
  for (let cut = 0; cut < 200; cut++) {
    const at = Math.floor(chance.next() * (end + 1));
    const whole = ends.filter((size) => size <= at).length;
    expect({ at, revisions: await revisionsAfterCut(`${path}.copy`, `${folder}/cut-${cut}.db`, at) }).toEqual({
      at,
      revisions: Array.from({ length: whole * 3 }, (_, index) => index + 2),
    });
  }
});

function textRow(revision: number, chance: SeededChance) {
  const text = JSON.stringify({ filling: "x".repeat(Math.floor(chance.next() * 3000)) });
  const rows = [{ id: "n", revision, text }];
  return { revision, key: `configmaps/default/n${revision}`, previous: 0, uid: `u${revision}`, text, rows };
}

async function revisionsAfterCut(from: string, to: string, at: number): Promise<readonly number[]> {
  copyFileSync(from, to);
  copyFileSync(`${from}-wal`, `${to}-wal`);
  truncateSync(`${to}-wal`, at);
  const log = SqlLog.own(await openDatabase(to), 0);
  const revisions: number[] = [];
  log.replay(({ revision, rows }) => revisions.push(rows.length === 1 ? revision : -1));
  log.close();
  rmSync(to, { force: true });
  return revisions;
}
