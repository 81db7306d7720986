/** Copies a file or a folder between places that others may have filled: no link that leaves the folder is followed or made. */

import { chmod, lstat, mkdir, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { copyRegular } from "./copy-regular.js";
import { linkLeaves } from "./links.js";
import { namesIn, targetOf } from "./names.js";
import { ArtifactError } from "./port.js";

/**
 * `target` must not exist. Modes (without setuid, setgid, sticky) and times are kept; sockets, pipes and devices are left
 * out. Rejects with {@link ArtifactError} "invalid" for a link that leaves the folder, and for names that are not UTF-8.
 */
export async function copyTree(source: string, target: string): Promise<void> {
  await copyEntry({ source, target, depth: 0, name: "" });
}

interface Entry {
  readonly source: string;
  readonly target: string;
  /** Folders between the root and this entry. */
  readonly depth: number;
  /** Path below the root, for messages. */
  readonly name: string;
}

async function copyEntry(entry: Entry): Promise<void> {
  const info = await lstat(entry.source);
  if (info.isSymbolicLink()) return copyLink(entry);
  if (info.isDirectory()) {
    await copyFolder(entry);
  } else if (info.isFile()) {
    await copyRegular(entry.source, entry.target);
  } else {
    return;
  }
  await chmod(entry.target, (info.mode & 0o777) | (info.isDirectory() ? 0o700 : 0));
  await utimes(entry.target, info.atime, info.mtime);
}

async function copyFolder({ source, target, depth, name }: Entry): Promise<void> {
  await mkdir(target, { mode: 0o700 });
  for (const child of await namesIn(source, name === "" ? source : name)) {
    await copyEntry({
      source: join(source, child),
      target: join(target, child),
      depth: depth + 1,
      name: name === "" ? child : `${name}/${child}`,
    });
  }
}

async function copyLink({ source, target, depth, name }: Entry): Promise<void> {
  const to = await targetOf(source, name === "" ? source : name);
  // An entry directly in the root stands in no folder but it.
  if (depth === 0 || linkLeaves(to, depth - 1)) {
    throw new ArtifactError("invalid", `the link ${name === "" ? source : name} -> ${to} leaves the artifact`);
  }
  await symlink(to, target);
}
