/** The pod lifecycle as tables of rules, from what is seen of a pod to one answer. Nothing here deletes anything. */

export { type Disposition, dispositionOf } from "./disposition.js";
export type { KeepReason } from "./disposition-table.js";
export { type ExplainContext, explainDisposition, type FailedTry } from "./explain.js";
export type { DispositionFacts, OutcomeState, OwnerState } from "./facts.js";
export { type FactSources, gatherFacts } from "./gather.js";
export type { PodGCFacts, PodGCVerdict } from "./gc.js";
export { currentRunOf, isOfEarlierRun, retryGenerationOf, type WorkflowRun } from "./generation.js";
export { assessGonePod } from "./lost.js";
export {
  type AssessContext,
  assessPod,
  type PodAssessment,
  type Withheld,
} from "./outcome.js";
export { type Restart, type RestartPolicy, restartOf } from "./restart.js";
export { significantChange } from "./significant.js";
export type { OwnerSighting } from "./situation.js";
export {
  expectsTaskResult,
  type TaskResultFacts,
  type TaskResultState,
} from "./task-result.js";
export type { ContainerView, ContainerViewState, PodView } from "./view.js";
export { viewPod } from "./view-of.js";
