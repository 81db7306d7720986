/** Ends and removes containers at once, whatever state they are in. */

import { type Cli, CommandError } from "./cli.js";

/**
 * Of two processes that remove one container at once, podman gives one an error, and may leave it half removed; of several
 * in one command it may come to one whose network others use before it has removed those.
 */
const MAX_TRIES = 3;

/** What is gone already is as good as removed. Rejects with CommandError when some are left. */
export async function removeContainers(cli: Cli, idsOrNames: readonly string[]): Promise<void> {
  if (idsOrNames.length === 0) return;
  await killContainers(cli, idsOrNames);
  const args = ["rm", "--force", "--volumes", ...cli.program.removeFlags, ...idsOrNames];
  for (let tries = 1; ; tries++) {
    const reply = await cli.ask(args);
    if (reply.exitCode === 0 || isAllGone(reply.stderr)) return;
    if (tries === MAX_TRIES) throw new CommandError(cli.program.name, args, reply);
  }
}

/** `rm --force` of podman would ask them first, and wait ten seconds for an answer. */
export async function killContainers(cli: Cli, idsOrNames: readonly string[]): Promise<void> {
  // Those that do not run are complained about; the others are killed all the same.
  if (idsOrNames.length > 0) await cli.ask(["kill", "--signal", "KILL", ...idsOrNames]);
}

/** Also where another process is just removing it. */
function isAllGone(stderr: string): boolean {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  return lines.every((line) => /no such container|no container with name|already in progress/i.test(line));
}
