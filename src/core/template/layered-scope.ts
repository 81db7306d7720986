/** A scope laid over another without copying either: scopes grow long, and each step looks at few of their variables. */

import type { Scope, ScopeValue } from "../expr/index.js";

/** Where both have a variable, that of `top` counts. Changes to either show through. */
export function layered(base: Scope, top: Scope): Scope {
  if (top.size === 0) return base;
  return base.size === 0 ? top : new LayeredScope(base, top);
}

class LayeredScope implements ReadonlyMap<string, ScopeValue> {
  constructor(
    private readonly base: Scope,
    private readonly top: Scope,
  ) {}

  get size(): number {
    let size = this.base.size;
    for (const name of this.top.keys()) if (!this.base.has(name)) size++;
    return size;
  }

  get(name: string): ScopeValue | undefined {
    const value = this.top.get(name);
    return value === undefined ? this.base.get(name) : value;
  }

  has(name: string): boolean {
    return this.top.has(name) || this.base.has(name);
  }

  forEach(visit: (value: ScopeValue, name: string, map: ReadonlyMap<string, ScopeValue>) => void): void {
    for (const [name, value] of this.entries()) visit(value, name, this);
  }

  *entries(): MapIterator<[string, ScopeValue]> {
    for (const entry of this.base.entries()) if (!this.top.has(entry[0])) yield entry;
    yield* this.top.entries();
  }

  *keys(): MapIterator<string> {
    for (const [name] of this.entries()) yield name;
  }

  *values(): MapIterator<ScopeValue> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): MapIterator<[string, ScopeValue]> {
    return this.entries();
  }
}
