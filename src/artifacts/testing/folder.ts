/** Temporary folders for tests, and what lies in them as data. */

import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** path -> content; a link as `-> target`, an empty folder as `/`. */
export type Listing = Readonly<Record<string, string>>;

export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "tiphys-artifacts-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

export async function writeListing(folder: string, listing: Listing): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(listing)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    if (content === "/") await mkdir(path, { recursive: true });
    else if (content.startsWith("-> ")) await symlink(content.slice(3), path);
    else await writeFile(path, content);
  }
}

export async function readListing(folder: string, prefix = ""): Promise<Listing> {
  const listing: Record<string, string> = {};
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const shown = `${prefix}${name}`;
    const info = await lstat(path);
    if (info.isSymbolicLink()) listing[shown] = `-> ${await readlink(path)}`;
    else if (!info.isDirectory()) listing[shown] = await readFile(path, "utf8");
    else {
      const inner = await readListing(path, `${shown}/`);
      if (Object.keys(inner).length === 0) listing[shown] = "/";
      Object.assign(listing, inner);
    }
  }
  return listing;
}
