/** What people do to workflows, as functions from one Workflow to the next. */

export type { ParameterValue } from "./common.js";
export { isCompleted } from "./common.js";
export { type NodeSelector, parseNodeSelector } from "./node-selector.js";
export { podNameOfNode } from "./pod-names.js";
export { type ResubmitOptions, resubmit } from "./resubmit.js";
export { type Retried, type RetryOptions, retry } from "./retry.js";
export { type RetriedWithSpec, type RetrySpecOptions, retryWithSpec } from "./retry-spec.js";
export { type StopOptions, stop, terminate } from "./shutdown.js";
export { type SubmitOptions, submit, workflowFrom } from "./submit.js";
export { type ResumeOptions, resume, set, suspend } from "./suspend.js";
export type { NodeChange, SuspendedChange } from "./suspended.js";
