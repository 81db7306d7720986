/** Removes a place of which nothing is at work. */

import { rm } from "node:fs/promises";
import { removeLeftContainers } from "../cluster/kubelet/index.js";
import { environment } from "./environment.js";
import { placePaths } from "./place-paths.js";

export async function removePlace(folder: string): Promise<void> {
  // First: which program has them is read from the folder. What is left all the same, the next run with it removes.
  await removeLeftContainers(placePaths(folder).pods, environment()).catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
}
