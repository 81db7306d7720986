/** The signals of a command: an echo counts once, and none is lost between two that listen. */

import type { Clock } from "../kube/clock.js";
import type { SignalName, Signals } from "./ports.js";

/**
 * One Ctrl-C may come twice: from the terminal to the whole group, and from a shell or npx that hands it on; a person's
 * second one comes later. A window is closed once: its second hang-up comes when the shell that had it has ended.
 */
const ECHO_MS: Readonly<Record<SignalName, number>> = { SIGINT: 200, SIGTERM: 200, SIGHUP: 2000 };

export class SignalDesk implements Signals {
  readonly #source: Signals;
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #listeners = new Set<(signal: SignalName) => void>();
  readonly #countedAt = new Map<SignalName, number>();
  #kept: readonly SignalName[] = [];
  #holders = 0;
  #stop: (() => void) | undefined;

  constructor(source: Signals, clock: Pick<Clock, "monotonic">) {
    this.#source = source;
    this.#clock = clock;
  }

  /** Hears first what came while nobody listened, if somebody held it. */
  listen(listener: (signal: SignalName) => void): () => void {
    this.#listeners.add(listener);
    this.#attend();
    const kept = this.#kept;
    this.#kept = [];
    for (const signal of kept) listener(signal);
    return () => {
      this.#listeners.delete(listener);
      this.#attend();
    };
  }

  /** Until it is let go, a signal that nobody listens to waits for the next who does, and does not end the process. */
  hold(): () => void {
    let held = true;
    this.#holders += 1;
    this.#attend();
    return () => {
      if (!held) return;
      held = false;
      this.#holders -= 1;
      this.#attend();
    };
  }

  #attend(): void {
    const wanted = this.#listeners.size + this.#holders > 0;
    if (wanted) {
      this.#stop ??= this.#source.listen((signal) => this.#take(signal));
      return;
    }
    this.#stop?.();
    this.#stop = undefined;
    this.#kept = [];
  }

  #take(signal: SignalName): void {
    const now = this.#clock.monotonic();
    const before = this.#countedAt.get(signal);
    if (before !== undefined && now - before < ECHO_MS[signal]) return;
    this.#countedAt.set(signal, now);
    if (this.#listeners.size === 0) this.#kept = [...this.#kept, signal];
    for (const listener of [...this.#listeners]) listener(signal);
  }
}
