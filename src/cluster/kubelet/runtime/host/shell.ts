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
  const { sh } = machine.tools;
  const { enter, env } = details;
  // What was said to the container is not meant for the shell.
  await truncate(join(folder, "fs", "signalled")).catch(() => undefined);
  if (enter.length === 0) return { file: sh, args: ["-c", plain(sh), "sh"], env, cwd: details.cwd };
  return { file: sh, args: ["-c", OUTSIDE, "sh", ...enter, sh, "-c", inside(sh), "sh"], env, cwd: "/" };
}

/** People like bash; it need not read what the machine's owner keeps for his own. */
function best(sh: string): string {
  return `best=${sh}; command -v bash >/dev/null 2>&1 && best="bash --norc"`;
}

function plain(sh: string): string {
  return [best(sh), "[ -t 0 ] && exec $best -i", "exec $best"].join("\n");
}

/**
 * A shell makes its own process group the terminal's, and gives the terminal back to the group that had it. From inside a
 * PID namespace the group outside cannot be named: so a shell outside does it.
 */
const OUTSIDE = ['[ -t 0 ] || exec "$@"', "set -m", '"$@"', 'exit "$?"'].join("\n");

/**
 * And a shell inside is the one that had the terminal before. When it ends it fails to give it back, and says so with an exit
 * code of its own: what the person's shell ended with comes through a pipe.
 */
function inside(sh: string): string {
  const job = '$1 -i >&5 5>&-; code=$?; exec 2>/dev/null; echo "$code"';
  return [
    best(sh),
    "[ -t 0 ] || exec $best",
    "exec 5>&1",
    `code=$("${sh}" -m -c '${job}' sh "$best")`,
    'exit "${code:-1}"',
  ].join("\n");
}
