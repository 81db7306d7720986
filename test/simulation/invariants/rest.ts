/** I3 and I9: when nothing goes wrong any more, the world comes to rest: nothing is wanted, nothing is held. */

import { annotations, labels, podFinalizer } from "../../../src/core/model/argo/names.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";
import { workflows } from "../../../src/core/model/resources.js";
import {
  type Disposition,
  dispositionOf,
  gatherFacts,
  type OwnerSighting,
  type PodView,
  viewPod,
} from "../../../src/core/podlife/index.js";
import type { World } from "../world/world.js";

/** What still stands in the way of rest; empty at rest. */
export function unrest(world: World): readonly string[] {
  return [...world.truth.workflows().flatMap((workflow) => openWorkflow(workflow)), ...openPods(world)];
}

/** The same, as cheap as can be: asked after each step. */
export function isAtRest(world: World): boolean {
  return (
    world.truth.workflows().every((workflow) => openWorkflow(workflow).length === 0) && openPods(world).length === 0
  );
}

function openWorkflow(workflow: Workflow): readonly string[] {
  const { name, labels: own, deletionTimestamp } = workflow.metadata;
  if (deletionTimestamp !== undefined) {
    return [`workflow ${name} is still being deleted`];
  }
  if (own?.[labels.completed] === "true") return [];
  return [`workflow ${name} is ${workflow.status?.phase ?? "new"}: ${workflow.status?.message ?? ""}`];
}

function openPods(world: World): readonly string[] {
  const running = new Set(world.machine.running());
  const present = new Set<string>();
  const open = world.truth.pods().flatMap((pod) => {
    present.add(pod.metadata.uid ?? "");
    return openPod(world, pod);
  });
  const left = [...running].filter((uid) => !present.has(uid)).map((uid) => `containers of pod ${uid} run without it`);
  return [...open, ...left];
}

function openPod(world: World, pod: Pod): readonly string[] {
  const view = viewPod(pod);
  const hasEnded = view.phase === "Succeeded" || view.phase === "Failed";
  if (hasEnded && view.finalizers.includes(podFinalizer))
    return [`pod ${view.name} has ended, and our finalizer is on it`];
  if (view.deletionTimestamp !== undefined) return [`pod ${view.name} is still being deleted`];
  // A daemon that was orphaned on purpose runs on for ever, unless it has a deadline; anything else ends.
  const isDaemon = view.annotations[annotations.daemon] === "true" && pod.spec.activeDeadlineSeconds === undefined;
  if (!hasEnded && !isDaemon) return [`pod ${view.name} has not ended`];
  const wanted = wantedOf(world, view);
  const isRepaired = wanted.kind === "keep" && Object.keys(wanted.repair).length === 0;
  return isRepaired ? [] : [`pod ${view.name} should be: ${wanted.kind} (${wanted.row})`];
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
  return world.components
    .controllers()
    .map((controller) => controller.held())
    .filter((count) => count > 0)
    .map((count) => `a controller holds ${count} entries at rest`);
}
