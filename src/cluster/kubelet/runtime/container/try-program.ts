/** Finds out whether a container program runs containers here: by running one. */

import { Cli, CommandError } from "./cli.js";
import { labels } from "./context.js";
import { directly } from "./direct-starter.js";
import { ensurePauseImage, PAUSE_IMAGE } from "./pause-image.js";
import { type ContainerProgramName, containerPrograms } from "./program.js";
import { removeContainers } from "./remove-containers.js";

export interface ProgramTrial {
  readonly program: ContainerProgramName;
  readonly env: Readonly<Record<string, string>>;
  /** Of this machine, in Node's words. */
  readonly architecture: string;
  readonly timeoutMs: number;
  /**
   * A path that is there as long as this process: others that start leave the trial's container alone. One that was cut short
   * is swept by the next of them.
   */
  readonly processPath: string;
}

/** Undefined when it does; else why not, in the program's own words. Nothing is pulled for it. */
export async function tryContainers({
  program,
  env,
  architecture,
  timeoutMs,
  processPath,
}: ProgramTrial): Promise<string | undefined> {
  const cli = new Cli({ program: containerPrograms[program], file: program, env, starter: () => directly });
  try {
    await ensurePauseImage(cli, architecture);
    const label = ["--label", `${labels.place}=${processPath}`];
    const id = await cli.demand(["run", "--detach", "--pull", "never", ...label, PAUSE_IMAGE], { timeoutMs });
    // It ran; what is left of it is swept.
    await removeContainers(cli, [id]).catch(() => undefined);
    return undefined;
  } catch (error) {
    if (error instanceof CommandError) return error.message;
    throw error;
  }
}
