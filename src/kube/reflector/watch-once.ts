/** One watch, from its request to its end, which also comes when nothing has been heard for too long. */

import type { KubeObject } from "../../core/model/kube/meta.js";
import type { ResourceType } from "../../core/model/resources.js";
import type { Client, WatchEvent, WatchOptions } from "../client.js";
import type { Clock, Timer } from "../clock.js";

export interface WatchOnce<T extends KubeObject> {
  readonly client: Pick<Client, "watch">;
  readonly type: ResourceType;
  readonly options: Omit<WatchOptions, "signal">;
  readonly clock: Clock;
  /** A half-open connection tells nothing: without bookmark or event for so long, the watch is given up. */
  readonly idleTimeoutMs: number;
  readonly onEvent: (event: WatchEvent<T>) => void;
}

/** Resolves when the server ended the watch, when it was idle for too long, and when `signal` aborts; rejects as
 * `Client.watch` does. */
export async function watchOnce<T extends KubeObject>(watch: WatchOnce<T>, signal: AbortSignal): Promise<void> {
  const stop = new Stop();
  const idle = new IdleTimer(watch.clock, watch.idleTimeoutMs, stop.now);
  signal.addEventListener("abort", stop.now, { once: true });
  if (signal.aborted) stop.now();
  const events = watch.client.watch<T>(watch.type, { ...watch.options, signal: stop.signal });
  const iterator = events[Symbol.asyncIterator]();
  try {
    await stop.orEndOf(iterator, (event) => {
      idle.heard();
      watch.onEvent(event);
    });
  } finally {
    idle.cancel();
    signal.removeEventListener("abort", stop.now);
    stop.now();
    // A source that does not end at the abort must not hold us up, nor may its error go unheard as a crash.
    iterator.return?.().catch(() => {});
  }
}

/** The end of a watch from our side. A source that ignores the signal cannot keep us. */
class Stop {
  readonly #abort = new AbortController();
  #wake: (() => void) | undefined;

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  readonly now = (): void => {
    // With a reason: without one, an error with a stack would be made for each watch, and nobody reads it.
    this.#abort.abort("the watch is over");
    this.#wake?.();
  };

  /** Until the source has told all, or we stop first. Not a loop that waits: that costs every event a promise more. */
  orEndOf<T>(iterator: AsyncIterator<T>, tell: (item: T) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#wake = resolve;
      // An abort of our own may come back as an error: that is no failure of the watch.
      const failed = (error: unknown): void => (this.signal.aborted ? resolve() : reject(error));
      const ask = (): void => {
        if (this.signal.aborted) resolve();
        else iterator.next().then(told, failed);
      };
      const told = (next: IteratorResult<T>): void => {
        if (this.signal.aborted || next.done === true) {
          resolve();
          return;
        }
        try {
          tell(next.value);
          ask();
        } catch (error) {
          failed(error);
        }
      };
      ask();
    });
  }
}

/** One timer for a whole quiet period instead of one for each event. */
class IdleTimer {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #onIdle: () => void;
  #heardAt: number;
  #timer: Timer;

  constructor(clock: Clock, timeoutMs: number, onIdle: () => void) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#onIdle = onIdle;
    this.#heardAt = clock.monotonic();
    this.#timer = clock.after(timeoutMs, () => this.#check());
  }

  heard(): void {
    this.#heardAt = this.#clock.monotonic();
  }

  cancel(): void {
    this.#timer.cancel();
  }

  #check(): void {
    const leftMs = this.#heardAt + this.#timeoutMs - this.#clock.monotonic();
    if (leftMs <= 0) this.#onIdle();
    else this.#timer = this.#clock.after(leftMs, () => this.#check());
  }
}
