/** A line of a file with the faulty part marked below it. */

import type { Style } from "./style.js";
import { displayWidth, truncate } from "./width.js";

export interface Excerpt {
  /** The line as it stands in the file. */
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 code units. */
  readonly column: number;
  /** Columns that the fault spans; at least 1. */
  readonly length: number;
}

const NUMBER_WIDTH = 4;
/** Text left of the fault that a cut line still shows. */
const CONTEXT = 24;

/** The gutter of lines that have no number: `     │ `. */
export function gutter(style: Style, lineNumber = ""): string {
  return style.paint.dim(`${lineNumber.padStart(NUMBER_WIDTH)} ${style.glyphs.column} `);
}

/** Two lines: the file's line, and carets below the fault with `remark` beside them. */
export function excerptLines(excerpt: Excerpt, remark: string, options: ExcerptOptions): readonly string[] {
  const { style, columns } = options;
  const room = Math.max(20, columns - NUMBER_WIDTH - 3);
  const window = cutAround(excerpt, room, style.glyphs.ellipsis);
  const indent = " ".repeat(displayWidth(window.text.slice(0, window.column - 1)));
  const marked = window.text.slice(window.column - 1, window.column - 1 + excerpt.length);
  const carets = "^".repeat(Math.max(1, Math.min(displayWidth(marked), room - indent.length)));
  const beside = remark === "" ? "" : ` ${remark}`;
  return [
    gutter(style, String(excerpt.line)) + window.text,
    `${gutter(style)}${indent}${style.paint.red(carets)}${beside}`,
  ];
}

export interface ExcerptOptions {
  readonly style: Style;
  readonly columns: number;
}

/** Long lines are cut to the part around the fault; control characters become blanks. */
function cutAround(
  excerpt: Excerpt,
  room: number,
  ellipsis: string,
): { readonly text: string; readonly column: number } {
  const text = excerpt.text.replace(/[\x00-\x1f\x7f-\x9f]/g, " ");
  const column = Math.min(Math.max(1, excerpt.column), text.length + 1);
  if (displayWidth(text) <= room) return { text, column };
  const from = column - 1 - lastColumns(text.slice(0, column - 1), CONTEXT).length;
  const head = from === 0 ? "" : ellipsis;
  const body = truncate(text.slice(from), room - displayWidth(head), ellipsis);
  return { text: head + body, column: column - from + head.length };
}

/** The end of a text that takes at most so many columns. */
function lastColumns(text: string, columns: number): string {
  const characters = [...text];
  let start = characters.length;
  for (let width = 0; start > 0; start--) {
    width += displayWidth(characters[start - 1] ?? "");
    if (width > columns) break;
  }
  return characters.slice(start).join("");
}
