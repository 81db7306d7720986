/** Reads files as a container saw them: through its mounts, its own layer, then the machine. */

import type { Stats } from "node:fs";
import { cp, lstat, mkdir, mkdtemp, readdir, readlink, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ExportedPath } from "../port.js";
import { normalPath, placesOf, type View } from "./view.js";

const MAX_LINKS = 40;

interface Found {
  /** In the container, without symbolic links. */
  readonly path: string;
  readonly hostPath: string;
  readonly info: Stats;
}

/** Follows symbolic links as inside the container; undefined when there is nothing. */
export async function findInView(view: View, path: string): Promise<Found | undefined> {
  let at: Found | undefined = await existing(view, "/");
  let pending = normalPath(path)
    .split("/")
    .filter((part) => part !== "");
  let links = 0;
  while (pending.length > 0) {
    const [name = "", ...rest] = pending;
    const here = at?.path ?? "/";
    const next: Found | undefined = await existing(view, here === "/" ? `/${name}` : `${here}/${name}`);
    if (next === undefined) return undefined;
    if (!next.info.isSymbolicLink()) {
      at = next;
      pending = rest;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) return undefined;
    const text = await readlink(next.hostPath);
    const target = normalPath(text.startsWith("/") ? text : `${here}/${text}`);
    at = await existing(view, "/");
    pending = [...target.split("/").filter((part) => part !== ""), ...rest];
  }
  return at;
}

async function existing(view: View, path: string): Promise<Found | undefined> {
  const { upper, lower } = placesOf(view, path);
  if (upper !== undefined) {
    const info = await lstat(upper).catch(() => undefined);
    if (info !== undefined) return isWhiteout(info) ? undefined : { path, hostPath: upper, info };
  }
  if (lower === undefined) return undefined;
  const info = await lstat(lower).catch(() => undefined);
  return info === undefined ? undefined : { path, hostPath: lower, info };
}

/** How overlayfs says "deleted": a character device 0/0. */
function isWhiteout(info: Stats): boolean {
  return info.isCharacterDevice() && info.rdev === 0;
}

/** A file or folder to read from; a folder that lies in two layers is put together in `scratch` first. */
export async function exportFromView(view: View, path: string, scratch: string): Promise<ExportedPath | undefined> {
  const found = await findInView(view, path);
  if (found === undefined) return undefined;
  const { upper, lower } = placesOf(view, found.path);
  if (!found.info.isDirectory() || upper === undefined || lower === undefined || !(await isFolder(lower))) {
    return { hostPath: found.hostPath, dispose: () => Promise.resolve() };
  }
  await mkdir(scratch, { recursive: true });
  const merged = await mkdtemp(join(scratch, "export-"));
  await cp(lower, merged, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  await mergeUpper(upper, merged);
  return { hostPath: merged, dispose: () => rm(merged, { recursive: true, force: true }) };
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}

async function mergeUpper(upper: string, into: string): Promise<void> {
  for (const name of await readdir(upper)) {
    const source = join(upper, name);
    const target = join(into, name);
    const info = await lstat(source);
    if (isWhiteout(info)) await rm(target, { recursive: true, force: true });
    else if (info.isDirectory() && (await isFolder(target))) await mergeUpper(source, target);
    else await cp(source, target, { recursive: true, force: true, verbatimSymlinks: true, preserveTimestamps: true });
  }
}
