/** Turning what the caches show into changes for the engine. */

import type { Change, TaskResultView } from "../core/engine/contract.js";
import { labels } from "../core/model/argo/names.js";
import type { Workflow, WorkflowTaskResult } from "../core/model/argo/workflow.js";
import { generationIn, type PodView } from "../core/podlife/index.js";
import type { Caches } from "./caches.js";
import { viewOf } from "./pod-views.js";

/** Everything a fresh run has to be told: each pod and task result there is, and that there are no others. */
export function firstLook(caches: Caches, workflow: Workflow): readonly Change[] {
  const uid = workflow.metadata.uid ?? "";
  return [
    ...caches
      .taskResultsOf(uid)
      .map((result): Change => ({ kind: "task-result", result: viewTaskResult(result, "open") })),
    ...caches.podsOf(uid).map((pod): Change => ({ kind: "pod", view: viewOf(pod) })),
    { kind: "observed" },
  ];
}

/** Of a pod's event. With a deletion comes the last that was seen of the pod: that it ran, or how it ended. */
export function podChanges(type: "added" | "updated" | "deleted", view: PodView): readonly Change[] {
  const seen: Change = { kind: "pod", view };
  if (type !== "deleted") return [seen];
  const { nodeId, uid, retryGeneration, createdAt } = view;
  return [seen, { kind: "pod-gone", nodeId, uid, retryGeneration, createdAt }];
}

/** `finality`: whether anything more can come; a result that says it is complete always is final. */
export function viewTaskResult(result: WorkflowTaskResult, finality: "open" | "final"): TaskResultView {
  const completed = result.metadata.labels?.[labels.reportOutputsCompleted] === "true";
  return {
    nodeId: result.metadata.name ?? "",
    outputs: result.outputs,
    progress: result.progress,
    completed,
    final: completed || finality === "final",
    retryGeneration: generationIn(result.metadata),
    createdAt: result.metadata.creationTimestamp,
  };
}

/** What the engine is told when the pod ended and no result was ever reported. */
export function noTaskResult(nodeId: string, retryGeneration: number | undefined): TaskResultView {
  return { nodeId, outputs: undefined, progress: undefined, completed: false, final: true, retryGeneration };
}
