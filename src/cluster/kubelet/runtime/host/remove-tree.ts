/** Removes a folder whatever its modes: a container may have taken the right to write from its own folders. */

import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Nothing happens when there is nothing. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    await openUp(path);
    await rm(path, { recursive: true, force: true });
  }
}

async function openUp(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => undefined);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await openUp(join(folder, entry.name));
}
