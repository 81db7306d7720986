/** Tells users through Kubernetes events. Never in the way: recording does not wait, and what cannot be written is counted. */

import { events } from "../core/model/resources.js";
import { type BackoffOptions, backoffMs } from "./backoff.js";
import type { Client, ObjectKey } from "./client.js";
import { type Chance, type Clock, sleep } from "./clock.js";
import { ApiError, FencedError, isAlreadyExists, isNotFound } from "./errors.js";
import { Correlator, type CorrelatorOptions, type Note, type Verdict } from "./events/correlate.js";
import { countPatch, eventObject, referenceTo, type Source } from "./events/event-object.js";

export { type Note, referenceTo };

export interface EventRecorderOptions extends CorrelatorOptions {
  readonly client: Pick<Client, "create" | "patch">;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly source: Source;
  /** Events that may wait to be written; further ones are dropped. */
  readonly waitingMax?: number;
  readonly onError?: (error: unknown) => void;
}

/** What became of the notes so far. */
export interface EventCounts {
  readonly written: number;
  /** Too many of one object, or too many waiting. */
  readonly dropped: number;
  /** Refused by the API, or given up after some tries. */
  readonly failed: number;
}

const waitingMaxDefault = 1000;
const triesMax = 4;
/** Notes wait so long for company: nobody waits for them, and one commit takes many. */
const companyMs = 250;
const togetherMax = 10;
const backoff: BackoffOptions = { baseMs: 500, capMs: 10_000 };

type Write = Extract<Verdict, { kind: "write" }> & {
  readonly nowMs: number;
  /** Of the Event object, should this become a new one; kept over all tries, so that none becomes two. */
  readonly name: string;
};

export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #correlator: Correlator;
  /** Event objects that later notes are counted on, by the correlator's id. */
  readonly #keys = new Map<string, ObjectKey>();
  readonly #waiting: Write[] = [];
  readonly #counts = { written: 0, dropped: 0, failed: 0 };
  #serial = 0;
  #writing: Promise<void> | undefined;
  /** Ends the wait for company. */
  #endWait: () => void = () => undefined;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#correlator = new Correlator(options);
  }

  get counts(): EventCounts {
    return { ...this.#counts };
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Returns at once and never throws. */
  record(note: Note): void {
    const nowMs = this.#options.clock.now();
    const verdict = this.#correlator.judge(note, nowMs);
    if (verdict.kind === "drop" || this.#waiting.length >= (this.#options.waitingMax ?? waitingMaxDefault)) {
      this.#counts.dropped++;
      return;
    }
    this.#waiting.push({ nowMs, name: this.#nameFor(note, nowMs), ...verdict });
    this.#writing ??= this.#writeAll();
  }

  /** Writes what waits, at once; resolves when nothing waits to be written. */
  async flush(): Promise<void> {
    while (this.#writing !== undefined) {
      this.#endWait();
      await this.#writing;
    }
  }

  async #writeAll(): Promise<void> {
    await this.#company();
    while (this.#waiting.length > 0) await Promise.all(this.#together().map((write) => this.#tryWrite(write)));
    this.#writing = undefined;
  }

  async #company(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = this.#options.clock.after(companyMs, resolve);
      this.#endWait = () => {
        timer.cancel();
        resolve();
      };
    });
  }

  /** The oldest that do not need each other: a count is written onto the event that was begun before. */
  #together(): readonly Write[] {
    const ids = new Set<string>();
    for (const { id } of this.#waiting.slice(0, togetherMax)) {
      if (ids.has(id)) break;
      ids.add(id);
    }
    return this.#waiting.splice(0, ids.size);
  }

  async #tryWrite(write: Write): Promise<void> {
    const { clock, chance, onError } = this.#options;
    for (let tries = 1; ; tries++) {
      try {
        await this.#write(write);
        this.#counts.written++;
        return;
      } catch (error) {
        if (tries >= triesMax || isFinal(error)) {
          this.#counts.failed++;
          onError?.(error);
          return;
        }
        await sleep(clock, backoffMs(backoff, tries, chance));
      }
    }
  }

  async #write({ id, note, count, nowMs, name }: Write): Promise<void> {
    const { client, source } = this.#options;
    const known = count > 1 ? this.#keys.get(id) : undefined;
    if (known !== undefined) {
      try {
        await client.patch(events, known, countPatch(note, count, nowMs));
        return;
      } catch (error) {
        // Events live for an hour: this one is over, so another begins.
        if (!isNotFound(error)) throw error;
      }
    }
    const object = eventObject(note, name, source, nowMs);
    try {
      await client.create(events, object);
    } catch (error) {
      // An earlier try without an answer did its work after all.
      if (!isAlreadyExists(error)) throw error;
    }
    this.#remember(id, object.metadata);
  }

  /** As client-go names them: `object.<time in hex>`; the serial number keeps two of one millisecond apart. */
  #nameFor(note: Note, nowMs: number): string {
    const nanoseconds = BigInt(Math.trunc(nowMs)) * 1_000_000n + BigInt(this.#serial++ % 1_000_000);
    return `${(note.object.name ?? "").slice(0, 230)}.${nanoseconds.toString(16)}`;
  }

  #remember(id: string, key: { readonly namespace: string; readonly name: string }): void {
    this.#keys.delete(id);
    this.#keys.set(id, { namespace: key.namespace, name: key.name });
    const entriesMax = this.#options.entriesMax ?? 4096;
    for (const oldest of this.#keys.keys()) {
      if (this.#keys.size <= entriesMax) return;
      this.#keys.delete(oldest);
    }
  }
}

/** The API understood and said no (forbidden, namespace going away), or we lead no more: asking again does not help. */
function isFinal(error: unknown): boolean {
  if (error instanceof FencedError) return true;
  return error instanceof ApiError && error.code < 500 && error.code !== 429;
}
