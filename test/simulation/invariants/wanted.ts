/** What is at work and wanted goes on: we do not delete it, do not label it completed, do not call its node lost. */

import { labels } from "../../../src/core/model/argo/names.js";
import type { NodeStatus } from "../../../src/core/model/argo/node.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";
import { pods, workflows } from "../../../src/core/model/resources.js";
import {
  assessGonePod,
  dispositionOf,
  gatherFacts,
  type OwnerSighting,
  retryGenerationOf,
  viewPod,
} from "../../../src/core/podlife/index.js";
import type { ChangedNode } from "../world/changed-nodes.js";
import type { DoneWrite } from "../world/network.js";
import type { World } from "../world/world.js";
import type { MakeInvariant } from "./invariant.js";

export const wantedStays: MakeInvariant = (world, fail) => ({
  committed: (write) => {
    const { process, type, verb, object } = write;
    if (!process.role.startsWith("controller") || type !== pods || object === undefined) return;
    const pod = object as Pod;
    if (verb === "delete" && isAtWork(world, pod))
      fail(`${process.name} deletes pod ${pod.metadata.name}, which is at work and wanted`);
    if (verb === "patch" && labelsCompleted(write) && isAtWork(world, pod))
      fail(`${process.name} labels pod ${pod.metadata.name} completed, which is at work and wanted`);
  },
  event: ({ type, after, nodes }) => {
    if (type !== workflows || after === undefined) return;
    for (const node of newlyLost(nodes)) {
      const pod = podOf(world, after as Workflow, node);
      if (pod !== undefined) fail(`node ${node.name} is lost, though its pod ${pod.metadata.name} is there`);
    }
  },
});

/** By the table of dispositions, from what is really so; that it has just been deleted put aside. */
function isAtWork(world: World, { metadata, ...rest }: Pod): boolean {
  const { deletionTimestamp: _, ...before } = metadata;
  const view = viewPod({ ...rest, metadata: before });
  const workflow = view.ownerUid === undefined ? undefined : world.truth.byUid<Workflow>(workflows, view.ownerUid);
  if (workflow === undefined) return false;
  const sighting: OwnerSighting = { kind: "seen", workflow };
  const node = workflow.status?.nodes?.[view.nodeId];
  const facts = { sighting, node, template: undefined, hostLost: false, podGCDelayMs: 5000, now: world.clock.now() };
  const wanted = dispositionOf(gatherFacts(view, facts));
  return wanted.kind === "keep" && wanted.why === "running";
}

function labelsCompleted({ body }: DoneWrite): boolean {
  const { metadata } = (body as { readonly body: Partial<Pod> }).body;
  return metadata?.labels?.[labels.completed] === "true";
}

const lostMessage = assessGonePod({ id: "", name: "", displayName: "", type: "Pod", phase: "Running" })?.message;

function newlyLost(changed: readonly ChangedNode[]): readonly NodeStatus[] {
  return changed.flatMap(({ was, is }) =>
    is !== undefined && is.message === lostMessage && was?.message !== lostMessage ? [is] : [],
  );
}

function podOf(world: World, workflow: Workflow, node: NodeStatus): Pod | undefined {
  const generation = retryGenerationOf(workflow);
  return world.truth.pods().find((pod) => {
    const view = viewPod(pod);
    const isOfNode = view.ownerUid === workflow.metadata.uid && view.nodeId === node.id;
    return isOfNode && (view.retryGeneration ?? generation) === generation;
  });
}
