/**
 * Frees every pod of our finalizer, whatever has been saved of it: before an uninstall, when no controller will come again
 * that could free them one by one.
 */

import type { Pod } from "../core/model/kube/pod.js";
import { pods } from "../core/model/resources.js";
import type { Client } from "../kube/client.js";
import { keyOf } from "../kube/key.js";
import { listAll } from "../kube/reflector/list-all.js";
import { patchOnConflict } from "../kube/update.js";
import { finalizersLeft, hasOurFinalizer } from "./pods/writes.js";

/** What became of one pod. */
export interface Released {
  /** As it was seen. */
  readonly pod: Pod;
  /** `freed`: by us, now. `gone`: it was free already, or is there no more. */
  readonly outcome: "freed" | "gone" | "refused";
  /** Why it was refused. */
  readonly error?: unknown;
}

/** Pods made while this runs are found too; a controller that goes on making them is not waited for. */
const ROUNDS_MAX = 3;

/**
 * Each write takes our finalizer alone, and only off the pod that was seen (UID and resourceVersion; decided again on a
 * conflict). One that is refused does not keep the others; rejects when the pods cannot be listed.
 */
export async function* releasePods(
  client: Client,
  options: { readonly namespace?: string } = {},
): AsyncIterable<Released> {
  const refused = new Set<string>();
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { items } = await listAll<Pod>(client, pods, options);
    const held = items.filter((pod) => hasOurFinalizer(pod) && !refused.has(pod.metadata.uid ?? ""));
    if (held.length === 0) return;
    for (const pod of held) {
      const released = await releasePod(client, pod);
      if (released.outcome === "refused") refused.add(pod.metadata.uid ?? "");
      yield released;
    }
  }
}

async function releasePod(client: Client, pod: Pod): Promise<Released> {
  try {
    const { outcome } = await patchOnConflict<Pod>(
      client,
      { type: pods, key: keyOf(pod) },
      (seen) =>
        hasOurFinalizer(seen)
          ? { type: "merge", body: { metadata: { finalizers: [...finalizersLeft(seen)] } } }
          : undefined,
      { from: pod },
    );
    return { pod, outcome: outcome === "written" ? "freed" : "gone" };
  } catch (error) {
    return { pod, outcome: "refused", error };
  }
}
