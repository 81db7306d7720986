/** Texts that YAML reads otherwise than they are written: `1.10` is the number 1.1, `no` is false, `0123` is 83. */

import type { Problem } from "../../std/problem.js";
import type { SourceDocument } from "./document.js";

/** A warning for each; `madeText`: path -> the text that was made of a number or boolean there. */
export function rewordedProblems(
  madeText: ReadonlyMap<string, string>,
  document: Pick<SourceDocument, "writtenAt">,
): readonly Problem[] {
  return [...madeText].flatMap(([path, text]): readonly Problem[] => {
    const written = document.writtenAt(path);
    if (written === undefined || written === text) return [];
    const message = `${path}: ${written} is read as ${text}`;
    return [
      { code: "bad-value", severity: "warning", path, message, hint: `to keep it as it is written: "${written}"` },
    ];
  });
}
