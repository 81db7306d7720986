/** A shell with what a container left, opened by a process that runs no containers. */

import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { PendingRequest } from "../host/helper-client.js";
import { readRecords } from "../host/records.js";
import type { ShellCommand } from "../port.js";
import { Cli, type CommandStarter, type ContainerRequestBody } from "./cli.js";
import { containerDetails } from "./details.js";
import { containerPrograms } from "./program.js";
import type { CommandReply } from "./protocol.js";
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
  const { start } = await readRecords(join(folder, String(Math.max(...runs))));
  const details = containerDetails(start?.details);
  if (details === undefined) return undefined;
  const program = containerPrograms[details.program];
  return shellIn(new Cli({ program, file: program.name, env, starter: () => directly }), details);
}

/** Programs as children of this process. */
const directly: CommandStarter = {
  begin<T>(body: ContainerRequestBody): PendingRequest<T> {
    if (body.op !== "command") throw new Error(`${body.op} needs a helper`);
    const [file = "", ...args] = body.argv;
    const reply = new Promise<CommandReply>((resolve) => {
      execFile(file, args, { env: body.env, timeout: body.timeoutMs }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : 127;
        resolve({ exitCode: code, stdout, stderr: stderr || (error?.message ?? ""), timedOut: error?.killed === true });
      });
    });
    // The answer to a command has this shape, whoever runs it.
    return { reply: reply as Promise<T>, cancel: () => undefined };
  },
};
