/** Checks of `when`: whether it can be read at all (Argo 4.1 behaviour 3.9, 10.11). */

import { evaluateWhen } from "../expr/when/index.js";
import { fieldPath } from "../model/path.js";
import type { Spot } from "./report.js";

/** Texts that tags may become: a condition that reads with neither reads with none. */
const STAND_INS = ["x", "1"];

export function checkWhen(when: string | undefined, path: string, spot: Spot): void {
  if (when === undefined || when === "" || when.length > 10_000) return;
  const faults = STAND_INS.map((text) => readFault(withStandIns(when, text)));
  const fault = faults[0];
  if (fault === undefined || faults.includes(undefined)) return;
  spot.tell({
    code: "bad-expression",
    path: fieldPath(path, "when"),
    message: `when cannot be read: ${fault}`,
    hint: 'compare as in "{{steps.a.outputs.result}}" == yes; join with && and ||',
  });
}

/** Tags inside tags go first. */
function withStandIns(when: string, text: string): string {
  let replaced = when;
  for (let before = ""; replaced !== before; ) {
    before = replaced;
    replaced = replaced.replace(/\{\{(?!=)[^{}]*\}\}/g, text);
  }
  return replaced.replace(/\{\{.*?\}\}/gs, text);
}

/** What is wrong with its form; what its values make of it only a run can tell. */
function readFault(when: string): string | undefined {
  const result = evaluateWhen(when);
  if (result.ok) return undefined;
  const match = /^(?:Invalid|Failed to parse) 'when' expression '/.exec(result.error);
  if (match === null) return undefined;
  return result.error.slice(match[0].length + when.length + "': ".length);
}
