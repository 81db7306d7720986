/** Those who wait for a container's end. */

import type { ExitRecord } from "./pod-state.js";

export class ExitWaiters {
  readonly #waiting = new Map<string, ((exit: ExitRecord) => void)[]>();

  wait(name: string): Promise<ExitRecord> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(name) ?? [];
      this.#waiting.set(name, waiting);
      waiting.push(resolve);
    });
  }

  tell(name: string, exit: ExitRecord): void {
    const waiting = this.#waiting.get(name) ?? [];
    this.#waiting.delete(name);
    for (const resolve of waiting) resolve(exit);
  }

  /** The pod is over: what has not begun never will. */
  tellRest(now: number): void {
    for (const name of [...this.#waiting.keys()]) {
      this.tell(name, { exitCode: 137, reason: "ContainerStatusUnknown", startedAt: undefined, finishedAt: now });
    }
  }
}
