/** Readies a pod: its folder, its volumes, its sandbox, and what an earlier process left of it. */

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Pod } from "../../core/model/kube/pod.js";
import { persistentVolumeClaims } from "../../core/model/resources.js";
import { isNotFound } from "../../kube/errors.js";
import type { MissingConfig } from "./config-source.js";
import type { PodFacts } from "./downward.js";
import type { KubeletContext } from "./kubelet-context.js";
import { type PodHandle, PodRefusedError } from "./runtime/port.js";
import { runFolders } from "./runtime/run-folders.js";
import { makeVolume, VolumeError, type VolumeFolders } from "./volumes/disk.js";
import { planVolumes, type VolumePlan } from "./volumes/volume.js";

export interface ReadyPod {
  readonly kind: "ready";
  readonly handle: PodHandle;
  readonly volumes: readonly VolumePlan[];
}

export type SetupOutcome =
  | ReadyPod
  /** Something is not there yet; `missing`: what to wait for, else it is simply tried again. */
  | { readonly kind: "waiting"; readonly message: string; readonly missing?: MissingConfig }
  /** It can never run here. */
  | { readonly kind: "refused"; readonly reason: string; readonly message: string };

export function podFolder(context: KubeletContext, pod: Pod): string {
  return join(context.podsFolder, pod.metadata.uid ?? "");
}

export function volumeFolders(context: KubeletContext, pod: Pod): VolumeFolders {
  return {
    podFolder: podFolder(context, pod),
    claimsFolder: context.claimsFolder,
    namespace: pod.metadata.namespace ?? "",
  };
}

export function factsOf(context: KubeletContext, pod: Pod, podIP: string): PodFacts {
  return { pod, nodeName: context.nodeName, podIP, capacity: context.capacity };
}

/** Rejects only for what may be gone the next time: the API, the disk. */
export async function setUpPod(context: KubeletContext, pod: Pod): Promise<SetupOutcome> {
  const isMade = hasBegun(context, pod);
  const planned = await planVolumes(pod, {
    facts: factsOf(context, pod, "127.0.0.1"),
    source: context.source,
    isMade,
    claimExists: (namespace, name) => claimExists(context, namespace, name),
  });
  if (!planned.ok) {
    const fault = planned.error;
    if ("missing" in fault) return { kind: "waiting", message: fault.missing.message, missing: fault.missing };
    return { kind: "waiting", message: fault.message };
  }
  try {
    if (context.runtime.files === "disk" && !isMade) await makeFolders(context, pod, planned.value);
    const handle = await context.runtime.openPod({ pod, folder: podFolder(context, pod) });
    return { kind: "ready", handle, volumes: planned.value };
  } catch (error) {
    if (error instanceof PodRefusedError) return { kind: "refused", reason: error.reason, message: error.message };
    if (error instanceof VolumeError) return { kind: "waiting", message: error.message };
    throw error;
  }
}

/** Whether a container of it may have begun, by this process or an earlier one: then it was ready as a whole. */
export function hasBegun(context: KubeletContext, pod: Pod): boolean {
  const folder = podFolder(context, pod);
  // A new pod has no folder, and asking first is quicker than failing to read it.
  return context.runtime.files === "disk" && existsSync(folder) && runFolders(folder).length > 0;
}

async function makeFolders(context: KubeletContext, pod: Pod, volumes: readonly VolumePlan[]): Promise<void> {
  // At once: the way to another thread takes longer.
  mkdirSync(podFolder(context, pod), { recursive: true, mode: 0o700 });
  for (const volume of volumes) await makeVolume(volume, volumeFolders(context, pod));
}

async function claimExists(context: KubeletContext, namespace: string, name: string): Promise<boolean> {
  try {
    await context.client.get(persistentVolumeClaims, { namespace, name });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
