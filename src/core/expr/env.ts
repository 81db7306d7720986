/** The environment of an expression: dotted variables as maps inside one another (Argo 4.1 behaviour 4.3). */

import type { Scope } from "./scope.js";
import { type ExprKey, type ExprValue, valueOfJson } from "./values/value.js";

/** Values by the first part of their names. */
export type ExprEnv = ReadonlyMap<string, ExprValue>;

/**
 * `workflow.name` becomes `name` in the map `workflow`. Where both `a` and `a.b` exist, `a` is dropped. With `roots`,
 * only variables whose first part is among them are looked at: what an expression does not name costs nothing.
 */
export function envOf(scope: Scope, roots?: ReadonlySet<string>): ExprEnv {
  const top = new Map<ExprKey, ExprValue>();
  // Longer names first: a shorter one that is already a map stays away.
  const names = [...scope.keys()].filter((name) => roots === undefined || roots.has(rootOf(name)));
  for (const name of names.sort((left, right) => partsIn(right) - partsIn(left))) {
    place(top, name.split("."), valueOfJson(scope.get(name) ?? null));
  }
  const env = new Map<string, ExprValue>();
  for (const [name, value] of top) env.set(String(name), value);
  return env;
}

function rootOf(name: string): string {
  const dot = name.indexOf(".");
  return dot < 0 ? name : name.slice(0, dot);
}

function partsIn(name: string): number {
  return name.split(".").length;
}

type Branch = Map<ExprKey, ExprValue>;

/** Maps made here are the only ones that grow; a value that is a map of its own is replaced, not extended. */
function place(top: Branch, parts: readonly string[], value: ExprValue): void {
  let branch = top;
  for (const part of parts.slice(0, -1)) {
    const below = branch.get(part);
    const next: Branch = below instanceof Map ? below : new Map();
    if (next !== below) branch.set(part, next);
    branch = next;
  }
  const last = parts.at(-1) ?? "";
  if (!branch.has(last)) branch.set(last, value);
}
