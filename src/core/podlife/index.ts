/** The pod lifecycle as tables of rules, from what is seen of a pod to one answer. Nothing here deletes anything. */

export { type Disposition, dispositionOf } from "./disposition.js";
export { explainDisposition, type FailedTry } from "./explain.js";
export { cleanupFailedReason, cleanupFailedText, readCleanupFailed } from "./failed-try.js";
export { isPodOfDoneStep, wasOnlyEnded } from "./failure.js";
export { gatherFacts } from "./gather.js";
export { currentRunOf, generationIn, isOfEarlierRun, retryGenerationOf, type WorkflowRun } from "./generation.js";
export { assessGonePod, isLostWithHost } from "./lost.js";
export { assessPod, type PodAssessment } from "./outcome.js";
export { restartOf } from "./restart.js";
export { concernsNode, significantChange } from "./significant.js";
export { decidesPods, isSettled, type OwnerSighting, overdueAt } from "./situation.js";
export { expectsTaskResult } from "./task-result.js";
export { isRatherOf } from "./twins.js";
export type { PodView } from "./view.js";
export { viewPod } from "./view-of.js";
