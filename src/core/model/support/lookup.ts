/** Questions to the support table about a path. */

import type { KnownKind } from "../kinds.js";
import { parsePath } from "../path.js";
import { type Row, resolveRow, type Support } from "./row.js";
import { rowsByKind } from "./rows.js";

/**
 * What is made of the field at `path` of a `kind`: `spec.templates[0].http.url`, indexes and map keys as in a manifest
 * (or `[]`). Undefined for a path that is no field, or that has fields of several verdicts below it.
 */
export function supportOf(kind: KnownKind, path: string): Support | undefined {
  let row: Row = rowsByKind[kind];
  for (const segment of parsePath(path.replaceAll("[]", ""))) {
    const current = resolveRow(row);
    if (current.kind === "verdict") return current.whole || typeof segment === "number" ? current : undefined;
    if (typeof segment === "number") continue;
    const below: Row | undefined = current.kind === "each" ? current.row : current.fields[segment];
    if (below === undefined) return undefined;
    row = below;
  }
  const last = resolveRow(row);
  return last.kind === "verdict" ? last : undefined;
}

export interface SupportRow {
  /** Lists without their index, names the user chooses as `*`. */
  readonly path: string;
  readonly support: Support;
}

/** Every row of a kind, for the documentation; an inline template's rows are those of any template. */
export function supportRowsOf(kind: KnownKind): SupportRow[] {
  const rows: SupportRow[] = [];
  collect(rowsByKind[kind], "", rows, new Set());
  return rows;
}

function collect(row: Row, path: string, rows: SupportRow[], above: ReadonlySet<object>): void {
  const current = resolveRow(row);
  if (current.kind === "verdict") {
    rows.push({ path, support: current });
  } else if (current.kind === "each") {
    collect(current.row, `${path}.*`, rows, above);
  } else if (!above.has(current)) {
    const inside = new Set([...above, current]);
    for (const [name, below] of Object.entries(current.fields)) {
      collect(below, path === "" ? name : `${path}.${name}`, rows, inside);
    }
  }
}
