/** A binary heap: the smallest element first, by a given order. */

export class Heap<T> {
  readonly #items: T[] = [];
  readonly #isBefore: (a: T, b: T) => boolean;

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let index = items.length;
    items.push(item);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = items[parent];
      if (above === undefined || !this.#isBefore(item, above)) break;
      items[index] = above;
      index = parent;
    }
    items[index] = item;
  }

  pop(): T | undefined {
    const top = this.#items[0];
    const last = this.#items.pop();
    if (last !== undefined && this.#items.length > 0) this.#sink(last);
    return top;
  }

  /** Keeps only what passes; for throwing out what was cancelled. */
  retain(isKept: (item: T) => boolean): void {
    const kept = this.#items.filter(isKept);
    this.#items.length = 0;
    for (const item of kept) this.push(item);
  }

  /** Lets `item` take the root's place and moves it down to where it belongs. */
  #sink(item: T): void {
    const items = this.#items;
    let index = 0;
    for (;;) {
      const child = this.#smallerChild(index);
      const below = items[child];
      if (below === undefined || !this.#isBefore(below, item)) break;
      items[index] = below;
      index = child;
    }
    items[index] = item;
  }

  #smallerChild(index: number): number {
    const left = 2 * index + 1;
    const [a, b] = [this.#items[left], this.#items[left + 1]];
    return a !== undefined && b !== undefined && this.#isBefore(b, a) ? left + 1 : left;
  }
}
