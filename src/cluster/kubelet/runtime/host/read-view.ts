/** Reads files as a container saw them: through its mounts, its own layer, then the machine. */

import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { lstat, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ExportedPath } from "../port.js";
import { copyOrdinary } from "./copy-ordinary.js";
import { isBelow, normalPath, placesOf, type View } from "./view.js";

const MAX_LINKS = 40;

interface Found {
  /** In the container, without symbolic links. */
  readonly path: string;
  readonly hostPath: string;
  readonly info: Stats;
}

/** Follows symbolic links as inside the container; undefined when there is nothing. A few short calls: not worth a thread. */
export function findInView(view: View, path: string): Found | undefined {
  let way = begin(view, normalPath(path));
  for (let links = 0; way.pending.length > 0; ) {
    const [name = "", ...rest] = way.pending;
    const here = way.at?.path ?? "/";
    const next = existing(view, here === "/" ? `/${name}` : `${here}/${name}`);
    if (next === undefined) return undefined;
    if (!next.info.isSymbolicLink()) {
      way = { at: next, pending: rest };
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) return undefined;
    const text = readlinkSync(next.hostPath);
    way = begin(view, normalPath([text.startsWith("/") ? text : `${here}/${text}`, ...rest].join("/")));
  }
  return way.at;
}

interface Way {
  readonly at: Found | undefined;
  readonly pending: readonly string[];
}

/** At the mount that the path lies in, if any: what leads there need not exist any more. */
function begin(view: View, path: string): Way {
  const base = [...view.mounts.map((one) => one.path), ...view.moved.map((one) => one.from)]
    .filter((one) => isBelow(path, one))
    .toSorted((a, b) => b.length - a.length)[0];
  const rest = base === undefined ? path : path.slice(base.length);
  return { at: existing(view, base ?? "/"), pending: rest.split("/").filter((part) => part !== "") };
}

function existing(view: View, path: string): Found | undefined {
  const { upper, lower } = placesOf(view, path);
  if (upper !== undefined) {
    const info = infoOf(upper);
    if (info !== undefined) return isWhiteout(info) ? undefined : { path, hostPath: upper, info };
  }
  if (lower === undefined) return undefined;
  const info = infoOf(lower);
  return info === undefined ? undefined : { path, hostPath: lower, info };
}

/** Undefined also where this user may not look. */
function infoOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** How overlayfs says "deleted": a character device 0/0. */
function isWhiteout(info: Stats): boolean {
  return info.isCharacterDevice() && info.rdev === 0;
}

/** A file or folder to read from; a folder that lies in two layers is put together in `scratch` first. */
export async function exportFromView(view: View, path: string, scratch: string): Promise<ExportedPath | undefined> {
  const found = findInView(view, path);
  if (found === undefined) return undefined;
  const { upper, lower } = placesOf(view, found.path);
  if ([found.hostPath, lower].some((one) => one !== undefined && isBelow(scratch, one))) {
    throw new Error(
      `the folder ${path} is this machine's, with all that tiphys keeps in it: let the step write into one of its own`,
    );
  }
  if (!found.info.isDirectory() || upper === undefined || lower === undefined || !(await isFolder(lower))) {
    return { hostPath: found.hostPath, dispose: () => Promise.resolve() };
  }
  await mkdir(scratch, { recursive: true });
  const merged = await mkdtemp(join(scratch, "export-"));
  const dispose = (): Promise<void> => rm(merged, { recursive: true, force: true });
  try {
    await copyOrdinary(lower, merged);
    await mergeUpper(upper, merged);
  } catch (error) {
    await dispose();
    const name = misreadName(error);
    if (name === undefined) throw error;
    throw new Error(
      `the name of the file ${name} in ${path} is not UTF-8; rename it, or pack its folder into one file before (tar)`,
    );
  }
  return { hostPath: merged, dispose };
}

/** Of a file that is not there because its name, which is no text, was read as one; else undefined. */
function misreadName(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) return undefined;
  if (!("path" in error && typeof error.path === "string")) return undefined;
  const name = basename(error.path);
  return name.includes("\uFFFD") ? name : undefined;
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
    else await copyOrdinary(source, target);
  }
}
