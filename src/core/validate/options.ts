/** What validation is told, and what it answers. */

import type { Problem } from "../std/problem.js";
import type { ResourceFacts, ResourceNeed } from "../template/lookup.js";
import type { TimeZones } from "./time-zone.js";

/**
 * - `lint`: a file by itself; parameters of the workflow may get their values later (`argo lint`).
 * - `submit`, `run`: it is to run now, so all values must be there.
 */
export type ValidateMode = "lint" | "submit" | "run";

export interface ValidateOptions {
  /** Answers about WorkflowTemplates and ClusterWorkflowTemplates; undefined: not asked yet, null: there is none. */
  readonly facts: ResourceFacts;
  /** Default: `run` for a Workflow, `lint` for the others. */
  readonly mode?: ValidateMode;
  /** What decoding the resource left out; what is missing there is then no fault. Left out: nothing. */
  readonly unread?: readonly string[];
  /** Left out: names of time zones are not looked up. */
  readonly timeZones?: TimeZones;
}

export interface Validation {
  /** All there are, each with its path and a code, in the order in which Argo would come upon them. */
  readonly problems: readonly Problem[];
  /** Resources without which some was not looked at: answer them and ask again. */
  readonly needs: readonly ResourceNeed[];
  /** The first that Argo finds: what follows `invalid spec: ` in a workflow's message. */
  readonly argoError: string | undefined;
}
