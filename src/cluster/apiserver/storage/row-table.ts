/** One object's rows as an immutable value: a change costs what it changes, and older values stay right. */

import type { Json, JsonObject } from "../../../core/std/json.js";
import type { RowChange } from "./port.js";

interface Cell {
  readonly value: Json;
  /** The revision that wrote it: its place in the store. */
  readonly revision: number;
}

/** Where a row is kept. */
export interface RowPlace {
  readonly revision: number;
  readonly id: string;
}

/**
 * The newest table owns the map. An older one knows how to undo the step to its successor, so it costs nothing while
 * nobody reads it, and is freed when nobody holds it.
 */
export class RowTable {
  static readonly empty = (): RowTable => new RowTable(new Map());

  #cells: Map<string, Cell> | undefined;
  #newer: { readonly table: RowTable; readonly undo: ReadonlyMap<string, Cell | undefined> } | undefined;
  #whole: WeakRef<JsonObject> | undefined;

  private constructor(cells: Map<string, Cell>) {
    this.#cells = cells;
  }

  get(id: string): Json | undefined {
    return this.#cell(id)?.value;
  }

  /** The ids, in no order that means anything. */
  ids(): readonly string[] {
    return [...this.#contents().keys()];
  }

  /** Where the row is kept; undefined when there is none. */
  placeOf(id: string): RowPlace | undefined {
    const cell = this.#cell(id);
    return cell === undefined ? undefined : { id, revision: cell.revision };
  }

  /** Where every row is kept. */
  places(): readonly RowPlace[] {
    return [...this.#contents()].map(([id, cell]) => ({ id, revision: cell.revision }));
  }

  /** The same rows as a table of its own: changing it leaves this one the newest. Costs their number. */
  copy(): RowTable {
    return new RowTable(new Map(this.#contents()));
  }

  /** This table with `changes` as of `revision`. Costs what changed when this is the newest table, a copy otherwise. */
  with(changes: readonly RowChange[], revision: number): RowTable {
    const cells = this.#cells;
    if (cells === undefined) return this.copy().with(changes, revision);
    const undo = new Map<string, Cell | undefined>();
    for (const { id, value, revision: written = revision } of changes) {
      if (!undo.has(id)) undo.set(id, cells.get(id));
      if (value === undefined) cells.delete(id);
      else cells.set(id, { value, revision: written });
    }
    const table = new RowTable(cells);
    this.#cells = undefined;
    this.#newer = { table, undo };
    return table;
  }

  /** Whether `value` is what {@link whole} handed out. */
  isWhole(value: unknown): boolean {
    return value !== undefined && this.#whole?.deref() === value;
  }

  /** All rows as one frozen object; kept as long as somebody holds it. */
  whole(): JsonObject {
    const kept = this.#whole?.deref();
    if (kept !== undefined) return kept;
    const whole: Record<string, Json> = {};
    for (const [id, cell] of this.#contents()) setMember(whole, id, cell.value);
    Object.freeze(whole);
    this.#whole = new WeakRef(whole);
    return whole;
  }

  #cell(id: string): Cell | undefined {
    let table: RowTable = this;
    while (table.#newer !== undefined) {
      if (table.#newer.undo.has(id)) return table.#newer.undo.get(id);
      table = table.#newer.table;
    }
    return table.#cells?.get(id);
  }

  #contents(): ReadonlyMap<string, Cell> {
    const steps: ReadonlyMap<string, Cell | undefined>[] = [];
    let table: RowTable = this;
    while (table.#newer !== undefined) {
      steps.push(table.#newer.undo);
      table = table.#newer.table;
    }
    const newest = table.#cells ?? new Map<string, Cell>();
    return steps.length === 0 ? newest : undone(newest, steps);
  }
}

function undone(newest: ReadonlyMap<string, Cell>, steps: readonly ReadonlyMap<string, Cell | undefined>[]) {
  const cells = new Map(newest);
  for (const undo of [...steps].reverse()) {
    for (const [id, cell] of undo) {
      if (cell === undefined) cells.delete(id);
      else cells.set(id, cell);
    }
  }
  return cells;
}

/** Assignment would take `__proto__` for the prototype. */
function setMember(object: Record<string, Json>, key: string, value: Json): void {
  if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true, configurable: true });
  else object[key] = value;
}
