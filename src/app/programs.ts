/** Programs on this machine's PATH. */

import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { join } from "node:path";

export interface FoundProgram {
  readonly name: string;
  readonly path: string;
}

/** The first that is there; undefined when none is. */
export async function findProgram(names: readonly string[]): Promise<FoundProgram | undefined> {
  const folders = (process.env["PATH"] ?? "").split(":").filter((folder) => folder !== "");
  for (const name of names) {
    for (const path of name.startsWith("/") ? [name] : folders.map((folder) => join(folder, name))) {
      if (await isExecutable(path)) return { name, path };
    }
  }
  return undefined;
}

/** A folder that may be entered is no program. */
async function isExecutable(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) return false;
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
