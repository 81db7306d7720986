/** A process that owns a pod and dies as by `kill -9` in the middle of it: for tests. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { readLog } from "../../src/cluster/kubelet/logs.js";
import { ContainerRuntime } from "../../src/cluster/kubelet/runtime/container/container-runtime.js";
import type { CrashTask } from "./crash.js";
import { systemClock as clock, setupOf } from "./pods.js";

const { options, pod, mounts, wanted } = JSON.parse(process.argv[2] ?? "{}") as CrashTask;
const runtime = new ContainerRuntime({ ...options, clock });
await runtime.start();
const folder = join(options.podsFolder, pod.metadata.uid ?? "");
await mkdir(folder, { recursive: true });
const handle = await runtime.openPod({ pod, folder });
const [container] = pod.spec.containers;
if (container === undefined) throw new Error("the pod has no container");
await handle.startContainer(setupOf(container, { mounts }));
const never = new Promise<void>(() => undefined);
for await (const part of readLog(handle.log(container.name), never, { follow: true })) {
  if (Buffer.from(part).toString().includes(wanted)) process.kill(process.pid, "SIGKILL");
}
