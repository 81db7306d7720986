/** A queue that is read by `for await`: what is pushed comes out in order, until it is ended. */

export class EventPipe<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = [];
  #ended: { readonly error?: Error } | undefined;
  #wake: () => void = () => {};

  push(item: T): void {
    if (this.#ended !== undefined) return;
    this.#waiting.push(item);
    this.#wake();
  }

  /** What was pushed before still comes out; then the end, or the error. */
  end(error?: Error): void {
    this.#ended ??= error === undefined ? {} : { error };
    this.#wake();
  }

  /** Not a generator: each of those costs every item a few promises more. */
  [Symbol.asyncIterator](): AsyncIterator<T, void> {
    return { next: () => this.#next() };
  }

  async #next(): Promise<IteratorResult<T, void>> {
    for (;;) {
      const item = this.#waiting.shift();
      if (item !== undefined) return { done: false, value: item };
      if (this.#ended?.error !== undefined) throw this.#ended.error;
      if (this.#ended !== undefined) return { done: true, value: undefined };
      await this.#pushed();
    }
  }

  #pushed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
