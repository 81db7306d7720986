/** Copies files, folders and links; sockets, pipes and devices, which cannot be copied, are left out as of an artifact. */

import { cp, lstat } from "node:fs/promises";

/** Over a file that is there; links stay what they are. */
export async function copyOrdinary(source: string, target: string): Promise<void> {
  await cp(source, target, {
    recursive: true,
    force: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    filter: async (path) => {
      const info = await lstat(path);
      return info.isFile() || info.isDirectory() || info.isSymbolicLink();
    },
  });
}
