/** Where the runs of a pod's containers keep their records and logs: `containers/<name>/<restart count>`. */

import { readdirSync } from "node:fs";
import { join } from "node:path";

export interface RunFolder {
  readonly name: string;
  readonly restartCount: number;
  readonly folder: string;
}

export function runFolder(podFolder: string, containerName: string, restartCount: number): string {
  return join(podFolder, "containers", containerName, String(restartCount));
}

/** By container, oldest run first. A pod has few, a new one none: at once takes less than the way to another thread. */
export function runFolders(podFolder: string): readonly RunFolder[] {
  return namesIn(join(podFolder, "containers")).flatMap((name) =>
    namesIn(join(podFolder, "containers", name))
      .map(Number)
      .filter(Number.isInteger)
      .toSorted((a, b) => a - b)
      .map((restartCount) => ({ name, restartCount, folder: runFolder(podFolder, name, restartCount) })),
  );
}

/** Of a folder that may not exist: none. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
