/** Fits the tree's items to a number of lines: finished rows fold first, then loops into counts; active rows stay. */

import { assert } from "../../../core/std/assert.js";
import { isActive, isAhead, isDone, isFailure, type TreeItem } from "./item.js";

/** One row of the drawing; `children` are drawn below it. */
export interface Row {
  readonly item: TreeItem;
  /** Several items of one kind in one row: `checkout, lint, validate`. */
  readonly merged: readonly string[];
  /** False when there is no room for a line of output below the row. */
  readonly showLastLine: boolean;
  readonly children: readonly Row[];
}

export interface FoldedTree {
  readonly rows: readonly Row[];
  /** Active rows that found no room at all. */
  readonly hidden: number;
}

/** What is folded at each step, the least loss first. */
const STEPS = [
  {},
  { closeDone: true },
  { closeDone: true, mergeDone: true },
  { closeDone: true, mergeDone: true, mergeAhead: true },
  { closeDone: true, mergeDone: true, mergeAhead: true, countLoops: true },
  { closeDone: true, mergeDone: true, mergeAhead: true, countLoops: true, dropLastLines: true },
] as const satisfies readonly Folding[];

interface Folding {
  /** Groups and loops that ended well show no inside. */
  readonly closeDone?: true;
  /** Neighbours that ended well share a row. */
  readonly mergeDone?: true;
  /** Tasks not begun that wait for the same share a row. */
  readonly mergeAhead?: true;
  /** Of a loop only running and failed items show; the rest is counted. */
  readonly countLoops?: true;
  readonly dropLastLines?: true;
}

/** `room` is how many lines the rows may take; `lines` says how many one row takes without its children. */
export function fold(items: readonly TreeItem[], room: number, lines: (row: Row) => number): FoldedTree {
  for (const folding of STEPS) {
    const rows = rowsOf(items, folding);
    if (countLines(rows, lines) <= room) return { rows, hidden: 0 };
  }
  return cut(rowsOf(items, STEPS[STEPS.length - 1] ?? {}), room);
}

export function countLines(rows: readonly Row[], lines: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + lines(row) + countLines(row.children, lines), 0);
}

function rowsOf(items: readonly TreeItem[], folding: Folding): readonly Row[] {
  const rows: (Row | readonly TreeItem[])[] = [];
  const homes = new Map<string, TreeItem[]>();
  for (const item of items) {
    const key = mergeKey(item, folding);
    const home = key === undefined ? undefined : homes.get(key);
    if (home !== undefined) home.push(item);
    else if (key === undefined) rows.push(rowOf(item, folding));
    else {
      const members = [item];
      homes.set(key, members);
      rows.push(members);
    }
  }
  return rows.map((row) => ("item" in row ? row : mergedRow(row, folding)));
}

/** Items with the same key share a row. */
function mergeKey(item: TreeItem, folding: Folding): string | undefined {
  if (item.kind === "loop") return undefined;
  if (folding.mergeDone && isDone(item)) return item.state;
  if (folding.mergeAhead && isAhead(item) && item.label !== "onExit") return `${item.state} ${item.note}`;
  return undefined;
}

function rowOf(item: TreeItem, folding: Folding): Row {
  return {
    item,
    merged: [item.label],
    showLastLine: folding.dropLastLines !== true,
    children: rowsOf(visibleChildren(item, folding), folding),
  };
}

function visibleChildren(item: TreeItem, folding: Folding): readonly TreeItem[] {
  if (folding.closeDone && isDone(item)) return [];
  if (item.kind === "loop" && folding.countLoops) return item.children.filter(isActive);
  return item.children;
}

/** Of one kind, in one row. */
function mergedRow(items: readonly TreeItem[], folding: Folding): Row {
  const [first, ...more] = items;
  assert(first !== undefined, "a row is made of something");
  const row = rowOf(first, folding);
  if (more.length === 0) return row;
  const starts = items.flatMap(({ startedAt }) => startedAt ?? []);
  const ends = items.flatMap(({ finishedAt }) => finishedAt ?? []);
  return {
    ...row,
    item: {
      ...row.item,
      startedAt: starts.length > 0 ? starts.reduce((a, b) => Math.min(a, b)) : undefined,
      finishedAt: ends.length > 0 ? ends.reduce((a, b) => Math.max(a, b)) : undefined,
      note: more.every(({ note }) => note === first.note) ? first.note : "",
    },
    merged: items.map(({ label }) => label),
    children: [],
  };
}

/** More active rows than lines: failures first, then what has run longest; the rest is a number. */
function cut(rows: readonly Row[], room: number): FoldedTree {
  const flat = flatten(rows).filter((row) => isActive(row.item) && row.item.kind === "leaf");
  const inside = new Set(byUrgency(flat).slice(0, Math.max(1, room - countShells(rows))));
  return { rows: keep(rows, inside), hidden: flat.length - inside.size };
}

function flatten(rows: readonly Row[]): readonly Row[] {
  return rows.flatMap((row) => [row, ...flatten(row.children)]);
}

/** Rows that stand whatever is cut: those without active leaves of their own. */
function countShells(rows: readonly Row[]): number {
  return flatten(rows).filter((row) => !(isActive(row.item) && row.item.kind === "leaf")).length + 1;
}

function byUrgency(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort((a, b) => {
    const failure = Number(isFailure(b.item)) - Number(isFailure(a.item));
    return failure !== 0 ? failure : (a.item.startedAt ?? 0) - (b.item.startedAt ?? 0);
  });
}

function keep(rows: readonly Row[], inside: ReadonlySet<Row>): readonly Row[] {
  return rows.flatMap((row) => {
    if (inside.has(row)) return [row];
    if (isActive(row.item) && row.item.kind === "leaf") return [];
    return [{ ...row, children: keep(row.children, inside) }];
  });
}
