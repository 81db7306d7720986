/** Processes of pods that the host driver runs: for tests. */

import { readdirSync, readFileSync } from "node:fs";

/** Their PIDs, of all containers of the pod. */
function processesOf(podUid: string): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`TIPHYS_RUN=${podUid}/`);
      } catch {
        return false;
      }
    });
}

/** Resolves when no process of the pod is left; the test's own timeout is the limit. */
export async function gone(podUid: string): Promise<void> {
  while (processesOf(podUid).length > 0) await new Promise((resolve) => setImmediate(resolve));
}
