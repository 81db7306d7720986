/** Which variables an expression names: what must be there before it is evaluated (Argo 4.1 behaviour 4.2). */

import { ok, type Result } from "../std/result.js";
import { type ExprEnv, envFor } from "./env.js";
import { compileExpression } from "./evaluate.js";
import { childrenOf, type ExprNode } from "./lang/ast.js";
import type { ExprError } from "./lang/error.js";
import type { Scope } from "./scope.js";

/** A variable or a dotted path in an expression. */
export interface Identifier {
  /** `inputs`, `inputs.parameters`, `inputs.parameters.x`: each step of a path by itself. */
  readonly path: string;
  /** It stands left of `??` or in a chain with `?.`: it may be missing. */
  readonly guarded: boolean;
}

/** All paths of an expression once, in the order met; what `let` binds and builtins are not among them. */
export function identifiersOf(expression: string): Result<readonly string[], ExprError> {
  const compiled = compileExpression(expression);
  if (!compiled.ok) return compiled;
  return ok([...new Set(identifiersIn(compiled.value.root).map((identifier) => identifier.path))]);
}

export function identifiersIn(root: ExprNode): readonly Identifier[] {
  const found: Identifier[] = [];
  collect(root, { guarded: false, bound: new Set() }, found);
  return found;
}

/** The longest paths of an expression: what it takes out of its environment. */
export function accessesIn(root: ExprNode): readonly string[] {
  const found = new Set<string>();
  const visit = (node: ExprNode): void => {
    const path = pathOf(node);
    if (path !== undefined) found.add(path);
    else for (const child of childrenOf(node)) visit(child);
  };
  visit(root);
  return [...found];
}

/** As much of the environment as the expression can see; nothing for one that cannot be read. */
export function envSeenBy(expression: string, scope: Scope): ExprEnv {
  const compiled = compileExpression(expression);
  return compiled.ok ? envFor(scope, accessesIn(compiled.value.root)) : new Map();
}

interface Walk {
  readonly guarded: boolean;
  readonly bound: ReadonlySet<string>;
}

function collect(node: ExprNode, walk: Walk, found: Identifier[]): void {
  switch (node.kind) {
    case "let":
      collect(node.value, walk, found);
      collect(node.body, { ...walk, bound: new Set([...walk.bound, node.name]) }, found);
      return;
    case "chain":
      collectChildren(node, { ...walk, guarded: true }, found);
      return;
    case "binary":
      collect(node.left, node.operator === "??" ? { ...walk, guarded: true } : walk, found);
      collect(node.right, walk, found);
      return;
    default:
      collectChildren(node, walk, found);
      note(node, walk, found);
  }
}

function collectChildren(node: ExprNode, walk: Walk, found: Identifier[]): void {
  for (const child of childrenOf(node)) collect(child, walk, found);
}

function note(node: ExprNode, walk: Walk, found: Identifier[]): void {
  const path = pathOf(node);
  if (path === undefined || walk.bound.has(path.split(".")[0] ?? "")) return;
  found.push({ path, guarded: walk.guarded });
}

/** The dotted path of a name with members; undefined for anything else. */
function pathOf(node: ExprNode): string | undefined {
  if (node.kind === "identifier") return node.name;
  if (node.kind !== "member" || node.property.kind !== "string") return undefined;
  const base = pathOf(node.base);
  return base === undefined ? undefined : `${base}.${node.property.value}`;
}
