/** Asks a running container's probes again and again, and says what their answers amount to. */

import type { Container, Probe } from "../../core/model/kube/pod.js";
import type { Clock, Timer } from "../../kube/clock.js";

export interface ProberOptions {
  readonly container: Container;
  /** Its startup probe has succeeded before: it is not asked again. */
  readonly isStarted: boolean;
  readonly clock: Clock;
  /** One try; false or a rejection is a failure. */
  readonly ask: (probe: Probe) => Promise<boolean>;
  readonly started: () => void;
  readonly ready: (isReady: boolean) => void;
  readonly unhealthy: (message: string) => void;
}

interface Course {
  readonly probe: Probe;
  /** Answers in a row: positive successes, negative failures. */
  streak: number;
  readonly failureThreshold: number;
  readonly successThreshold: number;
}

export class Prober {
  readonly #options: ProberOptions;
  readonly #timers = new Set<Timer>();
  #stopped = false;

  constructor(options: ProberOptions) {
    this.#options = options;
    const { startupProbe } = options.container;
    if (startupProbe === undefined || options.isStarted) this.#others();
    else this.#awaitStart(startupProbe, options);
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers) timer.cancel();
  }

  #awaitStart(probe: Probe, options: ProberOptions): void {
    this.#begin(probe, {
      up: () => {
        options.started();
        this.#others();
        return "stop";
      },
      down: () => options.unhealthy("startup probe failed"),
    });
  }

  /** Readiness and liveness count only once the container has started. */
  #others(): void {
    const { readinessProbe, livenessProbe } = this.#options.container;
    if (readinessProbe !== undefined) {
      this.#begin(readinessProbe, {
        up: () => this.#options.ready(true),
        down: () => this.#options.ready(false),
      });
    }
    if (livenessProbe !== undefined) {
      this.#begin(livenessProbe, {
        up: () => undefined,
        down: () => this.#options.unhealthy("liveness probe failed"),
      });
    }
  }

  #begin(probe: Probe, verdict: { readonly up: () => unknown; readonly down: () => void }): void {
    const course: Course = {
      probe,
      streak: 0,
      failureThreshold: setOr(probe.failureThreshold, 3),
      successThreshold: setOr(probe.successThreshold, 1),
    };
    const again = (delaySeconds: number): void => {
      if (this.#stopped) return;
      const timer = this.#options.clock.after(delaySeconds * 1000, () => {
        this.#timers.delete(timer);
        void this.#ask(course).then((isUp) => {
          if (this.#stopped) return;
          const isOver = this.#count(course, isUp, verdict);
          if (!isOver) again(setOr(probe.periodSeconds, 10));
        });
      });
      this.#timers.add(timer);
    };
    again(probe.initialDelaySeconds ?? 0);
  }

  #ask({ probe }: Course): Promise<boolean> {
    return this.#options.ask(probe).catch(() => false);
  }

  /** True when this probe has said its last word. */
  #count(course: Course, isUp: boolean, verdict: { readonly up: () => unknown; readonly down: () => void }): boolean {
    course.streak = isUp ? Math.max(0, course.streak) + 1 : Math.min(0, course.streak) - 1;
    if (course.streak === course.successThreshold) return verdict.up() === "stop";
    if (course.streak === -course.failureThreshold) verdict.down();
    return false;
  }
}

/** Kubernetes takes 0 for a number that was left out; a period of none would ask without end. */
function setOr(value: number | undefined, otherwise: number): number {
  return value === undefined || value <= 0 ? otherwise : value;
}
