/** Logs of a place's containers: of living pods from the kubelet, of those that are gone from their folders. */

import { join } from "node:path";
import type { LogOptions, PodRef } from "../cli/ports.js";
import type { LogRequest } from "../cluster/apiserver/index.js";
import { type Kubelet, type LogOptions as ReadOptions, storedLog } from "../cluster/kubelet/index.js";
import { annotations } from "../core/model/argo/names.js";
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

/** Rejects with ApiError 404 when there never was such a container, 400 when it never ran before. */
export async function* placeLog(
  sources: LogSources,
  ref: PodRef,
  container: string,
  options: LogOptions,
): AsyncIterable<Uint8Array> {
  yield* await openLog(sources, ref, container, readOptionsOf(options));
}

/** What the API is asked for, `now` in milliseconds since the epoch. Rejects with ApiError before the first byte. */
export async function requestedLog(
  sources: LogSources,
  { namespace, pod: name, container, sinceMs, sinceSeconds, ...options }: LogRequest,
  now: number,
): Promise<AsyncIterable<Uint8Array>> {
  const ref = { namespace, name };
  const since = sinceSeconds === undefined ? sinceMs : now - sinceSeconds * 1000;
  const wanted = container ?? soleContainer(await sources.client.get<Pod>(pods, ref));
  return openLog(sources, ref, wanted, { ...options, ...(since !== undefined && { sinceMs: since }) });
}

/** Where none is named: the only one, else the one that the pod calls its default. Throws BadRequest. */
function soleContainer({ metadata, spec }: Pod): string {
  const names = spec.containers.map((one) => one.name);
  const name = names.length === 1 ? names[0] : metadata.annotations?.[annotations.defaultContainer];
  if (name !== undefined) return name;
  const choice = `choose one of: [${names.join(" ")}]`;
  throw new ApiError(400, "BadRequest", `a container name must be specified for pod ${metadata.name}, ${choice}`);
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
    if (known) {
      if (options.previous === true && restartsOf(pod, container) === 0) throw notPrevious(ref, container);
      return kubelet.readLog(pod, container, options);
    }
  }
  const uid = pod?.metadata.uid ?? names.uidOf(ref);
  const stored = uid === undefined ? undefined : await storedLog(join(podsFolder, uid), container, options);
  if (stored !== undefined) return stored;
  if (options.previous === true) throw notPrevious(ref, container);
  throw new ApiError(404, "NotFound", `there is no log of container "${container}" of pod "${ref.name}"`);
}

function restartsOf({ status }: Pod, container: string): number {
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  return statuses.find(({ name }) => name === container)?.restartCount ?? 0;
}

/** In the words of Kubernetes. */
function notPrevious({ name }: PodRef, container: string): ApiError {
  return new ApiError(400, "BadRequest", `previous terminated container "${container}" in pod "${name}" not found`);
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
