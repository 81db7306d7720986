/** What a pod still tells after its node was settled from outside: its exit code, and how it really ended. */

import type { NodeId } from "../model/argo/node.js";
import { assessPod, type PodView } from "../podlife/index.js";
import { updateNode } from "./nodes/change.js";
import { isUnsuccessful } from "./nodes/phases.js";
import type { Pass } from "./pass.js";

const FROM_OUTSIDE = [/^workflow shutdown with strategy: /, /^Step exceeded its deadline$/];

/** Takes up the end of pods whose nodes a shutdown, a deadline or the end of the workflow had failed. */
export function takeLateEnds(pass: Pass): void {
  for (const id of pass.observations.news) takeLateEnd(pass, id);
}

function takeLateEnd(pass: Pass, id: NodeId): void {
  const node = pass.nodes.get(id);
  const view = pass.observations.pods.get(id);
  if (node?.type !== "Pod" || !isUnsuccessful(node) || !hasEnded(view)) return;
  const isFromOutside = FROM_OUTSIDE.some((text) => text.test(node.message ?? ""));
  if (!isFromOutside && node.outputs?.exitCode !== undefined) return;
  const context = { node, template: undefined, taskResult: undefined, includeResult: false, now: pass.now };
  const { exitCode, message, resourcesDuration } = assessPod(view, context);
  updateNode(pass, node, {
    ...(exitCode === undefined ? {} : { outputs: { ...node.outputs, exitCode } }),
    ...(isFromOutside && node.phase === "Failed" ? { message: message ?? node.message ?? "" } : {}),
    ...(resourcesDuration === undefined ? {} : { resourcesDuration }),
  });
}

function hasEnded(view: PodView | undefined): view is PodView {
  return view?.phase === "Succeeded" || view?.phase === "Failed";
}
