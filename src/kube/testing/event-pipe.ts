/** A queue that is read by `for await`: what is pushed comes out in order, until it is ended. */

export class EventPipe<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = [];
  #ended: { readonly error?: Error } | undefined;
  #reader: Reader<T> | undefined;

  push(item: T): void {
    if (this.#ended !== undefined) return;
    const reader = this.#taken();
    if (reader === undefined) this.#waiting.push(item);
    else reader.resolve({ done: false, value: item });
  }

  /** What was pushed before still comes out; then the end, or the error. */
  end(error?: Error): void {
    if (this.#ended !== undefined) return;
    this.#ended = error === undefined ? {} : { error };
    const reader = this.#taken();
    if (reader !== undefined) this.#tellEnd(reader, this.#ended);
  }

  /** For one reader, who asks again when it was answered. Not a generator: each of those costs every item a few promises more. */
  [Symbol.asyncIterator](): AsyncIterator<T, void> {
    return { next: () => new Promise((resolve, reject) => this.#next({ resolve, reject })) };
  }

  #next(reader: Reader<T>): void {
    const item = this.#waiting.shift();
    if (item !== undefined) reader.resolve({ done: false, value: item });
    else if (this.#ended !== undefined) this.#tellEnd(reader, this.#ended);
    else this.#reader = reader;
  }

  /** Who waits, if anyone: it is answered once. */
  #taken(): Reader<T> | undefined {
    const reader = this.#reader;
    this.#reader = undefined;
    return reader;
  }

  #tellEnd({ resolve, reject }: Reader<T>, { error }: { readonly error?: Error }): void {
    if (error === undefined) resolve({ done: true, value: undefined });
    else reject(error);
  }
}

interface Reader<T> {
  readonly resolve: (result: IteratorResult<T, void>) => void;
  readonly reject: (error: Error) => void;
}
