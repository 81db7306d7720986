/** Bytes that are gathered until they are wanted, however small their pieces. */

export class HeldBytes {
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(source: Buffer, from: number, to: number): void {
    const length = this.#length + to - from;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * length);
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    source.copy(this.#bytes, this.#length, from, to);
    this.#length = length;
  }

  /** Copies them to `target` and forgets them; returns how many they were. */
  take(target: Buffer, at: number): number {
    const taken = this.#bytes.copy(target, at, 0, this.#length);
    this.clear();
    return taken;
  }

  clear(): void {
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
  }
}
