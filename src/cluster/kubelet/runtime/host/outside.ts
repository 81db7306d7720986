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

let turn: Promise<unknown> = Promise.resolve();

/** Runs that begin and end side by side may share a link, or the folder it lies in: one change of them at a time. */
function inTurn(act: () => Promise<void>): Promise<void> {
  const done = turn.then(act);
  turn = done.catch(() => undefined);
  return done;
}

/** Rejects, naming the path, when this user may not make it. */
export async function makeOutside({ links }: Outside): Promise<void> {
  if (links.length > 0) await inTurn(() => makeLinks(links));
}

async function makeLinks(links: Outside["links"]): Promise<void> {
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
      await takeLinks(made);
      throw new Error(
        `nothing can be mounted at ${path} in isolation plain, and it cannot be made there: ${messageOf(error)}`,
      );
    }
  }
}

/** Also for a run whose process died before it could; what is not ours stays. Rejects when some of it could not be moved. */
export async function takeBackOutside({ links, moves }: Outside): Promise<void> {
  const faults: unknown[] = [];
  const note = (error: unknown): void => void faults.push(error);
  for (const move of moves) await takeBack(move).catch(note);
  if (links.length > 0) await inTurn(() => takeLinks(links)).catch(note);
  if (faults.length > 0) throw faults[0];
}

async function takeBack({ from, to }: Outside["moves"][number]): Promise<void> {
  if ((await lstat(from).catch(() => undefined)) === undefined) return;
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to).catch(() => copyThenRemove(from, to));
}

async function takeLinks(links: Outside["links"]): Promise<void> {
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
