/** The writes that carry out a disposition: each conditional on UID and resourceVersion, each naming only what is ours. */

import { labels, podFinalizer } from "../../core/model/argo/names.js";
import type { Pod } from "../../core/model/kube/pod.js";
import { pods } from "../../core/model/resources.js";
import type { Json } from "../../core/std/json.js";
import type { Client, ObjectKey } from "../../kube/client.js";
import { keyOf } from "../../kube/key.js";
import { deletePrecondition } from "../../kube/precondition.js";

/** Our finalizer and the completed label go in one write; other finalizers stay in their order. */
export function release(client: Client, pod: Pod, label: "completed" | "as-is"): Promise<Pod> {
  return patch(client, pod, {
    ...withoutOurFinalizer(pod),
    ...(label === "completed" && { labels: { [labels.completed]: "true" } }),
  });
}

export function dropFinalizer(client: Client, pod: Pod): Promise<Pod> {
  return patch(client, pod, withoutOurFinalizer(pod));
}

export function repairLabels(client: Client, pod: Pod, repaired: Readonly<Record<string, string>>): Promise<Pod> {
  return patch(client, pod, { labels: repaired });
}

/** With the pod's own grace unless `gracePeriodSeconds` says otherwise. */
export async function deletePod(client: Client, pod: Pod, gracePeriodSeconds?: number): Promise<void> {
  await client.delete(pods, keyOf(pod), {
    ...deletePrecondition(pod),
    propagationPolicy: "Background",
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
  });
}

export function hasOurFinalizer(pod: Pod): boolean {
  return pod.metadata.finalizers?.includes(podFinalizer) ?? false;
}

/** Others' finalizers, in their order. */
export function finalizersLeft(pod: Pod): readonly string[] {
  return (pod.metadata.finalizers ?? []).filter((name) => name !== podFinalizer);
}

function withoutOurFinalizer(pod: Pod): Readonly<Record<string, Json>> {
  return hasOurFinalizer(pod) ? { finalizers: [...finalizersLeft(pod)] } : {};
}

function patch(client: Client, pod: Pod, metadata: Readonly<Record<string, Json>>): Promise<Pod> {
  const { uid = "", resourceVersion = "" } = pod.metadata;
  const key: ObjectKey = keyOf(pod);
  return client.patch<Pod>(pods, key, { type: "merge", body: { metadata: { uid, resourceVersion, ...metadata } } });
}
