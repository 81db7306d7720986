/** The volumes a pod needs: the template's own, and those of the workflow that a container mounts (Argo 4.1 5.4). */

import type { Container, Pod, Volume } from "../../model/kube/pod.js";
import { err, ok, type Result } from "../../std/result.js";
import { type PodContext, type PodPart, withSpec } from "../context.js";
import type { PodRequest } from "../request.js";

export const referencedVolumes: PodPart = (pod, context) => addVolumes(pod, volumesOf(context));

/** `pod` with these volumes, each name once; the first of a name stays. */
export function addVolumes(pod: Pod, added: readonly Volume[]): Pod {
  const volumes = new Map((pod.spec.volumes ?? []).map((volume) => [volume.name, volume]));
  for (const volume of added) {
    if (!volumes.has(volume.name)) volumes.set(volume.name, volume);
  }
  return volumes.size === 0 ? pod : withSpec(pod, { volumes: [...volumes.values()] });
}

/** The name of a mount that nothing defines is an error of the workflow: Argo's words. */
export function checkMounts(context: PodContext): Result<PodContext> {
  const known = new Set(candidates(context.request).map(({ name }) => name));
  const unknown = mountedNames(context).find((name) => !known.has(name));
  return unknown === undefined ? ok(context) : err(`volume '${unknown}' not found in workflow spec`);
}

function volumesOf(context: PodContext): readonly Volume[] {
  const mounted = new Set(mountedNames(context));
  const own = context.request.template.volumes ?? [];
  const others = candidates(context.request).filter((volume) => mounted.has(volume.name));
  return [...own, ...others];
}

/** In the order in which a name is looked up. */
function candidates({ template, claims, spec }: PodRequest): readonly Volume[] {
  return [...(template.volumes ?? []), ...(spec.volumes ?? []), ...(claims ?? [])];
}

function mountedNames({ mains, sidecars, initContainers }: PodContext): readonly string[] {
  const containers: readonly Container[] = [...mains, ...initContainers, ...sidecars];
  return containers.flatMap((container) => [
    ...(container.volumeMounts ?? []).map(({ name }) => name),
    ...(container.volumeDevices ?? []).flatMap(({ name }) => (typeof name === "string" ? [name] : [])),
  ]);
}
