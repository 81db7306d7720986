/** Lines of steps for pipes and for above the live tree: `unit │ 1 failed`. */

import type { Paint, Style } from "./style.js";
import { displayWidth, padEnd, truncate } from "./width.js";

/** Columns of a label on a terminal. */
const COLUMN_MAX = 24;
/** In a pipe nothing is narrow, and who reads it must tell the items of a loop apart. */
export const WHOLE_LABEL = 200;

/** Labels get the width of the longest seen so far, so that columns settle after a few lines. */
export class StepLabels {
  #width = 0;
  readonly #style: Style;
  readonly #max: number;

  /** `max`: columns after which a label is cut. */
  constructor(style: Style, max = COLUMN_MAX) {
    this.#style = style;
    this.#max = max;
  }

  /** `unit │ `, ready to stand before each line of that step. */
  prefix(label: string): string {
    const short = truncate(label, this.#max, this.#style.glyphs.ellipsis);
    this.#width = Math.max(this.#width, Math.min(displayWidth(short), COLUMN_MAX));
    const padded = padEnd(short, this.#width);
    return `${labelPaint(this.#style.paint, label)(padded)} ${this.#style.glyphs.column} `;
  }
}

/** A steady colour for each name, as Argo picks them: sum of its code points over six colours. */
export function labelPaint(paint: Paint, label: string): (text: string) => string {
  const colors = [paint.green, paint.yellow, paint.blue, paint.magenta, paint.cyan, paint.white];
  let sum = 0;
  for (const character of label) sum += character.codePointAt(0) ?? 0;
  return colors[sum % colors.length] ?? paint.white;
}
