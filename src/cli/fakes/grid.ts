/** What a terminal of a given width shows after some text: newline, return, cursor up, clear to end, wrapping. */

/** The lines from the first ever written; colours dropped. */
export function shownLines(text: string, columns: number): readonly string[] {
  const rows: string[][] = [[]];
  let row = 0;
  let column = 0;
  const at = (): string[] => {
    rows[row] ??= [];
    return rows[row] ?? [];
  };
  for (const match of text.matchAll(/\x1b\[(\d*)([A-Za-z])|[\s\S]/g)) {
    const [whole, count, final] = match;
    if (final === "A") row = Math.max(0, row - Number(count || 1));
    else if (final === "J") {
      at().length = column;
      rows.length = row + 1;
    } else if (whole === "\n") [row, column] = [row + 1, 0];
    else if (whole === "\r") column = 0;
    else if (final === undefined) {
      if (column >= columns) [row, column] = [row + 1, 0];
      at()[column] = whole;
      column += 1;
    }
  }
  return Array.from(rows, (cells) => cells ?? []).map((cells) => Array.from(cells, (cell) => cell ?? " ").join(""));
}
