/** Checks of `when`: whether it can be read at all (Argo 4.1 behaviour 3.9, 10.11). */

import { evaluateWhen } from "../expr/when/index.js";
import { fieldPath } from "../model/path.js";
import type { Spot } from "./report.js";

/** Texts that tags may become: a condition that reads with neither reads with none. */
const STAND_INS = ["x", "1"];

export function checkWhen(when: string | undefined, path: string, spot: Spot): void {
  if (when === undefined || when === "" || when.length > 10_000) return;
  const faults = STAND_INS.map((text) => faultOf(withStandIns(when, text)));
  const fault = faults[0];
  if (fault === undefined || faults.includes(undefined)) return;
  if (fault.kind === "name") {
    spot.tell({
      code: "bad-expression",
      path: fieldPath(path, "when"),
      message: `when has no variable ${fault.text}`,
      hint: `a variable stands in braces: "{{${fault.text}…}}"; a text in quotes`,
    });
    return;
  }
  spot.tell({
    code: "bad-expression",
    path: fieldPath(path, "when"),
    message: `when cannot be read: ${fault.text}`,
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

interface WhenFault {
  /** `name`: it reads, and speaks of something that only braces would fill in. */
  readonly kind: "form" | "name";
  readonly text: string;
}

/** What is wrong with its form, or with names outside of tags; what its values make of it only a run can tell. */
function faultOf(when: string): WhenFault | undefined {
  const result = evaluateWhen(when);
  if (result.ok) return undefined;
  const form = /^(?:Invalid|Failed to parse) 'when' expression '/.exec(result.error);
  if (form !== null) return { kind: "form", text: result.error.slice(form[0].length + when.length + "': ".length) };
  const name = /: No parameter '(steps|tasks|inputs|workflow|item)' found\.$/.exec(result.error)?.[1];
  return name === undefined ? undefined : { kind: "name", text: name };
}
