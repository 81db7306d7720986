/** Chance from a seed: the same seed, the same run. */

import type { Chance } from "../clock.js";

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
    const hex = Array.from({ length: 4 }, () => this.#bits().toString(16).padStart(8, "0")).join("");
    const variant = "89ab".charAt(this.below(4));
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      `${variant}${hex.slice(17, 20)}`,
      hex.slice(20),
    ].join("-");
  }

  /** A stream of its own, which does not move when others draw; the name decides it, not the order of forks. */
  fork(name: string): SeededChance {
    let seed = this.#state;
    for (let index = 0; index < name.length; index++) seed = Math.imul(seed ^ name.charCodeAt(index), 0x01000193);
    return new SeededChance(seed);
  }

  #bits(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }
}
