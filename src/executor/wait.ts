/** `tiphys.local/wait`: after main has ended, what it left is collected and reported. */

import type { Archiver } from "../artifacts/index.js";
import type { BuiltinImage } from "../cluster/kubelet/builtin.js";
import { messageOf } from "../core/std/message.js";
import { readEnvironment } from "./environment.js";
import { EXECUTOR_FAILED, type ExecutorOptions } from "./options.js";
import { collectOutputs } from "./outputs.js";
import { mainContainerName } from "./plan.js";
import { report } from "./report.js";

/**
 * When told to stop it goes on: main was told as well, and may still write its outputs; both are killed when the grace
 * period is over. Fails with exit code 64 and the first error: the node's `wait: Error (exit code 64): …`; what could be
 * collected is reported all the same, as complete.
 */
export function waitImage(options: ExecutorOptions, archiver: Archiver): BuiltinImage {
  return async (context) => {
    const environment = readEnvironment(context);
    await context.ended(mainContainerName);
    const { outputs, errors } = await collectOutputs({ context, environment, options, archiver });
    try {
      await report({ environment, outputs, options, signal: context.signal, killed: context.killed });
    } catch (error) {
      errors.push(messageOf(error));
    }
    const [first] = errors;
    if (first === undefined) return { exitCode: 0 };
    for (const message of errors) context.log(message);
    return { exitCode: EXECUTOR_FAILED, message: first };
  };
}
