/** Threads that share out the seeds: bundled first, because code that is bundled runs twice as fast as code that is loaded file by file. */

import { once } from "node:events";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { type Batch, noTally, type PlayOptions, sumOf, type Tally } from "./batch.js";

export interface PoolOptions {
  readonly threads: number;
  readonly play: PlayOptions;
}

/** So few that the threads end at nearly the same time, so many that handing out costs nothing. */
const BATCH_SEEDS = 25;

/** What a run leaves behind is rubbish when it ends: with room enough it is never copied. */
const YOUNG_MB = 384;

export class Pool {
  readonly #threads: readonly Worker[];

  private constructor(threads: readonly Worker[]) {
    this.#threads = threads;
  }

  static async open({ threads, play }: PoolOptions): Promise<Pool> {
    // Beneath node_modules, so that packages are found from there.
    const file = fileURLToPath(
      new URL(`../../../node_modules/.cache/simulation-${process.pid}-${performance.now()}.mjs`, import.meta.url),
    );
    await build({
      entryPoints: [fileURLToPath(new URL("./thread.ts", import.meta.url))],
      outfile: file,
      bundle: true,
      platform: "node",
      target: "node20",
      format: "esm",
      packages: "external",
      logLevel: "warning",
    });
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB };
    const start = (): Worker => new Worker(file, { workerData: play, resourceLimits, execArgv: [] });
    const started = Array.from({ length: threads }, start);
    await Promise.all(started.map((thread) => once(thread, "message")));
    // All have read it: whatever ends us, nothing stays behind.
    await rm(file, { force: true });
    return new Pool(started);
  }

  /**
   * Plays `count` seeds, or as many as are begun while `goesOn` says so; `onProgress` hears the sum so far. Rejects when a
   * thread dies.
   */
  async play({ from, count }: Batch, goesOn: () => boolean, onProgress: (sum: Tally) => void): Promise<Tally> {
    const end = from + count;
    let next = from;
    let sum = noTally;
    const work = async (thread: Worker): Promise<void> => {
      while (next < end && goesOn()) {
        const batch = { from: next, count: Math.min(BATCH_SEEDS, end - next) };
        next += batch.count;
        const tally = await played(thread, batch);
        sum = sumOf(sum, tally);
        onProgress(sum);
      }
    };
    await Promise.all(this.#threads.map(work));
    return { ...sum, broken: [...sum.broken].sort((one, other) => one.seed - other.seed) };
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }
}

async function played(thread: Worker, batch: Batch): Promise<Tally> {
  const answer = once(thread, "message");
  thread.postMessage(batch);
  const [tally] = (await answer) as [Tally];
  return tally;
}
