/** Logs of a place's containers: of living pods from the kubelet, of those that are gone from their folders. */

import { join } from "node:path";
import type { LogOptions, PodRef } from "../cli/ports.js";
import { type Kubelet, type LogOptions as ReadOptions, storedLog } from "../cluster/kubelet/index.js";
import type { Pod } from "../core/model/kube/pod.js";
import { pods } from "../core/model/resources.js";
import type { Client } from "../kube/client.js";
import { ApiError, isNotFound } from "../kube/errors.js";
import type { PodNames } from "./pod-names.js";

export interface LogSources {
  readonly client: Client;
  readonly podsFolder: string;
  readonly names: PodNames;
  /** Undefined where nobody runs pods. */
  readonly kubelet: Kubelet | undefined;
}

/** Rejects with ApiError 404 when there never was such a container. */
export async function* placeLog(
  sources: LogSources,
  ref: PodRef,
  container: string,
  options: LogOptions,
): AsyncIterable<Uint8Array> {
  yield* await openLog(sources, ref, container, readOptionsOf(options));
}

async function openLog(
  { client, podsFolder, names, kubelet }: LogSources,
  ref: PodRef,
  container: string,
  options: ReadOptions,
): Promise<AsyncIterable<Uint8Array>> {
  const pod = kubelet === undefined ? undefined : await livePod(client, ref);
  if (pod !== undefined && kubelet !== undefined) {
    const known = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].some(({ name }) => name === container);
    if (known) return kubelet.readLog(pod, container, options);
  }
  const uid = pod?.metadata.uid ?? names.uidOf(ref);
  const stored = uid === undefined ? undefined : await storedLog(join(podsFolder, uid), container, options);
  if (stored !== undefined) return stored;
  throw new ApiError(404, "NotFound", `there is no log of container "${container}" of pod "${ref.name}"`);
}

async function livePod(client: Client, ref: PodRef): Promise<Pod | undefined> {
  try {
    return await client.get<Pod>(pods, ref);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function readOptionsOf({ follow, previous, tailLines, since, timestamps, signal }: LogOptions): ReadOptions {
  return {
    ...(follow !== undefined && { follow }),
    ...(previous !== undefined && { previous }),
    ...(tailLines !== undefined && { tailLines }),
    ...(since !== undefined && { sinceMs: since }),
    ...(timestamps !== undefined && { timestamps }),
    ...(signal !== undefined && { signal }),
  };
}
