/** The environment of an expression: dotted variables as maps inside one another (Argo 4.1 behaviour 4.3). */

import type { Scope } from "./scope.js";
import { type ExprKey, type ExprValue, valueOfJson } from "./values/value.js";

/** Values by the first part of their names. */
export type ExprEnv = ReadonlyMap<string, ExprValue>;

/** `workflow.name` becomes `name` in the map `workflow`. Where both `a` and `a.b` exist, `a` is dropped. */
export function envOf(scope: Scope): ExprEnv {
  return build(scope, [...scope.keys()], []);
}

/**
 * As much of the environment as an expression that names `paths` can see: the answer is the same as with all of it,
 * and what thousands of other steps have put out is passed by.
 */
export function envFor(scope: Scope, paths: readonly string[]): ExprEnv {
  const wanted = paths.map((path) => ({ path, shared: 0, next: nextPart(path, 0) }));
  const names: string[] = [];
  for (const name of scope.keys()) {
    let isSeen = false;
    for (const access of wanted) {
      const common = commonLength(name, access.path);
      if (endsAt(name, common) && endsAt(access.path, common)) isSeen = common > 0 || isSeen;
      if (common < access.next) continue;
      access.shared = Math.max(access.shared, mapLength(name, access.path, common));
      access.next = nextPart(access.path, access.shared);
    }
    if (isSeen) names.push(name);
  }
  // A path that leads nowhere still finds the maps on its way.
  const branches = wanted.filter(({ shared }) => shared > 0).map(({ path, shared }) => path.slice(0, shared));
  return build(scope, names, branches);
}

/** Where the part behind `index` ends. */
function nextPart(path: string, index: number): number {
  const dot = path.indexOf(".", index + 1);
  return dot < 0 ? path.length : dot;
}

function commonLength(name: string, path: string): number {
  let index = 0;
  while (index < name.length && name.charCodeAt(index) === path.charCodeAt(index)) index++;
  return index;
}

/** Whether a part ends there: the variable is the path, below it, or above it. */
function endsAt(text: string, index: number): boolean {
  return index === text.length || text.charCodeAt(index) === DOT;
}

/** How much of the path is maps because of the variable: all whole parts that the name goes on behind. */
function mapLength(name: string, path: string, common: number): number {
  if (common < name.length && endsAt(name, common) && endsAt(path, common)) return common;
  return Math.max(0, name.lastIndexOf(".", common - 1));
}

const DOT = 0x2e;

type Branch = Map<ExprKey, ExprValue>;

function build(scope: Scope, names: readonly string[], branches: readonly string[]): ExprEnv {
  const top: Branch = new Map();
  for (const path of branches) branchAt(top, path.split("."));
  // Longer names first: a shorter one that is already a map stays away.
  const parts = names.map((name) => name.split(".")).sort((left, right) => right.length - left.length);
  for (const path of parts) {
    const branch = branchAt(top, path.slice(0, -1));
    const last = path.at(-1) ?? "";
    if (!branch.has(last)) branch.set(last, valueOfJson(scope.get(path.join(".")) ?? null));
  }
  const env = new Map<string, ExprValue>();
  for (const [name, value] of top) env.set(String(name), value);
  return env;
}

/** The map at a path, made where there is none; a value in the way gives way. */
function branchAt(top: Branch, path: readonly string[]): Branch {
  let branch = top;
  for (const part of path) {
    const below = branch.get(part);
    const next: Branch = below instanceof Map ? below : new Map();
    if (next !== below) branch.set(part, next);
    branch = next;
  }
  return branch;
}
