/** The engine: a workflow's next status is a function of what can be seen. Its face is told in contract.ts. */

export { claimsLeftOf } from "./claims.js";
export type { AdvanceInput, Change, Decision, Run } from "./contract.js";
export type { EngineOptions } from "./options.js";
export { openRun } from "./run.js";
