/** Puts something that was just made into its place, on the same file system. */

import { lstat, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { ArtifactError } from "../artifacts/index.js";

/**
 * Over a file, or into a folder that is there already (a volume's own root stays the same folder). Rejects when a folder
 * there holds something of the same name.
 */
export async function moveInto(source: string, target: string): Promise<void> {
  const [from, to] = await Promise.all([lstat(source), lstat(target).catch(() => undefined)]);
  if (to === undefined || !(from.isDirectory() && to.isDirectory())) return rename(source, target);
  for (const child of await readdir(source)) {
    if ((await lstat(join(target, child)).catch(() => undefined)) !== undefined) {
      throw new ArtifactError("failed", `rename ${source} ${target}: file exists (${child})`);
    }
    await rename(join(source, child), join(target, child));
  }
}
