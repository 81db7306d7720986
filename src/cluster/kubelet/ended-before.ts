/** What a process that was killed had no time to clear away of pods that have ended. */

import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Pod } from "../../core/model/kube/pod.js";
import type { KubeletContext } from "./kubelet-context.js";
import { podFolder } from "./pod-setup.js";
import { START_RECORD } from "./runtime/host/protocol.js";
import { runFolders } from "./runtime/run-folders.js";

/** Whether the files of a pod that ended so stay, for whoever looks for the reason. */
export function keepsFiles({ keepFiles, hasFailed }: KubeletContext, pod: Pod): boolean {
  return keepFiles === "failed" ? hasFailed(pod) : keepFiles === "always";
}

/** Start records go with the files that a run leaves. */
export function isUncleared(context: KubeletContext, pod: Pod): boolean {
  if (context.runtime.files !== "disk" || keepsFiles(context, pod)) return false;
  const folder = podFolder(context, pod);
  return existsSync(folder) && runFolders(folder).some((run) => existsSync(join(run.folder, START_RECORD)));
}

/** Never rejects. */
export async function clearEnded(context: KubeletContext, pod: Pod): Promise<void> {
  const folder = podFolder(context, pod);
  try {
    const handle = await context.runtime.openPod({ pod, folder });
    await handle.remove();
    await rm(join(folder, "volumes"), { recursive: true, force: true });
  } catch (error) {
    context.onError(error, pod);
  }
}
