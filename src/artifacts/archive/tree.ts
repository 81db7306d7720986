/** The files, folders and links of a folder, parents first. */

import type { Stats } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { namesIn, targetOf } from "../names.js";

export interface TreeEntry {
  readonly path: string;
  /** Path in the archive. */
  readonly name: string;
  readonly info: Stats;
  readonly kind: "file" | "folder" | "link";
  /** Of a link; else empty. */
  readonly target: string;
}

/** Sockets, pipes and devices are left out. Children in the order of their names' bytes: equal folders, equal archives.
 * Rejects with ArtifactError "invalid" for names that are not UTF-8. */
export async function* walkTree(path: string, name: string): AsyncGenerator<TreeEntry> {
  const info = await lstat(path);
  if (info.isFile()) yield { path, name, info, kind: "file", target: "" };
  else if (info.isSymbolicLink()) yield { path, name, info, kind: "link", target: await targetOf(path, name) };
  else if (info.isDirectory()) {
    yield { path, name, info, kind: "folder", target: "" };
    const children = (await namesIn(path, name)).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    for (const child of children) yield* walkTree(join(path, child), `${name}/${child}`);
  }
}

/** Whether a tree is at most so large; stops looking as soon as it is not. */
export async function isSmallTree(path: string, bytesMax: number, entriesMax: number): Promise<boolean> {
  let bytes = 0;
  let entries = 0;
  for await (const { info } of walkTree(path, "")) {
    bytes += info.isFile() ? info.size : 0;
    entries += 1;
    if (bytes > bytesMax || entries > entriesMax) return false;
  }
  return true;
}
