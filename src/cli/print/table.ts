/** Columns as kubectl and Argo print them: padded with blanks, the last one not. */

import { displayWidth, padEnd } from "./width.js";

/** Each row has as many cells as the first; `padding` blanks stand between columns. Lines end without blanks. */
export function table(rows: readonly (readonly string[])[], padding: number): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, displayWidth(cell));
  }
  return rows.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : padEnd(cell, (widths[index] ?? 0) + padding)))
      .join("")
      .trimEnd(),
  );
}
