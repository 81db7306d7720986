/**
 * The pods' loop: one pod by UID, one intent, one worker, one conditional write. All triggers only put the pod's UID on
 * the queue; what is to become of it is decided anew from what is seen (design: the pod lifecycle).
 */

import type { Pod } from "../../core/model/kube/pod.js";
import { pods } from "../../core/model/resources.js";
import { type Disposition, dispositionOf } from "../../core/podlife/index.js";
import { momentAfter } from "../../kube/clock.js";
import { isConflict, isNotFound } from "../../kube/errors.js";
import { keyOf } from "../../kube/key.js";
import { done, type Outcome } from "../../kube/worker.js";
import type { HostState } from "./hosts.js";
import type { PodPorts } from "./ports.js";
import type { Signalled } from "./signalled.js";
import { situationOf } from "./situation.js";
import { deletePod, dropFinalizer, hasOurFinalizer, release, repairLabels } from "./writes.js";

/** The least that Kubernetes calls graceful. */
const GRACE_USED_SECONDS = 1;
const TELL_AGAIN_MS = 10_000;
/** Decisions from a fresh read within one pass; then the queue's backoff takes over. */
const DECISIONS_MAX = 5;

/** Rejects when the API refuses or gives no answer: the key comes again, with growing pauses, until the end is seen. */
export async function podPass(ports: PodPorts, signalled: Signalled, uid: string): Promise<Outcome> {
  const cached = ports.caches.pod(uid);
  if (cached === undefined) {
    signalled.forget(uid);
    ports.hosts?.forget(uid);
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
  const { facts, host } = await situationOf(ports, pod);
  const disposition = dispositionOf(facts);
  if (facts.outcome === "surplus" && disposition.kind !== "keep") ports.tell.surplus(pod);
  return askAgain(ports, host, await carryOut(ports, signalled, pod, disposition));
}

/** A machine that falls silent sends no event. */
function askAgain({ clock }: PodPorts, host: HostState | undefined, outcome: Outcome): Outcome {
  if (host?.kind !== "answers" || outcome.kind !== "done") return outcome;
  return {
    kind: "done",
    wakeAt: Math.min(outcome.wakeAt ?? Number.POSITIVE_INFINITY, momentAfter(clock, host.againMs)),
  };
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

async function keep(ports: PodPorts, pod: Pod, { why, repair, recheckAt }: Keeping): Promise<Outcome> {
  if (Object.keys(repair).length > 0) await repairLabels(ports.client, pod, repair);
  if (why === "node-lost") {
    ports.tell.hostLost(pod);
    // A run that is opened anew before it is saved has to be told again.
    return { kind: "done", wakeAt: momentAfter(ports.clock, TELL_AGAIN_MS) };
  }
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
  await deletePod(client, hasOurFinalizer(pod) ? await dropFinalizer(client, pod) : pod);
  return done;
}

export type Stay = Pick<PodPorts, "clock" | "podsStayUntil">;

/** While it stands, a create of an earlier leader that arrives late is refused (design law 7). */
export function staying({ clock, podsStayUntil }: Stay): Outcome | undefined {
  const leftMs = podsStayUntil - clock.monotonic();
  return leftMs > 0 ? { kind: "done", wakeAt: momentAfter(clock, leftMs) } : undefined;
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
    await deletePod(ports.client, pod, signalled.has(uid) ? GRACE_USED_SECONDS : ending.graceSeconds);
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
