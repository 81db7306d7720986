/** How to open a shell with the files, environment and working folder that a container had. */

import { lstat, unlink } from "node:fs/promises";
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
  await unlink(join(folder, "fs", "sandbox-error")).catch(() => undefined);
  return { file, args, env: details.env, cwd: details.enter.length > 0 ? "/" : details.cwd };
}
