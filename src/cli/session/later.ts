/** Calls that wait until all that is due now is done: who shows a change never holds up who acts on it. */

export class Later {
  readonly #failed: (error: unknown) => void;
  #waiting: (() => void)[] = [];

  /** `failed` is told of a call that threw; the others are made all the same. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Calls are made in order. */
  readonly call = (callback: () => void): void => {
    this.#waiting.push(callback);
    if (this.#waiting.length === 1) setImmediate(() => this.#run());
  };

  #run(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const callback of waiting) this.#try(callback);
  }

  #try(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#failed(error);
    }
  }
}
