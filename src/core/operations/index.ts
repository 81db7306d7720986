/** What people do to workflows, as functions from one Workflow to the next. */

export { parseNodeSelector } from "./node-selector.js";
export { podNameOfNode } from "./pod-names.js";
export { type Retried, type RetryOptions, retry } from "./retry.js";
export { retryWithSpec } from "./retry-spec.js";
export { stop, terminate } from "./shutdown.js";
export { type SubmitOptions, submit, workflowFrom } from "./submit.js";
export { resume, set, suspend } from "./suspend.js";
