/** What happened in a world, in order: who wrote what on which view, what failed, what was done to it. For people. */

export interface HistoryEntry {
  /** Milliseconds of virtual time since the world began. */
  readonly atMs: number;
  /** A process, `machine`, `user`, `fault` or `world`. */
  readonly who: string;
  /** Made only when it is printed: most histories are never read. */
  readonly what: () => string;
}

export class History {
  readonly #entries: HistoryEntry[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(who: string, what: () => string): void {
    this.#entries.push({ atMs: this.#now(), who, what });
  }

  get length(): number {
    return this.#entries.length;
  }

  /** One line an entry. */
  print(): string {
    return this.#entries.map(({ atMs, who, what }) => `${seconds(atMs)}  ${who.padEnd(14)} ${what()}\n`).join("");
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(3).padStart(9)}s`;
}
