import type { Position } from "../../core/std/problem.js";

/** `ci.yaml:61:5`, as editors and terminals take it. `nameOf`: how a file is named to the reader; left out: as it is. */
export function positionText({ file, line, column }: Position, nameOf = (name: string) => name): string {
  return `${nameOf(file)}:${line}:${column}`;
}
