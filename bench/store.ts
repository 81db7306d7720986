/**
 * Durable updates of 2 kB objects by 100 writers in process, against the bare driver with the same rows and batches.
 * Prints updates a second, the ratio, and the latency of one update.
 */

import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { openServer, openSqliteStore, type Store } from "../src/cluster/apiserver/index.js";
import type { TextRow } from "../src/cluster/apiserver/storage/messages.js";
import { openDatabase } from "../src/cluster/apiserver/storage/sql-database.js";
import { SqlLog } from "../src/cluster/apiserver/storage/sql-log.js";
import { configMaps, namespaces } from "../src/core/model/resources.js";

const writers = 100;
/** Ours and the bare driver take turns, and each round has its own ratio: the machine may be busy meanwhile. */
const rounds = 5;
const updates = 20_000;
const warmUp = 3_000;
const writer = new URL("../dist/store-writer.cjs", import.meta.url);
const clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (delayMs: number, callback: () => void) => {
    const timer = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
};
const chance = { next: Math.random, uuid: () => randomUUID() };

interface Figures {
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
  readonly batches: readonly number[];
}

/** `batches` gets the size of each batch that reaches the store. */
function counting(store: Store, batches: number[]): Store {
  return {
    access: store.access,
    inFlightMax: store.inFlightMax,
    defer: (callback) => store.defer(callback),
    replay: (tell) => store.replay(tell),
    append: (batch) => {
      batches.push(batch.rows.length);
      return store.append(batch);
    },
    close: () => store.close(),
  };
}

async function ours(path: string): Promise<Figures> {
  const batches: number[] = [];
  const store = counting(await openSqliteStore({ path, writer }), batches);
  const server = await openServer({ store, clock, chance, types: [configMaps, namespaces] });
  const client = server.client();
  const names = Array.from({ length: writers }, (_, index) => `config-${index}`);
  for (const name of names) await client.create(configMaps, configMap(name, 0));
  const run = async (count: number): Promise<Omit<Figures, "batches">> => {
    const latenciesMs: number[] = [];
    let left = count;
    const start = performance.now();
    const write = async (name: string): Promise<void> => {
      while (left-- > 0) {
        const begin = performance.now();
        await client.update(configMaps, configMap(name, left));
        latenciesMs.push(performance.now() - begin);
      }
    };
    await Promise.all(names.map(write));
    return { seconds: (performance.now() - start) / 1000, latenciesMs };
  };
  await run(warmUp);
  batches.length = 0;
  const figures = await run(updates);
  const own = [...batches];
  await server.close();
  return { ...figures, batches: own };
}

async function bare(path: string, batches: readonly number[]): Promise<number> {
  const log = SqlLog.own(await openDatabase(path), 0);
  let revision = 1;
  const rows = batches.map((size) => Array.from({ length: size }, () => textRow(++revision)));
  const start = performance.now();
  for (const batch of rows) log.append(batch);
  const seconds = (performance.now() - start) / 1000;
  log.close();
  return seconds;
}

const filling = "abcdefgh".repeat(220);

function configMap(name: string, count: number) {
  const metadata = { name, namespace: "default", labels: { app: "bench" } };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { count: String(count), filling } };
}

function textRow(revision: number): TextRow {
  const name = `config-${revision % writers}`;
  const object = configMap(name, revision);
  const uid = "2c26f2b6-6b0b-4c2c-9a0e-0f9a0b0b0b0b";
  const metadata = {
    ...object.metadata,
    uid,
    creationTimestamp: "2024-01-01T00:00:00Z",
    resourceVersion: `${revision}`,
  };
  const text = JSON.stringify({ ...object, metadata });
  return {
    revision,
    key: `configmaps/default/${name}`,
    previous: Math.max(0, revision - writers),
    uid,
    text,
    rows: [],
  };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

interface Round {
  readonly own: number;
  readonly driver: number;
  readonly ratio: number;
  readonly p50: number;
  readonly p99: number;
  readonly batch: number;
}

async function roundIn(folder: string): Promise<Round> {
  const figures = await ours(`${folder}/ours.db`);
  const own = updates / figures.seconds;
  const driver = updates / (await bare(`${folder}/bare.db`, figures.batches));
  const [p50, p99] = [percentile(figures.latenciesMs, 0.5), percentile(figures.latenciesMs, 0.99)];
  return { own, driver, ratio: own / driver, p50, p99, batch: updates / figures.batches.length };
}

async function main(): Promise<void> {
  if (!existsSync(writer)) throw new Error("dist/store-writer.cjs is missing: run npm run build first");
  const results: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const folder = mkdtempSync(`${tmpdir()}/tiphys-bench-`);
    try {
      results.push(await roundIn(folder));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const median = (figure: keyof Round): number =>
    percentile(
      results.map((result) => result[figure]),
      0.5,
    );
  const [own, driver, ratio] = [median("own"), median("driver"), median("ratio")];
  const p99 = median("p99");
  console.log(`store: ${own.toFixed(0)} updates/s, bare driver ${driver.toFixed(0)}/s, ratio ${ratio.toFixed(2)}`);
  console.log(
    `store: p50 ${median("p50").toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${median("batch").toFixed(0)} updates a batch`,
  );
  console.log(
    `store: medians of ${rounds} rounds; >= 0.50 and p99 <= 50 ms: ${ratio >= 0.5 && p99 <= 50 ? "met" : "missed"}`,
  );
}

await main();
