/** `tiphys.local/init`: before main begins, its script and its input artifacts are put in place. */

import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Archiver } from "../artifacts/index.js";
import type { BuiltinContext, BuiltinImage } from "../cluster/kubelet/builtin.js";
import { localProtocol } from "../core/podspec/index.js";
import { messageOf } from "../core/std/message.js";
import { type ExecutorEnvironment, readEnvironment } from "./environment.js";
import { loadInputs } from "./inputs.js";
import { EXECUTOR_FAILED, type ExecutorOptions } from "./options.js";

const SCRIPT_MODE = 0o755;

/** Fails with exit code 64 and the first error as its message: the node's `init: Error (exit code 64): …`. */
export function initImage(options: ExecutorOptions, archiver: Archiver): BuiltinImage {
  return async (context) => {
    const environment = readEnvironment(context);
    try {
      await stageScript(context, environment);
      await loadInputs({ context, environment, options, archiver });
      return { exitCode: 0 };
    } catch (error) {
      const message = messageOf(error);
      context.log(message);
      return { exitCode: EXECUTOR_FAILED, message };
    }
  };
}

async function stageScript(context: BuiltinContext, { template }: ExecutorEnvironment): Promise<void> {
  const source = template.script?.source ?? "";
  if (source === "") return;
  const file = join(context.volumePath(localProtocol.stagingVolume), "script");
  await writeFile(file, source);
  await chmod(file, SCRIPT_MODE);
}
