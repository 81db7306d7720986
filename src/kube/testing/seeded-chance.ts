/** Chance from a seed: the same seed, the same run. */

import type { Chance } from "../clock.js";

/** Printing a number to base 16 costs more than drawing it. */
const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** A 32-bit generator (splitmix-style mixing of a counter): fast, and good enough to choose faults and jitter. */
export class SeededChance implements Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    return this.#bits() / 2 ** 32;
  }

  /** A whole number in [0, bound). */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }

  uuid(): string {
    const [a, b, c, d] = [this.#hex(), this.#hex(), this.#hex(), this.#hex()];
    const variant = "89ab".charAt(this.below(4));
    return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-${variant}${c.slice(1, 4)}-${c.slice(4)}${d}`;
  }

  /** A stream of its own, which does not move when others draw; the name decides it, not the order of forks. */
  fork(name: string): SeededChance {
    let seed = this.#state;
    for (let index = 0; index < name.length; index++) seed = Math.imul(seed ^ name.charCodeAt(index), 0x01000193);
    return new SeededChance(seed);
  }

  #hex(): string {
    const bits = this.#bits();
    const hex = (shift: number): string => hexOfByte[(bits >>> shift) & 0xff] ?? "";
    return `${hex(24)}${hex(16)}${hex(8)}${hex(0)}`;
  }

  #bits(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }
}
