/** One simulated process: it dies between any two acts, and whatever it was waiting for is never answered. */

import { ProcessClock } from "../../../src/kube/testing/process-clock.js";
import { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import type { VirtualClock } from "../../../src/kube/testing/virtual-clock.js";

export class SimProcess {
  readonly clock: ProcessClock;
  readonly chance: SeededChance;
  readonly #deaths = new Set<() => void>();
  #isDead = false;
  #isPaused = false;

  constructor(
    /** The role: stays the same over restarts. */
    readonly role: string,
    /** Which start of that role this is, from 1. */
    readonly start: number,
    world: { readonly clock: VirtualClock; readonly seed: number },
  ) {
    this.clock = new ProcessClock(world.clock);
    this.chance = new SeededChance(world.seed).fork(`${role}#${start}`);
  }

  get name(): string {
    return this.start === 1 ? this.role : `${this.role}#${this.start}`;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  get isRunning(): boolean {
    return !this.#isDead && !this.#isPaused;
  }

  /** It stands still, and does not know it. */
  pause(): void {
    this.#isPaused = true;
    this.clock.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.clock.resume();
  }

  /** As kill -9: no timer, no answer, no event reaches it any more. */
  kill(): void {
    if (this.#isDead) return;
    this.#isDead = true;
    this.clock.kill();
    for (const end of this.#deaths) end();
    this.#deaths.clear();
  }

  /** Answers how to take it back. */
  onDeath(end: () => void): () => void {
    if (this.#isDead) end();
    else this.#deaths.add(end);
    return () => this.#deaths.delete(end);
  }
}

/** What a dead process is waiting for. */
export function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}
