/** Removes the containers that were kept of a place, for a process that runs none. */

import { join } from "node:path";
import { readRecords } from "../host/records.js";
import { namesIn, runFolders } from "../run-folders.js";
import { Cli } from "./cli.js";
import { containerDetails } from "./details.js";
import { directly } from "./direct-starter.js";
import { containerPrograms } from "./program.js";
import { removeOfPlace } from "./sweep.js";

/** `env` is the user's. Rejects with CommandError; a program that has none of them is not asked. */
export async function removeLeftContainers(podsFolder: string, env: Readonly<Record<string, string>>): Promise<void> {
  const runs = namesIn(podsFolder).flatMap((uid) => runFolders(join(podsFolder, uid)));
  const names = runs.flatMap(({ folder }) => containerDetails(readRecords(folder).start?.details)?.program ?? []);
  for (const name of new Set(names)) {
    const cli = new Cli({ program: containerPrograms[name], file: name, env, starter: () => directly });
    await removeOfPlace(cli, podsFolder);
  }
}
