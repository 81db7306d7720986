/** A shell with what a container left, opened by a process that runs no containers. */

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readRecords } from "../host/records.js";
import type { ShellCommand } from "../port.js";
import { Cli } from "./cli.js";
import { containerDetails } from "./details.js";
import { directly } from "./direct-starter.js";
import { containerPrograms } from "./program.js";
import { shellIn } from "./shell.js";

/**
 * The newest run of the container; undefined when it was no container of docker or podman, or is gone. `podFolder` is
 * the pod's own, named by its UID; `env` is the user's. Rejects with CommandError.
 */
export async function storedContainerShell(
  podFolder: string,
  containerName: string,
  env: Readonly<Record<string, string>>,
): Promise<ShellCommand | undefined> {
  const folder = join(podFolder, "containers", containerName);
  const runs = (await readdir(folder).catch(() => [])).map(Number).filter(Number.isInteger);
  if (runs.length === 0) return undefined;
  const { start } = readRecords(join(folder, String(Math.max(...runs))));
  const details = containerDetails(start?.details);
  if (details === undefined) return undefined;
  const program = containerPrograms[details.program];
  return shellIn(new Cli({ program, file: program.name, env, starter: () => directly }), details);
}
