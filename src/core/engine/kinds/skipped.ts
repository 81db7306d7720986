/** What `when` says of a step or task: nothing where it runs, else the node that it gets instead (Argo 4.1 behaviour 3.9). */

import { evaluateWhen } from "../../expr/index.js";
import type { NewNode } from "../nodes/change.js";

/** `Skipped`; or an `Error` with the fault, where `when` cannot be evaluated. */
export function skippedBy(when = ""): NewNode | undefined {
  const evaluated = evaluateWhen(when);
  if (!evaluated.ok) return { type: "Skipped", phase: "Error", message: evaluated.error, nodeFlag: {} };
  if (evaluated.value) return undefined;
  return { type: "Skipped", phase: "Skipped", message: `when '${when}' evaluated false`, nodeFlag: {} };
}
