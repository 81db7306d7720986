/** Copies a file that must be a regular one, and no link, whatever is put in its place meanwhile. */

import { constants } from "node:fs";
import { copyFile, lstat } from "node:fs/promises";
import { openRegular } from "./archive/read-regular.js";

/** `target` must not exist. A reflink where the file system has them. Rejects with ArtifactError for anything but a file. */
export async function copyRegular(source: string, target: string): Promise<void> {
  const handle = await openRegular(source);
  try {
    const opened = `/proc/self/fd/${handle.fd}`;
    // Where the system does not name what a process has open, the file is opened once more by its own name.
    const from = (await lstat(opened).catch(() => undefined)) === undefined ? source : opened;
    await copyFile(from, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  } finally {
    await handle.close();
  }
}
