/** What a pod still tells after its node was settled from outside: its exit code, and how it really ended. */

import type { NodeId, NodeStatus } from "../model/argo/node.js";
import { isPodOver } from "../model/kube/pod-phase.js";
import { assessPod, isLostWithHost, type PodView } from "../podlife/index.js";
import { isFromOutside } from "./from-outside.js";
import { updateNode } from "./nodes/change.js";
import { isUnsuccessful } from "./nodes/phases.js";
import type { Pass } from "./pass.js";

/**
 * Takes up the end of pods whose nodes a shutdown, a deadline or the end of what is around them has failed: before this
 * pass, to be asked for at its beginning; or in it, when the pod's end was known, to be asked for again at its end.
 */
export function takeLateEnds(pass: Pass): void {
  for (const id of new Set([...pass.observations.news, ...pass.nodes.changes().keys()])) takeLateEnd(pass, id);
}

function takeLateEnd(pass: Pass, id: NodeId): void {
  const node = pass.nodes.get(id);
  const view = pass.observations.pods.get(id);
  if (node?.type !== "Pod" || !isUnsuccessful(node) || isLostWithHost(node)) return;
  if (hasEnded(view) && !isLeftBehind(view, node)) takeEnd(pass, node, view);
}

function takeEnd(pass: Pass, node: NodeStatus, view: PodView): void {
  const { message: said = "" } = node;
  const isOutside = isFromOutside(said);
  if (!isOutside && node.outputs?.exitCode !== undefined) return;
  const context = { node, template: undefined, taskResult: undefined, includeResult: false, now: pass.now };
  const { exitCode, message, resourcesDuration } = assessPod(view, context);
  updateNode(pass, node, {
    ...(exitCode === undefined ? {} : { outputs: { ...node.outputs, exitCode } }),
    ...(isOutside && node.phase === "Failed" ? { message: message ?? said } : {}),
    ...(resourcesDuration === undefined ? {} : { resourcesDuration }),
  });
}

/** It was to be made again, and the node had nothing more to do with it before it was settled. */
export function isLeftBehind(view: PodView, { restartingPodUID }: NodeStatus): boolean {
  return view.uid === restartingPodUID;
}

export function hasEnded(view: PodView | undefined): view is PodView {
  return isPodOver(view?.phase);
}
