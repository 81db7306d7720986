/** The live tree as lines: header, then the folded rows, no more than there is room for. */

import { twoUnits } from "../duration.js";
import type { Glyphs, Style } from "../style.js";
import { displayWidth, fitsRight, padEnd, spread, truncate } from "../width.js";
import { type FoldedTree, fold, type Row } from "./fold.js";
import { type ItemState, isActive, isAhead, isDone, isFailure, type TreeItem } from "./item.js";

export interface TreeFrame {
  readonly header: readonly string[];
  readonly items: readonly TreeItem[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Right end of the exit handler's row, while the workflow runs. */
  readonly hint: string;
}

export interface TreeRoom {
  /** Of the screen. */
  readonly columns: number;
  /** That the tree may take. */
  readonly lines: number;
}

const HEADER_LINES = 1;
const COLUMNS_MIN = 10;

/** Lines without newlines, none wider than the screen less two columns, none with a cursor movement. */
export function renderTree(frame: TreeFrame, size: TreeRoom, style: Style): readonly string[] {
  const columns = Math.max(COLUMNS_MIN, size.columns - 2);
  const room = Math.max(1, size.lines);
  const tree = fold(frame.items, room - HEADER_LINES, linesOf);
  const drawing: Drawing = { now: frame.now, hint: frame.hint, columns, style };
  const body = drawRows(drawing, tree.rows, "");
  return limited([headerLine(frame.header, drawing), ...body], tree, { room, drawing });
}

interface Drawing {
  readonly now: number;
  readonly hint: string;
  readonly columns: number;
  readonly style: Style;
}

function linesOf(row: Row): number {
  return hasLineBelow(row) ? 2 : 1;
}

/** A note and a line of output do not share a line. */
function hasLineBelow(row: Row): boolean {
  return row.showLastLine && row.item.lastLine !== "" && row.item.note !== "";
}

function limited(
  lines: readonly string[],
  tree: FoldedTree,
  { room, drawing }: { readonly room: number; readonly drawing: Drawing },
): readonly string[] {
  const over = lines.length - room;
  if (room === 1) return lines.slice(0, 1);
  if (over <= 0 && tree.hidden === 0) return lines;
  const kept = over > 0 || lines.length === room ? lines.slice(0, room - 1) : lines;
  const hidden = tree.hidden + (lines.length - kept.length);
  const { ellipsis } = drawing.style.glyphs;
  return [...kept, drawing.style.paint.dim(truncate(`   ${ellipsis} ${hidden} more`, drawing.columns, ellipsis))];
}

/** Parts from the right are left out when the line is too short for all. */
function headerLine(parts: readonly string[], { columns, style }: Drawing): string {
  const [first = "", ...rest] = parts;
  let line = style.paint.bold(first);
  for (const part of rest) {
    const longer = `${line} ${style.glyphs.dot} ${part}`;
    if (displayWidth(longer) > columns) break;
    line = longer;
  }
  return truncate(line, columns, style.glyphs.ellipsis);
}

function drawRows(drawing: Drawing, rows: readonly Row[], indent: string): readonly string[] {
  const { glyphs } = drawing.style;
  const widths = rows.filter((row) => row.merged.length === 1).map((row) => displayWidth(labelOf(row, glyphs)));
  const labelWidth = Math.min(
    Math.floor(drawing.columns / 2),
    widths.reduce((a, b) => Math.max(a, b), 0),
  );
  return rows.flatMap((row, position) => {
    const last = position === rows.length - 1;
    const branch = indent + (last ? glyphs.lastBranch : glyphs.branch);
    const below = indent + (last ? "  " : `${glyphs.bar} `);
    const lines = [rowLine(drawing, row, { branch, labelWidth })];
    if (hasLineBelow(row)) lines.push(lineBelow(drawing, row, { below, labelWidth }));
    lines.push(...drawRows(drawing, row.children, `${below} `));
    return lines;
  });
}

function labelOf(row: Row, glyphs: Glyphs): string {
  const label = row.merged.join(", ");
  const many = row.item.kind === "loop" ? ` ${glyphs.times}${row.item.children.length}` : "";
  return label + many;
}

interface Place {
  readonly branch: string;
  readonly labelWidth: number;
}

function rowLine(drawing: Drawing, row: Row, { branch, labelWidth }: Place): string {
  const { style, columns } = drawing;
  const symbol = symbolOf(row.item.state, style);
  const prefix = `${style.paint.dim(branch)}${symbol} `;
  const right = rightOf(drawing, row);
  const room = columns - displayWidth(prefix) - (fitsRight(right, columns) ? displayWidth(right) + 1 : 0);
  const note = paintedNote(noteOf(drawing, row), row.item, style);
  const label = fittedLabel(row, note === "" ? room : Math.floor(room * 0.6), style.glyphs);
  const gap = row.merged.length > 1 ? `${label}    ` : `${padEnd(label, labelWidth)}  `;
  const text = note === "" ? label : `${gap}${note}`;
  return spread(prefix + text, right, columns, style.glyphs.ellipsis).trimEnd();
}

/** A long name is cut, and a long list of names ends in `and 12 more`, so that the note after it still shows. */
function fittedLabel(row: Row, room: number, glyphs: Glyphs): string {
  const { merged } = row;
  if (merged.length === 1) return truncate(labelOf(row, glyphs), room, glyphs.ellipsis);
  let width = -2;
  let fitting = 0;
  for (const [index, label] of merged.entries()) {
    width += displayWidth(label) + 2;
    // Only as far as the row goes: there may be thousands of names.
    if (width > room) break;
    const rest = merged.length - index - 1;
    if (rest === 0 || width + displayWidth(restText(rest)) <= room) fitting = index + 1;
  }
  const rest = merged.length - fitting;
  if (fitting === 0) return `${merged.length} tasks`;
  return merged.slice(0, fitting).join(", ") + (rest === 0 ? "" : restText(rest));
}

function restText(count: number): string {
  return ` and ${count} more`;
}

function lineBelow(
  drawing: Drawing,
  row: Row,
  { below, labelWidth }: { readonly below: string; readonly labelWidth: number },
): string {
  const { style, columns } = drawing;
  const start = displayWidth(below) + 2 + labelWidth + 2;
  const line = `${style.paint.dim(below)}${" ".repeat(Math.max(0, start - displayWidth(below)))}${row.item.lastLine}`;
  return truncate(line, columns, style.glyphs.ellipsis);
}

function noteOf(drawing: Drawing, row: Row): string {
  const { item } = row;
  if (item.kind === "loop" && !isDone(item)) return loopCounts(item, drawing.style.glyphs);
  return item.note === "" ? item.lastLine : item.note;
}

/** `1 ✔  2 ●  1 ◷ waits for a slot` */
function loopCounts(loop: TreeItem, glyphs: Glyphs): string {
  const children = loop.children;
  const waiting = children.filter(isAhead);
  const note = waiting.find((child) => child.note !== "")?.note.replace(/ \(\d+ of \d+\)$/, "") ?? "";
  const counts: readonly (readonly [number, string])[] = [
    [children.filter(({ state }) => state === "succeeded").length, glyphs.succeeded],
    [children.filter(({ state }) => state === "skipped").length, glyphs.skipped],
    [children.filter(isFailure).length, glyphs.failed],
    [children.filter((child) => isActive(child) && !isFailure(child)).length, glyphs.running],
    [waiting.length, note === "" ? glyphs.pending : `${glyphs.pending} ${note}`],
  ];
  return counts
    .filter(([count]) => count > 0)
    .map(([count, text]) => `${count} ${text}`)
    .join("  ");
}

function paintedNote(note: string, item: TreeItem, style: Style): string {
  if (note === "") return "";
  if (isFailure(item)) return style.paint.red(note);
  return isActive(item) ? note : style.paint.dim(note);
}

function rightOf(drawing: Drawing, row: Row): string {
  const { item } = row;
  if (item.label === "onExit" && isAhead(item)) return drawing.style.paint.dim(drawing.hint);
  if (isAhead(item) || item.startedAt === undefined) return "";
  if (item.kind === "loop" && !isDone(item)) return "";
  return twoUnits((item.finishedAt ?? drawing.now) - item.startedAt);
}

/** The one-column sign of a state, coloured as Argo does. */
export function symbolOf(state: ItemState, { glyphs, paint }: Style): string {
  switch (state) {
    case "pending":
    case "waiting":
      return paint.yellow(glyphs.pending);
    case "running":
      return paint.cyan(glyphs.running);
    case "suspended":
      return paint.cyan(glyphs.suspended);
    case "succeeded":
      return paint.green(glyphs.succeeded);
    case "skipped":
      return glyphs.skipped;
    case "failed":
      return paint.red(glyphs.failed);
    case "error":
      return paint.red(glyphs.error);
    case "cannotRun":
      return glyphs.notRun;
  }
}
