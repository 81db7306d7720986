/** As `mkdir -p`. Node's own goes round and round where a folder that exists takes no entries, as /proc does. */

import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

export function makeFolder(folder: string, mode?: number): void {
  const missing: string[] = [];
  for (let at = folder; !exists(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  // The last one always: something else than a folder may stand there.
  for (const one of missing.length === 0 ? [folder] : missing) makeOne(one, mode);
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function makeOne(folder: string, mode: number | undefined): void {
  try {
    mkdirSync(folder, mode === undefined ? {} : { mode });
  } catch (error) {
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
