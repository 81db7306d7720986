/** Sees what a run writes into its place while it writes it, so that it can be killed right there. */

import { existsSync, type FSWatcher, mkdirSync, readdirSync, watch } from "node:fs";
import { join } from "node:path";

/** Counts the writes of the store's log. To be made before the run begins. */
export class StoreWrites {
  private count = 0;
  private readonly watchers: FSWatcher[] = [];

  /** `home`: of a user without runs; `written` is told the number of each write, from 1. */
  constructor(
    home: string,
    private readonly written: (count: number) => void,
  ) {
    const runs = join(home, "runs");
    mkdirSync(runs, { recursive: true, mode: 0o700 });
    this.watchers.push(watch(runs, (_, name) => name !== null && this.place(join(runs, name))));
  }

  close(): void {
    for (const watcher of this.watchers) watcher.close();
  }

  private place(folder: string): void {
    if (this.watchers.length > 1 || !existsSync(folder)) return;
    this.watchers.push(
      watch(folder, (_, name) => {
        if (name !== "store.db" && name !== "store.db-wal") return;
        this.count += 1;
        this.written(this.count);
      }),
    );
  }
}

/** Resolves when the start record of the main container of that many pods was seen; looks each millisecond. */
export async function startRecord(home: string, number: number): Promise<void> {
  const seen = new Set<string>();
  while (seen.size < number) {
    for (const record of records(join(home, "runs"))) seen.add(record);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Those that are there now; of a step that ended well they are cleared away. */
function records(runs: string): readonly string[] {
  const [place] = filesIn(runs);
  if (place === undefined) return [];
  const pods = join(runs, place, "pods");
  return filesIn(pods)
    .map((uid) => join(pods, uid, "containers/main/0/start.json"))
    .filter((file) => existsSync(file));
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
