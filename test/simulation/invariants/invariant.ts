/** A promise that is checked while a world runs; each in a file of its own. */

import type { DoneWrite, SentWrite } from "../world/network.js";
import type { TruthEvent } from "../world/truth.js";
import type { World } from "../world/world.js";

export interface Invariant {
  /** A change was committed; events come in the order of their commits. */
  event?(event: TruthEvent): void;
  /** One of our processes sends a write. */
  sent?(write: SentWrite): void;
  committed?(write: DoneWrite): void;
  /** The process has read that it was done. */
  answered?(write: DoneWrite): void;
  /** After each step. */
  step?(): void;
}

export type Fail = (message: string) => void;

export type MakeInvariant = (world: World, fail: Fail) => Invariant;
