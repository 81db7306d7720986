/** A shell in a container that nobody runs any more, from what the host driver kept of it; nothing of it is started again. */

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { findIsolation, type IsolationOptions } from "./runtime/host/isolation.js";
import type { RunDetails } from "./runtime/host/plan-run.js";
import { readRecords } from "./runtime/host/records.js";
import { shellFor } from "./runtime/host/shell.js";
import type { ShellCommand } from "./runtime/port.js";

/** Of the container's newest run; undefined when its files are gone. `podFolder` is the pod's own, named by its UID. */
export async function storedShell(
  podFolder: string,
  containerName: string,
  isolation: IsolationOptions,
): Promise<ShellCommand | undefined> {
  const base = join(podFolder, "containers", containerName);
  const runs = (await readdir(base).catch(() => [])).map(Number).filter(Number.isInteger);
  if (runs.length === 0) return undefined;
  const folder = join(base, String(Math.max(...runs)));
  const { start } = readRecords(folder);
  // Written by this user's own runs into a folder that only this user can write.
  const details = start?.details as RunDetails | undefined;
  if (details === undefined) return undefined;
  return shellFor(await findIsolation(isolation), details, folder);
}
