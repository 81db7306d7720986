/** I3 and I9: when nothing goes wrong any more, the world comes to rest: nothing is wanted, nothing is held. */

import { viewOf } from "../../../src/controller/pod-views.js";
import { ttlDueAt } from "../../../src/controller/ttl.js";
import { claimsLeftOf } from "../../../src/core/engine/index.js";
import { annotations, labels, podFinalizer } from "../../../src/core/model/argo/names.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";
import { pods, workflows } from "../../../src/core/model/resources.js";
import {
  type Disposition,
  dispositionOf,
  gatherFacts,
  type OwnerSighting,
  type PodView,
} from "../../../src/core/podlife/index.js";
import type { World } from "../world/world.js";

/** What still stands in the way of rest; empty at rest. */
export function unrest(world: World): readonly string[] {
  return [...reasons(world)];
}

/** Asked after each step: the first reason is enough. */
export function isAtRest(world: World): boolean {
  return reasons(world).next().done === true;
}

function* reasons(world: World): Generator<string, void> {
  for (const workflow of world.truth.workflows()) {
    const reason = openWorkflow(workflow);
    if (reason !== undefined) yield reason;
  }
  for (const pod of world.truth.pods()) {
    const reason = openPod(world, pod);
    if (reason !== undefined) yield reason;
  }
  for (const uid of world.machine.running())
    if (world.truth.byUid(pods, uid) === undefined) yield `containers of pod ${uid} run without it`;
  yield* world.components.behind();
}

function openWorkflow(workflow: Workflow): string | undefined {
  const { name, labels: own, deletionTimestamp } = workflow.metadata;
  if (deletionTimestamp !== undefined) return `workflow ${name} is still being deleted`;
  if (own?.[labels.completed] !== "true")
    return `workflow ${name} is ${workflow.status?.phase ?? "new"}: ${workflow.status?.message ?? ""}`;
  if (claimsLeftOf(workflow).length > 0) return `workflow ${name} has claims to give back`;
  if (ttlDueAt(workflow) !== undefined) return `workflow ${name} is to be deleted in time`;
  return undefined;
}

function openPod(world: World, pod: Pod): string | undefined {
  const { name, finalizers, deletionTimestamp } = pod.metadata;
  const phase = pod.status?.phase;
  const hasEnded = phase === "Succeeded" || phase === "Failed";
  if (hasEnded && finalizers?.includes(podFinalizer)) return `pod ${name} has ended, and our finalizer is on it`;
  if (deletionTimestamp !== undefined) return `pod ${name} is still being deleted`;
  if (!hasEnded && !(mayRunOn(pod) && isAlive(world, pod))) return `pod ${name} has not ended`;
  const wanted = wantedOf(world, viewOf(pod));
  const isRepaired = wanted.kind === "keep" && Object.keys(wanted.repair).length === 0;
  return isRepaired ? undefined : `pod ${name} should be: ${wanted.kind} (${wanted.row})`;
}

/** A daemon that was orphaned on purpose runs on for ever, once it runs, unless it has a deadline; anything else ends. */
function mayRunOn({ metadata, spec, status }: Pod): boolean {
  const isDaemon = metadata.annotations?.[annotations.daemon] === "true";
  return isDaemon && spec.activeDeadlineSeconds === undefined && status?.phase === "Running";
}

/** The API may not know yet that it died with its kubelet. */
function isAlive(world: World, { metadata }: Pod): boolean {
  return world.machine.running().includes(metadata.uid ?? "");
}

/** By the table of dispositions, from what is really so. */
function wantedOf(world: World, view: PodView): Disposition {
  const workflow = view.ownerUid === undefined ? undefined : world.truth.byUid<Workflow>(workflows, view.ownerUid);
  const sighting: OwnerSighting = workflow === undefined ? { kind: "gone" } : { kind: "seen", workflow };
  const node = workflow?.status?.nodes?.[view.nodeId];
  const facts = { sighting, node, template: undefined, hostLost: false, podGCDelayMs: 5000, now: world.clock.now() };
  return dispositionOf(gatherFacts(view, facts));
}

/** What our processes keep in memory though nothing is left to do. */
export function held(world: World): readonly string[] {
  const kubelets = world.components.hosts.map(({ kubelet }) => kubelet).filter((one) => one !== undefined);
  const ofControllers = world.components
    .controllers()
    .map((controller) => ["a controller", controller.held()] as const);
  // A daemon that was orphaned on purpose is at work.
  const ofKubelets = kubelets
    .filter(({ running }) => running === 0)
    .map((kubelet) => ["the kubelet", kubelet.held()] as const);
  return [...ofControllers, ...ofKubelets]
    .filter(([, count]) => count > 0)
    .map(([who, count]) => `${who} holds ${count} entries at rest`);
}
