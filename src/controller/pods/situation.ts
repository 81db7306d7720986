/** All that is known of a pod before its end state is decided: its owner, its saved node, its twins, its machine. */

import { podFinalizer } from "../../core/model/argo/names.js";
import type { NodeStatus } from "../../core/model/argo/node.js";
import type { Workflow } from "../../core/model/argo/workflow.js";
import type { Pod } from "../../core/model/kube/pod.js";
import { isPodOver } from "../../core/model/kube/pod-phase.js";
import { workflows } from "../../core/model/resources.js";
import { gatherFacts, isRatherOf, type OwnerSighting, overdueAt, type PodView } from "../../core/podlife/index.js";
import { templateOfNode } from "../../core/template/index.js";
import type { ObjectKey } from "../../kube/client.js";
import { isNotFound } from "../../kube/errors.js";
import { viewOf } from "../pod-views.js";
import { withNodes } from "../stored-nodes.js";
import type { HostState } from "./hosts.js";
import type { PodPorts } from "./ports.js";

export interface Situation {
  readonly facts: ReturnType<typeof gatherFacts>;
  /** Of the pod's machine, where it may decide. */
  readonly host: HostState | undefined;
}

/**
 * The cache shows the owner and the node, or a live read by UID proves that they are not there: a pod is never an orphan
 * or surplus by a cache alone (lessons A-08). Rejects when the API gives no answer.
 */
export async function situationOf(ports: PodPorts, pod: Pod): Promise<Situation> {
  const view = viewOf(pod);
  const host = await hostOf(ports, view);
  const key = ownerKeyOf(pod, view.ownerUid);
  if (key === undefined) return { facts: factsOf(ports, view, { sighting: { kind: "unseen" }, host }), host };
  const cached = ports.caches.workflow(key);
  if (cached?.metadata.uid === view.ownerUid && cached !== undefined) {
    const node = ports.runs.savedNode(cached, view.nodeId);
    const facts = factsOf(ports, view, { sighting: { kind: "seen", workflow: cached }, node, host });
    if (facts.outcome !== "surplus") return { facts, host };
  }
  const sighting = await liveSighting(ports, key, view.ownerUid);
  const node = sighting.kind === "seen" ? sighting.workflow.status?.nodes?.[view.nodeId] : undefined;
  return { facts: factsOf(ports, view, { sighting, node, host }), host };
}

interface Seen {
  readonly sighting: OwnerSighting;
  readonly node?: NodeStatus | undefined;
  readonly host: HostState | undefined;
}

function factsOf(ports: PodPorts, view: PodView, { sighting, node, host }: Seen): Situation["facts"] {
  const isKnown = sighting.kind === "seen" && node !== undefined;
  return gatherFacts(view, {
    sighting,
    node,
    template: isKnown ? templateOfNode(sighting.workflow, node) : undefined,
    isTwin: hasRival(ports, view),
    hostLost: host?.kind === "lost",
    podGCDelayMs: ports.podGCDelayMs,
    now: ports.clock.now(),
  });
}

function hasRival({ caches }: PodPorts, view: PodView): boolean {
  if (view.ownerUid === undefined) return false;
  const isRival = (other: PodView): boolean =>
    other.retryGeneration === view.retryGeneration && isRatherOf(other, view);
  const pods = caches.podsOfNode(view.ownerUid, view.nodeId);
  return pods.some((pod) => pod.metadata.uid !== view.uid && isRival(viewOf(pod)));
}

function ownerKeyOf(pod: Pod, ownerUid: string | undefined): ObjectKey | undefined {
  const name = pod.metadata.ownerReferences?.find((owner) => owner.uid === ownerUid)?.name;
  const { namespace } = pod.metadata;
  if (ownerUid === undefined || name === undefined) return undefined;
  return { name, ...(namespace !== undefined && { namespace }) };
}

async function liveSighting(ports: PodPorts, key: ObjectKey, uid: string | undefined): Promise<OwnerSighting> {
  try {
    const live = withNodes(await ports.client.get<Workflow>(workflows, key));
    return live.metadata.uid === uid ? { kind: "seen", workflow: live } : { kind: "gone" };
  } catch (error) {
    if (isNotFound(error)) return { kind: "gone" };
    throw error;
  }
}

/** Whether its machine answers matters while we hold a pod that should have ended long ago. */
async function hostOf({ hosts, clock }: PodPorts, view: PodView): Promise<HostState | undefined> {
  const host = view.hostNodeName;
  if (hosts === undefined || host === undefined) return undefined;
  const isOverdue = clock.now() >= (overdueAt(view) ?? Number.POSITIVE_INFINITY);
  if (isOverdue && !isPodOver(view.phase) && view.finalizers.includes(podFinalizer))
    return hosts.stateOf(view.uid, host);
  hosts.forget(view.uid);
  return undefined;
}
