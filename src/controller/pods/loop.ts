/**
 * The pods' loop: one pod by UID, one intent, one worker, one conditional write. All triggers only put the pod's UID on
 * the queue; what is to become of it is decided anew from what is seen (design: the pod lifecycle).
 */

import type { Workflow } from "../../core/model/argo/workflow.js";
import type { Pod } from "../../core/model/kube/pod.js";
import { pods, workflows } from "../../core/model/resources.js";
import { type Disposition, dispositionOf, gatherFacts, type OwnerSighting, viewPod } from "../../core/podlife/index.js";
import { isConflict, isNotFound } from "../../kube/errors.js";
import { keyOf } from "../../kube/key.js";
import { done, type Outcome } from "../../kube/worker.js";
import type { PodPorts } from "./ports.js";
import type { Signalled } from "./signalled.js";
import { deleteByUid, dropFinalizer, hasOurFinalizer, release, repairLabels } from "./writes.js";

/** The least that Kubernetes calls graceful. */
const GRACE_USED_SECONDS = 1;
/** Decisions from a fresh read within one pass; then the queue's backoff takes over. */
const DECISIONS_MAX = 5;

/** Rejects when the API refuses or gives no answer: the key comes again, with growing pauses, until the end is seen. */
export async function podPass(ports: PodPorts, signalled: Signalled, uid: string): Promise<Outcome> {
  const cached = ports.caches.pod(uid);
  if (cached === undefined) {
    signalled.forget(uid);
    return done;
  }
  if (!ports.caches.isCurrent(pods, cached)) return done;
  let pod = cached;
  for (let decisions = 1; ; decisions++) {
    try {
      return await settle(ports, signalled, pod);
    } catch (error) {
      if (isNotFound(error)) return done;
      if (!isConflict(error) || decisions === DECISIONS_MAX) throw error;
    }
    const fresh = await readLive(ports, pod);
    if (fresh === undefined) return done;
    pod = fresh;
  }
}

async function settle(ports: PodPorts, signalled: Signalled, pod: Pod): Promise<Outcome> {
  return carryOut(ports, signalled, pod, await decide(ports, pod));
}

async function decide(ports: PodPorts, pod: Pod): Promise<Disposition> {
  const view = viewPod(pod);
  const sighting = await ownerOf(ports, pod, view.ownerUid);
  const node = sighting.kind === "seen" ? ports.runs.savedNode(sighting.workflow, view.nodeId) : undefined;
  return dispositionOf(
    gatherFacts(view, {
      sighting,
      node,
      template: undefined,
      hostLost: false,
      podGCDelayMs: ports.podGCDelayMs,
      now: ports.clock.now(),
    }),
  );
}

/** The cache shows it, or a live read by UID proves that it is gone: never an orphan by a cache alone (lessons A-08). */
async function ownerOf(ports: PodPorts, pod: Pod, ownerUid: string | undefined): Promise<OwnerSighting> {
  const name = pod.metadata.ownerReferences?.find((owner) => owner.uid === ownerUid)?.name;
  if (ownerUid === undefined || name === undefined) return { kind: "unseen" };
  const { namespace } = pod.metadata;
  const key = { ...(namespace !== undefined && { namespace }), name };
  const cached = ports.caches.workflow(key);
  if (cached?.metadata.uid === ownerUid) return { kind: "seen", workflow: cached };
  try {
    const live = await ports.client.get<Workflow>(workflows, key);
    return live.metadata.uid === ownerUid ? { kind: "seen", workflow: live } : { kind: "gone" };
  } catch (error) {
    if (isNotFound(error)) return { kind: "gone" };
    throw error;
  }
}

async function carryOut(ports: PodPorts, signalled: Signalled, pod: Pod, disposition: Disposition): Promise<Outcome> {
  // Pods may stay for long after their end: nothing is kept for them.
  if (disposition.kind !== "end-containers") signalled.forget(pod.metadata.uid ?? "");
  switch (disposition.kind) {
    case "keep":
      return keep(ports, pod, disposition);
    case "end-containers":
      return endContainers(ports, signalled, pod, disposition);
    case "release":
      return letGo(ports, pod, disposition.label);
    case "delete":
      return remove(ports, pod, disposition.notBefore);
  }
}

async function keep({ client }: PodPorts, pod: Pod, { repair, recheckAt }: Keeping): Promise<Outcome> {
  if (Object.keys(repair).length > 0) await repairLabels(client, pod, repair);
  return recheckAt === undefined ? done : { kind: "done", wakeAt: recheckAt };
}

/** A pod that is being deleted vanishes when it is let go. */
async function letGo(ports: PodPorts, pod: Pod, label: "completed" | "as-is"): Promise<Outcome> {
  const wait = pod.metadata.deletionTimestamp === undefined ? undefined : staying(ports);
  if (wait !== undefined) return wait;
  await release(ports.client, pod, label);
  return done;
}

async function remove(ports: PodPorts, pod: Pod, notBefore: number): Promise<Outcome> {
  const { client, clock } = ports;
  if (clock.now() < notBefore) return { kind: "done", wakeAt: notBefore };
  const wait = staying(ports);
  if (wait !== undefined) return wait;
  if (hasOurFinalizer(pod)) await dropFinalizer(client, pod);
  await deleteByUid(client, pod);
  return done;
}

export type Stay = Pick<PodPorts, "clock" | "podsStayUntil">;

/** While it stands, a create of an earlier leader that arrives late is refused (design law 7). */
export function staying({ clock, podsStayUntil }: Stay): Outcome | undefined {
  const leftMs = podsStayUntil - clock.monotonic();
  return leftMs > 0 ? { kind: "done", wakeAt: clock.now() + leftMs } : undefined;
}

type Keeping = Extract<Disposition, { readonly kind: "keep" }>;
type Ending = Extract<Disposition, { readonly kind: "end-containers" }>;

/** Signal, grace, then deletion, which the kubelet cannot ignore; our finalizer holds the pod until its end is saved. */
async function endContainers(ports: PodPorts, signalled: Signalled, pod: Pod, ending: Ending): Promise<Outcome> {
  const uid = pod.metadata.uid ?? "";
  const now = ports.clock.now();
  if (ports.signals === undefined || now >= ending.deleteAt) {
    const wait = staying(ports);
    if (wait !== undefined) return wait;
    // A grace that was given with the signal is not given once more; 0 would be a deletion that nobody waits for.
    await deleteByUid(ports.client, pod, signalled.has(uid) ? GRACE_USED_SECONDS : ending.graceSeconds);
    return done;
  }
  signalled.send(ports.signals, pod, ending.containers, () => ports.again(uid));
  return { kind: "done", wakeAt: ending.deleteAt };
}

async function readLive(ports: PodPorts, pod: Pod): Promise<Pod | undefined> {
  try {
    const live = await ports.client.get<Pod>(pods, keyOf(pod));
    return live.metadata.uid === pod.metadata.uid ? live : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
