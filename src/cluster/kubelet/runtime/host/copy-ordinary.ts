/** Copies files, folders and links; sockets, pipes and devices, which cannot be copied, are left out as of an artifact. */

import { constants, type Stats } from "node:fs";
import { chmod, copyFile, lstat, mkdir, open, readdir, readlink, rm, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";

/**
 * Over a file that is there; links stay what they are; modes and times are kept. A process of the container may still be at
 * work in it: what is no file any more when it is opened is left out.
 */
export async function copyOrdinary(source: string, target: string): Promise<void> {
  const info = await lstat(source);
  if (info.isSymbolicLink()) return copyLink(source, target);
  if (info.isDirectory()) await copyFolder(source, target);
  else if (!info.isFile() || !(await copyRegular(source, target))) return;
  await keepModeAndTimes(target, info);
}

async function copyFolder(source: string, target: string): Promise<void> {
  const there = await lstat(target).catch(() => undefined);
  if (there?.isDirectory() !== true) {
    await rm(target, { force: true });
    await mkdir(target, { mode: 0o700 });
  }
  for (const name of await readdir(source)) await copyOrdinary(join(source, name), join(target, name));
}

async function copyLink(source: string, target: string): Promise<void> {
  await rm(target, { recursive: true, force: true });
  await symlink(await readlink(source), target);
}

/** False when it is no regular file any more: a pipe would be waited for without end. */
async function copyRegular(source: string, target: string): Promise<boolean> {
  const file = await open(source, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) return false;
    const opened = `/proc/self/fd/${file.fd}`;
    // Where the system does not name what a process has open, the file is opened once more by its own name.
    const from = (await lstat(opened).catch(() => undefined)) === undefined ? source : opened;
    // Not into what stands there: it may be a link, or another name of a file elsewhere.
    await rm(target, { recursive: true, force: true });
    await copyFile(from, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    return true;
  } finally {
    await file.close();
  }
}

async function keepModeAndTimes(target: string, { mode, atime, mtime }: Stats): Promise<void> {
  await chmod(target, mode & 0o7777);
  await utimes(target, atime, mtime);
}
