/** Puts a finished build in the place of the one before, under programs that are being started from it. */

import { chmod, mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

export interface SwapOptions {
  readonly fresh: string;
  readonly target: string;
  /** The file that a person starts: it comes last, when all that it loads is there. */
  readonly entry: string;
  /** What becomes of files that only the build before had. */
  readonly before: "kept until the next build" | "removed";
}

/**
 * File by file, for no folder can take the place of another in one step. What a build loads beside its few fixed names is
 * named by its content: two builds can lie in one folder, and each start reads one of them as a whole. What was started
 * from the build before may still load parts of it: they stay until the next build.
 */
export async function swapIn({ fresh, target, entry, before }: SwapOptions): Promise<void> {
  await mkdir(target, { recursive: true });
  const names = await readdir(fresh);
  await chmod(join(fresh, entry), 0o755);
  for (const name of [...names.filter((one) => one !== entry), entry]) {
    await rename(join(fresh, name), join(target, name));
  }
  await rm(fresh, { recursive: true });
  const isOfBuild = new Set(names);
  for (const name of await readdir(target)) {
    if (!isOfBuild.has(name)) await letGo(join(target, name), before);
  }
}

/** Marks in a file's time that it was left over once. */
const LEFT_OVER = new Date(0);

async function letGo(path: string, before: SwapOptions["before"]): Promise<void> {
  const isMarked = (await stat(path)).mtime.getTime() === LEFT_OVER.getTime();
  if (before === "removed" || isMarked) await rm(path, { recursive: true, force: true });
  else await utimes(path, LEFT_OVER, LEFT_OVER);
}
