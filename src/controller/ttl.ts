/** Deleting finished workflows when their ttlStrategy says so, counted from saved facts (Argo 4.1 behaviour 3.26). */

import { labels } from "../core/model/argo/names.js";
import type { TTLStrategy, Workflow } from "../core/model/argo/workflow.js";
import { workflows } from "../core/model/resources.js";
import { msOfRfc3339 } from "../core/std/time.js";
import type { Client, ObjectKey } from "../kube/client.js";
import { isNotFound } from "../kube/errors.js";
import { deletePrecondition } from "../kube/precondition.js";
import { done, type Outcome } from "../kube/worker.js";
import type { Caches } from "./caches.js";
import { type Stay, staying } from "./pods/loop.js";

export interface TtlPorts extends Stay {
  readonly client: Client;
  readonly caches: Caches;
}

/** Argo waits a second longer, so that clocks that differ a little never delete too early. */
const SAFETY_MS = 1000;

/** When the workflow is to be deleted, milliseconds since the epoch; undefined: never, or not yet known. */
export function ttlDueAt(workflow: Workflow): number | undefined {
  const { metadata, status, spec } = workflow;
  const isOver = metadata.labels?.[labels.completed] === "true" && metadata.deletionTimestamp === undefined;
  if (!isOver || metadata.labels?.[labels.archivingStatus] === "Pending") return undefined;
  const finishedAt = msOfRfc3339(status?.finishedAt ?? "");
  const seconds = secondsOf(spec.ttlStrategy ?? status?.storedWorkflowTemplateSpec?.ttlStrategy, workflow);
  return finishedAt === undefined || seconds === undefined ? undefined : finishedAt + seconds * 1000 + SAFETY_MS;
}

/** `secondsAfterFailure` is for Failed alone; an Error counts as a completion. */
function secondsOf(strategy: TTLStrategy | undefined, { status }: Workflow): number | undefined {
  if (status?.phase === "Failed") return strategy?.secondsAfterFailure ?? strategy?.secondsAfterCompletion;
  if (status?.phase === "Succeeded") return strategy?.secondsAfterSuccess ?? strategy?.secondsAfterCompletion;
  return strategy?.secondsAfterCompletion;
}

/** Deletes just the object that was seen: a retry that comes between changes its resourceVersion (lessons A-19). */
export async function ttlPass(ports: TtlPorts, key: ObjectKey): Promise<Outcome> {
  const { client, clock, caches } = ports;
  const workflow = caches.workflow(key);
  const dueAt = workflow === undefined ? undefined : ttlDueAt(workflow);
  if (workflow === undefined || dueAt === undefined || !caches.isCurrent(workflows, workflow)) return done;
  if (clock.now() < dueAt) return { kind: "done", wakeAt: dueAt };
  // With the workflow go its pods.
  const wait = staying(ports);
  if (wait !== undefined) return wait;
  try {
    await client.delete(workflows, key, { ...deletePrecondition(workflow), propagationPolicy: "Background" });
  } catch (error) {
    // A conflict too is tried again: where nobody wrote, no event comes that would say so.
    if (!isNotFound(error)) throw error;
  }
  return done;
}
