/** The user's containers: the step's own, and those beside and before them (Argo 4.1 behaviour 5.3, 5.4). */

import type { UserContainer } from "../../model/argo/template.js";
import type { Container } from "../../model/kube/pod.js";
import { type PodContext, type PodPart, withSpec } from "../context.js";

export const mainContainers: PodPart = (pod, { mains }) =>
  withSpec(pod, { containers: [...pod.spec.containers, ...mains] });

/** To be placed after whatever adds mounts to main: mirrorVolumeMounts copies them all. */
export const sidecars: PodPart = (pod, context) => {
  if (context.sidecars.length === 0) return pod;
  const added = context.sidecars.map((one) => asContainer(one, mountsOfMain(pod.spec.containers, context)));
  return withSpec(pod, { containers: [...pod.spec.containers, ...added] });
};

/** As {@link sidecars}; after the layout's own init containers. */
export const userInitContainers: PodPart = (pod, context) => {
  if (context.initContainers.length === 0) return pod;
  const mounts = mountsOfMain(pod.spec.containers, context);
  const added = context.initContainers.map((one) => asContainer(one, mounts));
  return withSpec(pod, { initContainers: [...(pod.spec.initContainers ?? []), ...added] });
};

type Mounts = NonNullable<Container["volumeMounts"]>;

function mountsOfMain(containers: readonly Container[], { mains }: PodContext): Mounts {
  const main = containers.find(({ name }) => name === mains[0]?.name);
  return main?.volumeMounts ?? [];
}

/** A path that the container mounts itself stays its own. */
function asContainer({ mirrorVolumeMounts, ...container }: UserContainer, mounts: Mounts): Container {
  if (mirrorVolumeMounts !== true) return container;
  const own = container.volumeMounts ?? [];
  const taken = new Set(own.map(({ mountPath }) => mountPath));
  return { ...container, volumeMounts: [...own, ...mounts.filter(({ mountPath }) => !taken.has(mountPath))] };
}
