/** Those who wait for a container's start or end. */

import type { ExitRecord } from "./pod-state.js";

export class ContainerWaiters {
  readonly #waiting = new Map<string, ((exit: ExitRecord) => void)[]>();

  readonly #notBegun = new Map<string, (() => void)[]>();

  wait(name: string): Promise<ExitRecord> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(name) ?? [];
      this.#waiting.set(name, waiting);
      waiting.push(resolve);
    });
  }

  /** Resolves when the container has begun to run, or never will. */
  begun(name: string): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#notBegun.get(name) ?? [];
      this.#notBegun.set(name, waiting);
      waiting.push(resolve);
    });
  }

  tellBegun(name: string): void {
    const waiting = this.#notBegun.get(name) ?? [];
    this.#notBegun.delete(name);
    for (const resolve of waiting) resolve();
  }

  tell(name: string, exit: ExitRecord): void {
    this.tellBegun(name);
    const waiting = this.#waiting.get(name) ?? [];
    this.#waiting.delete(name);
    for (const resolve of waiting) resolve(exit);
  }

  /** The pod is over: what has not begun never will. */
  tellRest(now: number): void {
    for (const name of [...this.#notBegun.keys()]) this.tellBegun(name);
    for (const name of [...this.#waiting.keys()]) {
      this.tell(name, { exitCode: 137, reason: "ContainerStatusUnknown", startedAt: undefined, finishedAt: now });
    }
  }
}
