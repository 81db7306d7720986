/**
 * What a step costs on real processes: a chain of `/bin/true` in isolation plain, against starting the same program
 * bare through the same helper and committing bare to the same kind of store.
 */

import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { systemClock } from "../src/app/system-clock.js";
import type { TextRow } from "../src/cluster/apiserver/storage/messages.js";
import { openDatabase } from "../src/cluster/apiserver/storage/sql-database.js";
import { SqlLog } from "../src/cluster/apiserver/storage/sql-log.js";
import { HostRuntime } from "../src/cluster/kubelet/index.js";
import { chain, median } from "./lib/cluster.js";
import { program, verdict, withHome } from "./lib/measure.js";

const STEPS = 40;
/** Steps and what they are measured against take turns: the machine may be slower for a while. */
const ROUNDS = 5;
const COMMITS_A_STEP = 4;
const EXTRA_P50_MS = 3;
const EXTRA_P99_MS = 35;

/** Milliseconds between the ends of successive steps. */
async function stepTimes(home: string): Promise<readonly number[]> {
  const file = join(home, "chain.json");
  const metadata = { generateName: "chain-" };
  writeFileSync(
    file,
    JSON.stringify({ apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", metadata, spec: chain(STEPS) }),
  );
  const args = [program, "run", "--runtime", "host", "--isolation", "plain", "--events", "-", file];
  // Into a file: reading them as they come would take a part of the processors that are measured.
  const eventsFile = join(home, "events.ndjson");
  const events = openSync(eventsFile, "w");
  const child = spawn(process.execPath, args, {
    env: { ...process.env, TIPHYS_HOME: home },
    stdio: ["ignore", events, "ignore"],
  });
  await new Promise<void>((resolve) => child.once("close", () => resolve()));
  closeSync(events);
  const ends = readFileSync(eventsFile, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { readonly t: string; readonly node?: string; readonly phase?: string })
    .filter(({ node, phase }) => phase === "Succeeded" && /^s\d+$/.test((node ?? "").split(".").at(-1) ?? ""))
    .map(({ t }) => Date.parse(t));
  return ends.slice(1).map((end, index) => end - (ends[index] ?? end));
}

async function bareStarts(home: string): Promise<readonly number[]> {
  const podsFolder = join(home, "pods");
  mkdirSync(podsFolder, { recursive: true });
  const runtime = new HostRuntime({
    helperScript: fileURLToPath(new URL("../dist/process-helper.cjs", import.meta.url)),
    podsFolder,
    cacheFile: join(home, "isolation.json"),
    isolation: "plain",
    baseEnv: { PATH: process.env["PATH"] ?? "" },
    home,
    clock: systemClock,
  });
  await runtime.start();
  const times: number[] = [];
  for (let round = 0; round < STEPS; round++) {
    const folder = join(podsFolder, `pod-${round}`);
    mkdirSync(folder);
    const container = { name: "main", image: "busybox" };
    const metadata = { name: "bare", namespace: "default", uid: `pod-${round}` };
    const pod = { apiVersion: "v1", kind: "Pod", metadata, spec: { containers: [container] } };
    const handle = await runtime.openPod({ pod, folder });
    const start = performance.now();
    await handle.startContainer({
      container,
      restartCount: 0,
      argv: ["/bin/true"],
      env: new Map(),
      workingDir: undefined,
      mounts: [],
      waiting: () => {},
      signal: new AbortController().signal,
    });
    await handle.ended("main");
    times.push(performance.now() - start);
  }
  await runtime.close();
  return times;
}

async function bareCommits(home: string): Promise<readonly number[]> {
  mkdirSync(home);
  const log = SqlLog.own(await openDatabase(join(home, "bare.db")), 0);
  const times = Array.from({ length: 200 }, (_, index) => {
    const start = performance.now();
    log.append([row(index + 2)]);
    return performance.now() - start;
  });
  log.close();
  return times;
}

const filling = "abcdefgh".repeat(220);

function row(revision: number): TextRow {
  const text = JSON.stringify({ revision, filling });
  return { revision, key: `bench/${revision}`, previous: 0, uid: `bench-${revision}`, text, rows: [] };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Of times that were told in whole milliseconds: within the group of equal ones, as far as half of all reach into it. */
function groupedMedian(values: readonly number[]): number {
  const middle = percentile(values, 0.5);
  const below = values.filter((value) => value < middle).length;
  const equal = values.filter((value) => value === middle).length;
  return middle - 0.5 + (values.length / 2 - below) / equal;
}

await withHome(async (home) => {
  const steps: number[] = [];
  const starts: number[] = [];
  const commits: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    steps.push(...(await stepTimes(home)));
    starts.push(...(await bareStarts(join(home, `starts-${round}`))));
    commits.push(...(await bareCommits(join(home, `commits-${round}`))));
  }
  const start = median(starts);
  const commit = median(commits);
  const bare = start + COMMITS_A_STEP * commit;
  const p50 = groupedMedian(steps);
  const p99 = percentile(steps, 0.99);
  console.log(
    `a step in isolation plain: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; bare start ${start.toFixed(1)} ms, ` +
      `commit ${commit.toFixed(2)} ms: ratio ${(p50 / bare).toFixed(2)} ` +
      `(targets +${EXTRA_P50_MS} ms: ${verdict(p50 <= bare + EXTRA_P50_MS)}, p99 +${EXTRA_P99_MS} ms: ${verdict(p99 <= bare + EXTRA_P99_MS)})`,
  );
});
