/** A shell with what a container had: in it while it runs, else in a copy of what it left. */

import type { ShellCommand } from "../port.js";
import { type Cli, CommandError } from "./cli.js";
import type { ContainerDetails } from "./details.js";
import { parseContainers } from "./inspect.js";

/** The best shell that the image has. */
const SHELL = ["sh", "-c", "if command -v bash >/dev/null 2>&1; then exec bash; else exec sh; fi"];

/** The name of the copy of a container's files. */
export function keptImage(id: string): string {
  return `localhost/tiphys-kept:${id.slice(0, 12)}`;
}

/** Undefined when the container is gone. Rejects with CommandError. */
export async function shellIn(cli: Cli, details: ContainerDetails): Promise<ShellCommand | undefined> {
  const args = ["container", "inspect", details.id];
  const reply = await cli.ask(args);
  const [facts] = parseContainers(reply.stdout);
  if (facts === undefined) {
    if (reply.exitCode === 0 || /no such|no container/i.test(reply.stderr)) return undefined;
    throw new CommandError(cli.program.name, args, reply);
  }
  if (facts.state === "running") return command(cli, ["exec", "--interactive", "--tty", details.id, ...SHELL], {});
  const image = keptImage(details.id);
  // It does not change any more: one copy is enough.
  if ((await cli.ask(["image", "inspect", image])).exitCode !== 0) await cli.demand(["commit", details.id, image]);
  const [entrypoint = "sh", ...words] = SHELL;
  return command(
    cli,
    [
      ...["run", "--rm", "--interactive", "--tty", "--pull", "never"],
      ...details.flags,
      ...["--entrypoint", entrypoint, image, ...words],
    ],
    details.env,
  );
}

function command(cli: Cli, args: readonly string[], env: Readonly<Record<string, string>>): ShellCommand {
  const [file = "", ...words] = cli.argv(args);
  return { file, args: words, env: { ...cli.env, ...env }, cwd: "/" };
}
