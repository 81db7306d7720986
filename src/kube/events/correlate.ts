/** What becomes of an event before it is written: counted up, folded into similar ones, or dropped. No I/O. */

import type { ObjectReference } from "../../core/model/kube/core.js";

export interface Note {
  readonly object: ObjectReference;
  readonly type: "Normal" | "Warning";
  /** One word in CamelCase, for machines. */
  readonly reason: string;
  readonly message: string;
  /** Of the event's own (e.g. the node a workflow's event is about). */
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface CorrelatorOptions {
  /** Of the same object, type and reason but with ever new messages: from the n-th on they are one. */
  readonly similarMax?: number;
  /** Events of one object written at once, and then one each `refillMs`. */
  readonly burst?: number;
  readonly refillMs?: number;
  /** How long like follows like. */
  readonly windowMs?: number;
  /** Objects and messages remembered. */
  readonly entriesMax?: number;
}

/** Kubernetes' own defaults. */
const defaults = { similarMax: 10, burst: 25, refillMs: 300_000, windowMs: 600_000, entriesMax: 4096 };

export type Verdict =
  | { readonly kind: "drop" }
  | {
      readonly kind: "write";
      readonly id: string;
      readonly note: Note;
      readonly count: number;
      readonly firstMs: number;
    };

interface Seen {
  readonly firstMs: number;
  lastMs: number;
  count: number;
}

interface Similar {
  lastMs: number;
  readonly messages: Set<string>;
}

interface Allowance {
  lastMs: number;
  tokens: number;
}

export class Correlator {
  readonly #options: typeof defaults;
  readonly #seen = new RecentMap<Seen>();
  readonly #similar = new RecentMap<Similar>();
  readonly #allowances = new RecentMap<Allowance>();

  constructor(options: CorrelatorOptions = {}) {
    this.#options = { ...defaults, ...options };
  }

  get size(): number {
    return this.#seen.size + this.#similar.size + this.#allowances.size;
  }

  /** `nowMs` by the wall clock. `id` in the answer names the event that a later, equal one is counted on. */
  judge(note: Note, nowMs: number): Verdict {
    const { object, type, reason } = note;
    const about = [object.kind, object.namespace, object.name, object.uid].join("\0");
    const group = [about, type, reason].join("\0");
    const folded = this.#isFolded(group, note.message, nowMs);
    const judged = folded ? { ...note, message: `(combined from similar events): ${note.message}` } : note;
    if (!this.#isAllowed(about, nowMs)) return { kind: "drop" };
    const id = folded ? group : [group, note.message].join("\0");
    const seen = this.#count(id, nowMs);
    return { kind: "write", id, note: judged, count: seen.count, firstMs: seen.firstMs };
  }

  #isFolded(group: string, message: string, nowMs: number): boolean {
    const { windowMs, entriesMax, similarMax } = this.#options;
    const similar = this.#similar.recent(group, nowMs - windowMs) ?? { lastMs: nowMs, messages: new Set() };
    similar.lastMs = nowMs;
    if (similar.messages.size < similarMax) similar.messages.add(message);
    this.#similar.put(group, similar, entriesMax);
    return similar.messages.size >= similarMax && similarMax > 0;
  }

  #isAllowed(about: string, nowMs: number): boolean {
    const { burst, refillMs, entriesMax } = this.#options;
    const known = this.#allowances.recent(about, Number.NEGATIVE_INFINITY) ?? { lastMs: nowMs, tokens: burst };
    // A clock set back gives nothing and takes nothing.
    const refilled = Math.max(0, nowMs - known.lastMs) / refillMs;
    const tokens = Math.min(burst, known.tokens + refilled);
    const isAllowed = tokens >= 1;
    this.#allowances.put(about, { lastMs: nowMs, tokens: isAllowed ? tokens - 1 : tokens }, entriesMax);
    return isAllowed;
  }

  #count(id: string, nowMs: number): Seen {
    const { windowMs, entriesMax } = this.#options;
    const seen = this.#seen.recent(id, nowMs - windowMs) ?? { firstMs: nowMs, lastMs: nowMs, count: 0 };
    seen.count++;
    seen.lastMs = nowMs;
    this.#seen.put(id, seen, entriesMax);
    return seen;
  }
}

/** A map that forgets what was not used for longest. */
class RecentMap<V extends { readonly lastMs: number }> {
  readonly #entries = new Map<string, V>();

  get size(): number {
    return this.#entries.size;
  }

  recent(key: string, notBeforeMs: number): V | undefined {
    const value = this.#entries.get(key);
    return value !== undefined && value.lastMs >= notBeforeMs ? value : undefined;
  }

  put(key: string, value: V, entriesMax: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= entriesMax) return;
      this.#entries.delete(oldest);
    }
  }
}
