/** Turns offsets in a text into lines and columns. */

import type { Position } from "../../std/problem.js";

export class LineTable {
  readonly #text: string;
  readonly #file: string;
  #starts: readonly number[] | undefined;

  constructor(text: string, file: string) {
    this.#text = text;
    this.#file = file;
  }

  /** The place of `start`, spanning to `end` or to the end of its line. */
  position(start: number, end: number): Position {
    const at = Math.max(0, Math.min(start, this.#text.length));
    const line = this.#lineAt(at);
    const lineStart = this.#lineStarts()[line] ?? 0;
    const length = Math.max(1, Math.min(end, this.#endOfLine(at)) - at);
    return { file: this.#file, line: line + 1, column: at - lineStart + 1, length };
  }

  #lineAt(offset: number): number {
    const starts = this.#lineStarts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #lineStarts(): readonly number[] {
    this.#starts ??= startsOf(this.#text);
    return this.#starts;
  }

  #endOfLine(offset: number): number {
    const end = this.#text.indexOf("\n", offset);
    const stop = end === -1 ? this.#text.length : end;
    return this.#text[stop - 1] === "\r" ? stop - 1 : stop;
  }
}

function startsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
