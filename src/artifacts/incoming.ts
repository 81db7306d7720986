/** Below a store's folder, what is not yet in its place: who writes there takes it away, unless that process is killed. */

import { lstat, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "./port.js";

/** Keys cannot name it. */
export const INCOMING = ".incoming";

/** Whoever is alive has written something within this time; of one on another machine no more is known. */
const LEFT_MS = 24 * 3600 * 1000;

/** A new empty folder on the file system of the store at `folder`; who asks for it removes it. */
export async function makeScratch(folder: string): Promise<string> {
  const incoming = join(folder, INCOMING);
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  return mkdtemp(join(incoming, `put-${process.pid}-`));
}

/** Removes what killed processes left in the store at `folder`: other processes may work there. Never rejects. */
export async function sweepIncoming(folder: string, now: number): Promise<void> {
  const incoming = join(folder, INCOMING);
  for (const name of await namesIn(incoming)) {
    const path = join(incoming, name);
    if (isWriterAlive(name) || (await lastWritten(path)) > now - LEFT_MS) continue;
    // What cannot be removed stays in nobody's way.
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

function isWriterAlive(name: string): boolean {
  const [, pid] = /^put-(\d+)-/.exec(name) ?? [];
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== "ESRCH";
  }
}

/** Of the folder and of what stands right in it: a large file that is being written changes only itself. */
async function lastWritten(path: string): Promise<number> {
  const paths = [path, ...(await namesIn(path)).map((name) => join(path, name))];
  const times = await Promise.all(paths.map(async (one) => (await lstat(one).catch(() => undefined))?.ctimeMs ?? 0));
  return Math.max(...times);
}

function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
