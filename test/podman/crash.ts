/** A process of its own that runs a pod and is killed (-9) in the middle of it. */

import { spawn } from "node:child_process";
import type { ContainerRuntimeOptions } from "../../src/cluster/kubelet/runtime/container/container-runtime.js";
import type { Mount } from "../../src/cluster/kubelet/runtime/port.js";
import type { Pod } from "../../src/core/model/kube/pod.js";
import { bundledOwner } from "./bundles.js";

export interface CrashTask {
  readonly options: Omit<ContainerRuntimeOptions, "clock">;
  /** Its first container is run. */
  readonly pod: Pod;
  readonly mounts: readonly Mount[];
  /** What the container says before the process dies. */
  readonly wanted: string;
}

/** Resolves when the process is dead. */
export async function crash(task: CrashTask): Promise<void> {
  const child = spawn(process.execPath, [await bundledOwner(), JSON.stringify(task)], { stdio: "inherit" });
  await new Promise((resolve) => child.once("exit", resolve));
}
