/** What a run in isolation plain puts outside of its own folder: made at its start, taken away at its end. */

import { lstat, mkdir, readlink, rename, rm, rmdir, symlink, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { messageOf } from "../../../../core/std/message.js";
import { copyOrdinary } from "./copy-ordinary.js";

export interface Outside {
  /** Links at fixed paths to the run's volumes. */
  readonly links: readonly { readonly path: string; readonly target: string }[];
  /** Moved into the run's folder at its end, where `from` exists. */
  readonly moves: readonly { readonly from: string; readonly to: string }[];
}

export const nothingOutside: Outside = { links: [], moves: [] };

/** How many runs of this process use a link: the last one takes it away. */
const users = new Map<string, number>();

/** Rejects, naming the path, when this user may not make it. */
export async function makeOutside({ links }: Outside): Promise<void> {
  const made: Outside["links"][number][] = [];
  for (const link of links) {
    const { path, target } = link;
    const count = users.get(path) ?? 0;
    try {
      if (count === 0) {
        await mkdir(dirname(path), { recursive: true });
        await symlink(target, path);
      }
      users.set(path, count + 1);
      made.push(link);
    } catch (error) {
      await takeBackOutside({ links: made, moves: [] });
      const why = messageOf(error);
      throw new Error(`nothing can be mounted at ${path} in isolation plain, and it cannot be made there: ${why}`);
    }
  }
}

/** Also for a run whose process died before it could; what is not ours stays. */
export async function takeBackOutside({ links, moves }: Outside): Promise<void> {
  for (const { from, to } of moves) {
    if ((await lstat(from).catch(() => undefined)) === undefined) continue;
    await mkdir(dirname(to), { recursive: true });
    await rename(from, to).catch(() => copyThenRemove(from, to));
  }
  for (const { path, target } of links) {
    const count = users.get(path) ?? 1;
    if (count > 1) users.set(path, count - 1);
    else users.delete(path);
    if (count > 1) continue;
    if ((await readlink(path).catch(() => undefined)) !== target) continue;
    await unlink(path);
    await removeEmptyParents(path);
  }
}

/** Another file system: renaming is refused there. */
async function copyThenRemove(from: string, to: string): Promise<void> {
  await copyOrdinary(from, to);
  await rm(from, { recursive: true, force: true });
}

/** Folders that were made for a link: a folder that is empty and that this user may remove was, or is of no use. */
async function removeEmptyParents(path: string): Promise<void> {
  for (let folder = dirname(path); folder.split("/").length > 2 || folder.length > 1; folder = dirname(folder)) {
    if (isStandard(folder)) return;
    const isRemoved = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}

/** Folders that every machine has, empty or not. */
function isStandard(folder: string): boolean {
  return /^\/(mnt|media|srv|opt|tmp|var(\/[^/]+)?|home|root|run|usr(\/[^/]+)?)$/.test(folder);
}
