/** How many columns text takes on a terminal, and cutting it to a number of columns. */

const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])/g;

/** First and last code point of ranges that take two columns (East Asian wide and fullwidth, emoji). */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x2329, 0x232a],
  [0x23e9, 0x23ec],
  [0x23f0, 0x23f0],
  [0x23f3, 0x23f3],
  [0x25fd, 0x25fe],
  [0x2614, 0x2615],
  [0x2648, 0x2653],
  [0x267f, 0x267f],
  [0x2693, 0x2693],
  [0x26a1, 0x26a1],
  [0x26aa, 0x26ab],
  [0x26bd, 0x26be],
  [0x26c4, 0x26c5],
  [0x26ce, 0x26ce],
  [0x26d4, 0x26d4],
  [0x26ea, 0x26ea],
  [0x26f2, 0x26f3],
  [0x26f5, 0x26f5],
  [0x26fa, 0x26fa],
  [0x26fd, 0x26fd],
  [0x2705, 0x2705],
  [0x270a, 0x270b],
  [0x2728, 0x2728],
  [0x274c, 0x274c],
  [0x274e, 0x274e],
  [0x2753, 0x2755],
  [0x2757, 0x2757],
  [0x2795, 0x2797],
  [0x27b0, 0x27b0],
  [0x27bf, 0x27bf],
  [0x2b1b, 0x2b1c],
  [0x2b50, 0x2b50],
  [0x2b55, 0x2b55],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1b000, 0x1b2ff],
  [0x1f004, 0x1f004],
  [0x1f0cf, 0x1f0cf],
  [0x1f18e, 0x1f18e],
  [0x1f191, 0x1f19a],
  [0x1f200, 0x1f265],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f7e0, 0x1f7eb],
  [0x1f900, 0x1f9ff],
  [0x1fa70, 0x1faff],
  [0x20000, 0x3fffd],
];

const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

/** Columns of one character (a code point). */
function charWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return 0;
  if (code < 0x300) return 1;
  if (ZERO_WIDTH.test(character)) return 0;
  return isWide(code) ? 2 : 1;
}

function isWide(code: number): boolean {
  let low = 0;
  let high = WIDE.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = WIDE[middle];
    if (range === undefined) return false;
    if (code < range[0]) high = middle - 1;
    else if (code > range[1]) low = middle + 1;
    else return true;
  }
  return false;
}

export function stripEscapes(text: string): string {
  return text.includes("\x1b") ? text.replace(ESCAPES, "") : text;
}

/** Columns that `text` takes, escape sequences not counted. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of stripEscapes(text)) width += charWidth(character);
  return width;
}

/**
 * `text` cut to at most `columns`; what was cut shows as `ellipsis`. Colour sequences are kept whole and closed with a
 * reset when the cut fell inside colour.
 */
export function truncate(text: string, columns: number, ellipsis = "…"): string {
  if (displayWidth(text) <= columns) return text;
  const mark = displayWidth(ellipsis) <= columns ? ellipsis : "";
  const kept = takeColumns(text, columns - displayWidth(mark));
  return kept + mark + (kept.includes("\x1b[") ? "\x1b[0m" : "");
}

function takeColumns(text: string, columns: number): string {
  let taken = "";
  let width = 0;
  for (const part of splitEscapes(text)) {
    if (part.startsWith("\x1b")) {
      taken += part;
      continue;
    }
    for (const character of part) {
      width += charWidth(character);
      if (width > columns) return taken;
      taken += character;
    }
  }
  return taken;
}

function* splitEscapes(text: string): Generator<string> {
  let end = 0;
  for (const match of text.matchAll(ESCAPES)) {
    if (match.index > end) yield text.slice(end, match.index);
    yield match[0];
    end = match.index + match[0].length;
  }
  if (end < text.length) yield text.slice(end);
}

export function padEnd(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - displayWidth(text)));
}

const LEFT_MIN = 8;

/** Whether `right` leaves something of the line to what stands before it. */
export function fitsRight(right: string, columns: number): boolean {
  return right !== "" && columns - displayWidth(right) - 1 >= LEFT_MIN;
}

/** `left` and `right` at the two ends of a line of `columns`; `left` gives way. */
export function spread(left: string, right: string, columns: number, ellipsis = "…"): string {
  if (!fitsRight(right, columns)) return truncate(left, columns, ellipsis);
  const room = columns - displayWidth(right) - 1;
  const fitted = truncate(left, room, ellipsis);
  return `${padEnd(fitted, room)} ${right}`;
}
