/** Where places lie below the home folder, and making a new one. */

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "./make-folder.js";

export type PlaceKind = "run" | "up";

export function runsFolder(home: string): string {
  return join(home, "runs");
}

export function upFolder(home: string): string {
  return join(home, "up");
}

/** Where remote artifact stores are mapped to, shared by all runs. */
export function artifactsFolder(home: string): string {
  return join(home, "artifacts");
}

/** Makes the folder of a place, readable by this user only. */
export async function makePlaceFolder(home: string, kind: PlaceKind, uid: string): Promise<string> {
  const folder = kind === "up" ? upFolder(home) : join(runsFolder(home), uid);
  makeFolder(folder, 0o700);
  return folder;
}

/** The folders of all places; none when there is no home yet. */
export async function placeFolders(
  home: string,
): Promise<readonly { readonly folder: string; readonly kind: PlaceKind }[]> {
  const runs = await namesIn(runsFolder(home));
  const places = runs.map((name) => ({ folder: join(runsFolder(home), name), kind: "run" as const }));
  const up = (await namesIn(home)).includes("up") ? [{ folder: upFolder(home), kind: "up" as const }] : [];
  return [...up, ...places];
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
