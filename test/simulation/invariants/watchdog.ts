/** Looks at a world after every step; what is broken is told with the number of the invariant. */

import type { DoneWrite, SentWrite } from "../world/network.js";
import type { World } from "../world/world.js";
import { onlyLeaderWrites } from "./fence.js";
import { foreignUntouched } from "./foreign.js";
import type { Invariant, MakeInvariant } from "./invariant.js";
import { nothingLeft } from "./leftovers.js";
import { limitsHold } from "./limits.js";
import { lostStaysLost } from "./lost.js";
import { outcomeFirst } from "./outcome-first.js";
import { phasesStay } from "./phases.js";
import { preconditions } from "./preconditions.js";
import { startsOnce } from "./starts.js";
import { wantedStays } from "./wanted.js";

export interface Broken {
  /** `I1` … `I10`, `left`, `lost`, `fence`, `wanted`, `engine`, `rest`, `quiet`. */
  readonly invariant: string;
  readonly message: string;
}

const all: Readonly<Record<string, MakeInvariant>> = {
  I1: startsOnce,
  I2: preconditions,
  I4: foreignUntouched,
  I5: outcomeFirst,
  I6: limitsHold,
  I7: phasesStay,
  left: nothingLeft,
  lost: lostStaysLost,
  fence: onlyLeaderWrites,
  wanted: wantedStays,
};

/** Enough to understand a run; the rest are consequences. */
const BROKEN_MAX = 5;

export class Watchdog {
  readonly broken: Broken[] = [];
  readonly #world: World;
  readonly #invariants: readonly Invariant[];

  constructor(world: World) {
    this.#world = world;
    this.#invariants = Object.entries(all)
      .filter(([name]) => !(world.options.blind ?? []).includes(name))
      .map(([name, make]) => make(world, (message) => this.fail(name, message)));
  }

  fail(invariant: string, message: string): void {
    if (this.broken.length >= BROKEN_MAX || (this.#world.options.blind ?? []).includes(invariant)) return;
    this.broken.push({ invariant, message });
    this.#world.history.add("BROKEN", () => `${invariant}: ${message}`);
  }

  look(): void {
    for (const event of this.#world.truth.take()) {
      for (const invariant of this.#invariants) invariant.event?.(event);
    }
    for (const invariant of this.#invariants) invariant.step?.();
  }

  sent(write: SentWrite): void {
    for (const invariant of this.#invariants) invariant.sent?.(write);
  }

  committed(write: DoneWrite): void {
    for (const invariant of this.#invariants) invariant.committed?.(write);
  }

  answered(write: DoneWrite): void {
    for (const invariant of this.#invariants) invariant.answered?.(write);
  }
}
