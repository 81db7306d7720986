/** The executor: what runs beside a step's containers, as images built into this program. */

import { openArchiver } from "../artifacts/index.js";
import type { BuiltinImages } from "../cluster/kubelet/builtin.js";
import { localProtocol } from "../core/podspec/index.js";
import { initImage } from "./init.js";
import type { ExecutorOptions } from "./options.js";
import { waitImage } from "./wait.js";

export type { ExecutorOptions } from "./options.js";

/** The images of the local layout, for the kubelet's table. */
export function executorImages(options: ExecutorOptions): BuiltinImages {
  const archiver = openArchiver(options.archiveWorker === undefined ? {} : { worker: options.archiveWorker });
  return new Map([
    [localProtocol.initImage, initImage(options, archiver)],
    [localProtocol.waitImage, waitImage(options, archiver)],
  ]);
}
