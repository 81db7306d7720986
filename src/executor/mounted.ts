/** Whether a path of main lies in one of its volumes. */

import type { BuiltinContext } from "../cluster/kubelet/builtin.js";
import { cleanPath, mainContainerName } from "./plan.js";

export function isMounted(path: string, { pod }: BuiltinContext): boolean {
  const main = pod.spec.containers.find(({ name }) => name === mainContainerName);
  return (main?.volumeMounts ?? []).some(({ mountPath }) => {
    const base = cleanPath(mountPath);
    return path === base || path.startsWith(base === "/" ? base : `${base}/`);
  });
}
