/** What tags and expressions may name: dotted variable names and their values (Argo 4.1 behaviour 4.4, 4.5). */

import type { Json } from "../std/json.js";

/**
 * A variable's value. Text for nearly all of them; `null` for an absent optional (an output of a skipped or omitted
 * node without a default); an object for an artifact.
 */
export type ScopeValue = Json;

/** Variables by dotted name, such as `inputs.parameters.message` or `steps.a.outputs.result`. */
export type Scope = ReadonlyMap<string, ScopeValue>;

/** Time and chance, which expressions may use but not fetch. */
export interface ExprContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** From workflow UID and node name; the same seed gives the same random text when a pass is repeated. */
  readonly seed: string;
}
