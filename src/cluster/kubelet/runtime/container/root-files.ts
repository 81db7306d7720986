/** Files that root made in a container: removed, or given back to the user, by somebody who may. */

import { existsSync } from "node:fs";
import { removeTree } from "../host/remove-tree.js";
import { type Cli, CommandError } from "./cli.js";
import type { ContainerMachine, FileOwner } from "./context.js";
import { ensurePauseImage, PAUSE_IMAGE } from "./pause-image.js";

/** The machine's own programs, lent to a container that has none. */
const LENT = ["/bin", "/usr", "/lib", "/lib64"] as const;

export interface RootFilesOptions {
  readonly cli: Cli;
  readonly machine: () => Promise<ContainerMachine>;
  /** Undefined: this process is root, or the system has no such thing as owners. */
  readonly user: FileOwner | undefined;
}

export class RootFiles {
  readonly #options: RootFilesOptions;

  constructor(options: RootFilesOptions) {
    this.#options = options;
  }

  /** What is gone already is no matter. Rejects when neither we nor a container may remove them. */
  async remove(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      try {
        await removeTree(path);
      } catch (error) {
        if (this.#options.user === undefined) throw error;
        await this.#asRoot(["/bin/rm", "-rf", "--", path], [path]);
      }
    }
  }

  /** What root made in these folders since then; nothing happens where nothing is to be done, or cannot be. */
  async giveBack(folders: readonly string[], since: number): Promise<void> {
    const { user, cli } = this.#options;
    if (user === undefined) return;
    const roots = ["-xdev", "-uid", "0", "-newerct", `@${Math.floor(since / 1000)}`];
    for (const folder of folders) {
      const found = await cli.runProgram(["find", folder, ...roots, "-print", "-quit"]).catch(() => undefined);
      // What cannot be looked into is root's as well.
      if (found === undefined || (found.stdout === "" && !/permission denied/i.test(found.stderr))) continue;
      const owner = `${user.uid}:${user.gid}`;
      await this.#asRoot(["/usr/bin/find", folder, ...roots, "-exec", "chown", "-h", owner, "{}", "+"], [folder]);
    }
  }

  /** In a container with the machine's programs and these paths' parents; without root podman has its own way. */
  async #asRoot(argv: readonly string[], paths: readonly string[]): Promise<void> {
    const { cli } = this.#options;
    const reply =
      cli.program.name === "podman"
        ? await cli.run(["unshare", ...argv])
        : await cli.run(await this.#containerOf(argv, paths));
    if (reply.exitCode !== 0) throw new CommandError(cli.program.name, argv, reply);
  }

  async #containerOf(argv: readonly string[], paths: readonly string[]): Promise<readonly string[]> {
    const { cli, machine } = this.#options;
    await ensurePauseImage(cli, (await machine()).architecture);
    const lent = LENT.filter((path) => existsSync(path)).flatMap((path) => ["--volume", `${path}:${path}:ro`]);
    const shown = paths.map((path) => path.slice(0, path.lastIndexOf("/")) || "/");
    const [program = "", ...args] = argv;
    return [
      ...["run", "--rm", "--pull", "never", "--network", "none", "--user", "0:0", "--security-opt", "label=disable"],
      ...lent,
      ...shown.flatMap((path) => ["--mount", `type=bind,source=${path},target=${path}`]),
      ...["--entrypoint", program, PAUSE_IMAGE, ...args],
    ];
  }
}
