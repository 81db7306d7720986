/** How to open a shell with the files, environment and working folder that a container had. */

import { lstat, truncate } from "node:fs/promises";
import { join } from "node:path";
import type { ShellCommand } from "../port.js";
import type { Machine } from "./machine.js";
import type { RunDetails } from "./plan-run.js";

/** Undefined when the container's files are gone. */
export async function shellFor(
  machine: Machine,
  details: RunDetails,
  folder: string,
): Promise<ShellCommand | undefined> {
  if ((await lstat(join(folder, "fs")).catch(() => undefined)) === undefined) return undefined;
  const [file = machine.tools.sh, ...args] = [...details.enter, machine.tools.sh, "-i"];
  // What was said to the container is not meant for the shell.
  await truncate(join(folder, "fs", "signalled")).catch(() => undefined);
  return { file, args, env: details.env, cwd: details.enter.length > 0 ? "/" : details.cwd };
}
