/** The engine: a workflow's next status is a function of what can be seen. */

export type {
  AdvanceInput,
  Change,
  CreateResult,
  Decision,
  Demand,
  DemandOutcome,
  Facts,
  Need,
  Run,
  TaskResultView,
} from "./contract.js";
export type { EngineLimits, EngineOptions } from "./options.js";
export { openRun } from "./run.js";
