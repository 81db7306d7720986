/** Ended places are kept 30 days or 2 GiB, whichever is reached first; the oldest go first. */

import { lstat, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "../context.js";
import { timeOf } from "../print/duration.js";
import { hasIndex } from "./files.js";
import { placeFolders } from "./folders.js";
import { allPlaces, type Place } from "./places.js";

const KEPT_MS = 30 * 24 * 3600 * 1000;
const KEPT_BYTES = 2 * 1024 ** 3;

/** Newest first in, what must go out. Places that are not ended count by their age only. */
export function placesToRemove(places: readonly Place[], now: number): readonly Place[] {
  let bytes = 0;
  return places.filter((place) => {
    if (place.kind === "up") return false;
    if (now - endOf(place) > KEPT_MS) return true;
    bytes += place.index.bytes;
    return bytes > KEPT_BYTES && place.index.bytes > 0;
  });
}

function endOf({ index }: Place): number {
  const ends = index.workflows.flatMap((row) => timeOf(row.finishedAt) ?? []);
  return Math.max(timeOf(index.createdAt) ?? 0, ...ends);
}

const SWEEP_EVERY_MS = 3600 * 1000;

/** Removes what is over the limits, at most once an hour; never a place that somebody owns. */
export async function sweepPlaces(context: Context): Promise<void> {
  const mark = join(context.home, "swept");
  const last = await stat(mark).catch(() => undefined);
  if (last !== undefined && context.ports.clock.now() - last.mtimeMs < SWEEP_EVERY_MS) return;
  await writeFile(mark, "");
  const host = await context.ports.places();
  const now = context.ports.clock.now();
  const places = placesToRemove(await allPlaces(context), now).map(({ folder }) => folder);
  for (const folder of [...places, ...(await stillborn(context.home, now))]) {
    if ((await host.ownership(folder)) === "owned") continue;
    await rm(folder, { recursive: true, force: true });
  }
}

/** An owner that takes longer to make its place has died. */
const STILLBORN_MS = 3600 * 1000;

/** Folders of owners that died before they wrote an index: no workflow was ever in them. */
async function stillborn(home: string, now: number): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { folder, kind } of await placeFolders(home)) {
    if (kind === "up" || (await hasIndex(folder))) continue;
    const made = await stat(folder).catch(() => undefined);
    if (made !== undefined && now - made.mtimeMs > STILLBORN_MS) found.push(folder);
  }
  return found;
}

/** What a folder takes on disk; files that cannot be read count as nothing. */
export async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) open.push(path);
      else bytes += (await lstat(path).catch(() => ({ size: 0 }))).size;
    }
  }
  return bytes;
}
