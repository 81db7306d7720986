/** What the engine is still to be told: late, together, or twice, but each stream in its own order. */

import type { Change } from "../../../src/core/engine/index.js";
import type { SeededChance } from "../../../src/kube/testing/seeded-chance.js";

const names = ["pods", "results", "outcomes"] as const;

type Stream = (typeof names)[number];

/** Watches lag, and tell things again after they broke; an answer is there before anything more is decided. */
const kinds: Readonly<Record<Stream, "watch" | "answers">> = { pods: "watch", results: "watch", outcomes: "answers" };

export class Mail {
  readonly #streams: Record<Stream, Change[]> = { pods: [], results: [], outcomes: [] };

  add(stream: Stream, change: Change): void {
    this.#streams[stream].push(change);
  }

  get isEmpty(): boolean {
    return names.every((name) => this.#streams[name].length === 0);
  }

  /** All answers, and the first part of each watch, of some of them nothing. */
  take(chance: SeededChance): readonly Change[] {
    const first = chance.below(names.length);
    const order = [...names.slice(first), ...names.slice(0, first)];
    return order.flatMap((name) => {
      const stream = this.#streams[name];
      if (kinds[name] === "answers") return stream.splice(0);
      const count = chance.below(2) === 0 ? stream.length : chance.below(stream.length + 1);
      const taken = stream.splice(0, count);
      return chance.below(8) === 0 ? [...taken, ...taken] : taken;
    });
  }

  takeAll(): readonly Change[] {
    return names.flatMap((name) => this.#streams[name].splice(0));
  }

  /** Who looks anew sees what there is; answers to what was asked before are lost. */
  clear(): void {
    for (const name of names) this.#streams[name].length = 0;
  }
}
