/**
 * Parts of a resource that were there and could not be read. What a check misses at such a place follows from a fault that
 * was told already: only what is seen there counts.
 */

import { fieldPath, itemPath, joinPath, parsePath } from "../model/path.js";

export class Unread {
  /** Of a resource that was read whole. */
  static readonly nothing = new Unread([]);

  readonly #paths: ReadonlySet<string>;

  constructor(paths: readonly string[]) {
    this.#paths = new Set(paths);
  }

  /** Whether there may be more at `path` than is seen. */
  at(path: string): boolean {
    if (this.#paths.size === 0) return false;
    if (this.#paths.has("")) return true;
    const segments = parsePath(path);
    return segments.some((_, index) => this.#paths.has(joinPath(segments.slice(0, segments.length - index))));
  }

  /** Whether `path`, or anything below it, was not read whole. */
  within(path: string): boolean {
    if (this.at(path)) return true;
    return [...this.#paths].some((one) => one.startsWith(path) && /^[.[]/.test(one.slice(path.length)));
  }

  /** Whether the list at `path` may hold an item of a name that is not seen. */
  inList(path: string, list: readonly unknown[] | undefined): boolean {
    if (this.#paths.size === 0) return false;
    return this.at(path) || (list ?? []).some((_, index) => this.at(fieldPath(itemPath(path, index), "name")));
  }
}
