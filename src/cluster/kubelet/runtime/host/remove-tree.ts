/** Removes a folder whatever its modes: a container may have taken the right to write from its own folders. */

import { lstatSync, opendirSync, rmdirSync, unlinkSync } from "node:fs";
import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** What most steps leave behind is removed at once: the way to another thread and back takes longer. */
const SMALL_ENTRIES = 16;
const SMALL_BYTES = 1024 * 1024;

/** Nothing happens when there is nothing. */
export async function removeTree(path: string): Promise<void> {
  if (removeSmall(path)) return;
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    await openUp(path);
    await rm(path, { recursive: true, force: true });
  }
}

/** False when something is left, because it is much or may not be removed as it stands. */
function removeSmall(path: string): boolean {
  let left = SMALL_ENTRIES;
  const remove = (one: string): boolean => {
    const info = lstatSync(one, { throwIfNoEntry: false });
    if (info === undefined) return true;
    if (!info.isDirectory()) {
      if (info.size > SMALL_BYTES) return false;
      unlinkSync(one);
      return true;
    }
    const names = firstNames(one, left + 1);
    left -= names.length;
    if (left < 0 || !names.every((name) => remove(join(one, name)))) return false;
    rmdirSync(one);
    return true;
  };
  try {
    return remove(path);
  } catch {
    return false;
  }
}

function firstNames(folder: string, count: number): readonly string[] {
  const names: string[] = [];
  const entries = opendirSync(folder);
  try {
    for (let entry = entries.readSync(); entry !== null && names.length < count; entry = entries.readSync()) {
      names.push(entry.name);
    }
  } finally {
    entries.closeSync();
  }
  return names;
}

async function openUp(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => undefined);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await openUp(join(folder, entry.name));
}
