/** Random numbers from a seed text: the same seed, the same numbers, everywhere. Not for secrets. */

export interface Prng {
  /** An unsigned 32-bit integer. */
  next(): number;
  /** From 0 to `limit` - 1, without bias; `limit` is at least 1 and below 2^32. */
  below(limit: number): number;
  /** From 0 to below 1. */
  fraction(): number;
}

/** Four 32-bit words of state (sfc32), filled by hashing the seed. */
export function createPrng(seed: string): Prng {
  const state = hashOf(seed);
  const next = (): number => step(state);
  for (let round = 0; round < 12; round++) next();
  return {
    next,
    below: (limit) => {
      // Numbers at the top that would favour small results are drawn again.
      const usable = 2 ** 32 - (2 ** 32 % limit);
      for (;;) {
        const drawn = next();
        if (drawn < usable) return drawn % limit;
      }
    },
    fraction: () => next() / 2 ** 32,
  };
}

type State = [number, number, number, number];

function step(state: State): number {
  const [a, b, c, counter] = state;
  const sum = (a + b + counter) | 0;
  state[0] = b ^ (b >>> 9);
  state[1] = (c + (c << 3)) | 0;
  state[2] = (((c << 21) | (c >>> 11)) + sum) | 0;
  state[3] = (counter + 1) | 0;
  return sum >>> 0;
}

/** Each word is mixed with every code unit, so that seeds that differ in one letter have nothing in common. */
function hashOf(seed: string): State {
  const state: State = [0x6a09e667, 0xbb67ae85 | 0, 0x3c6ef372, 1];
  for (let index = 0; index < seed.length; index++) {
    const unit = seed.charCodeAt(index);
    state[0] = Math.imul(state[0] ^ unit, 0x9e3779b1);
    state[1] = Math.imul(state[1] ^ ((unit << 16) | index), 0x85ebca77 | 0) ^ (state[0] >>> 15);
    state[2] = (Math.imul(state[2] ^ state[1], 0xc2b2ae3d | 0) + unit) | 0;
  }
  state[3] = (seed.length ^ state[2]) | 1;
  return state;
}
