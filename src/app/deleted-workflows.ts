/** What pods of deleted workflows left on the disk goes too: their logs, and the files that were kept. */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Workflow } from "../core/model/argo/workflow.js";
import type { Pod } from "../core/model/kube/pod.js";
import { pods, workflows } from "../core/model/resources.js";
import type { Client } from "../kube/client.js";
import type { PodEntry, PodNames } from "./pod-names.js";

export interface Remains {
  readonly client: Client;
  readonly names: PodNames;
  readonly podsFolder: string;
}

/** `nothing runs`: no pod can be at work yet. Otherwise only what was found by the look before is removed. */
export type Look = "nothing runs" | ReadonlySet<string>;

/**
 * Looks for pods without workflow and without object, and removes what they left. Answers the UIDs of those that it left
 * for the next look: their containers may still be ending, or a folder could not be removed.
 */
export async function clearDeleted({ client, names, podsFolder }: Remains, look: Look): Promise<ReadonlySet<string>> {
  if (names.entries.length === 0) return new Set();
  const [existing, there] = await Promise.all([client.list<Workflow>(workflows), client.list<Pod>(pods)]);
  const living = new Set([...existing.items, ...there.items].map(({ metadata }) => metadata.uid));
  const gone = names.entries.filter(
    ({ uid, workflow }) => workflow !== undefined && !living.has(workflow) && !living.has(uid),
  );
  const cleared: PodEntry[] = [];
  for (const entry of gone) {
    if (look !== "nothing runs" && !look.has(entry.uid)) continue;
    if (await removed(join(podsFolder, entry.uid))) cleared.push(entry);
  }
  names.forget(cleared);
  return new Set(gone.filter((entry) => !cleared.includes(entry)).map(({ uid }) => uid));
}

/** False for what is not ours to remove, such as files that a container's root left: it is tried again. */
async function removed(folder: string): Promise<boolean> {
  return rm(folder, { recursive: true, force: true }).then(
    () => true,
    () => false,
  );
}
