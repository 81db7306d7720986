/**
 * Parts of a resource that were there and could not be read. What a check misses at such a place follows from a fault that
 * was told already: only what is seen there counts.
 */

import { fieldPath, itemPath, joinPath, parsePath } from "../model/path.js";

export class Unread {
  /** Of a resource that was read whole. */
  static readonly nothing = new Unread([]);

  readonly #paths: ReadonlySet<string>;
  /** Each place that holds one of them: asked for far more often than there are any. */
  readonly #around: ReadonlySet<string>;

  constructor(paths: readonly string[]) {
    this.#paths = new Set(paths);
    this.#around = new Set(paths.flatMap(prefixesOf));
  }

  /** Whether there may be more at `path` than is seen. */
  at(path: string): boolean {
    if (this.#paths.size === 0) return false;
    if (this.#paths.has("")) return true;
    return prefixesOf(path).some((prefix) => this.#paths.has(prefix));
  }

  /** Whether `path`, or anything below it, was not read whole. */
  within(path: string): boolean {
    return this.at(path) || this.#around.has(path);
  }

  /** Whether the list at `path` may hold an item of a name that is not seen. */
  inList(path: string, list: readonly unknown[] | undefined): boolean {
    if (this.#paths.size === 0) return false;
    return this.at(path) || (list ?? []).some((_, index) => this.at(fieldPath(itemPath(path, index), "name")));
  }
}

/** `a`, `a.b`, `a.b[0]` of `a.b[0]`. */
function prefixesOf(path: string): string[] {
  const segments = parsePath(path);
  return segments.map((_, index) => joinPath(segments.slice(0, index + 1)));
}
