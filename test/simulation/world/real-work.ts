/** The executor's files and archives are real and take real time: virtual time has to wait while it is at them. */

import type { BuiltinContext, BuiltinImage, BuiltinImages } from "../../../src/cluster/kubelet/builtin.js";
import type { Client } from "../../../src/kube/client.js";
import type { Clock } from "../../../src/kube/clock.js";

/** Counts executors that wait for nothing in the simulated world. */
export class RealWork {
  #busy = 0;

  get isUnderWay(): boolean {
    return this.#busy > 0;
  }

  images(images: BuiltinImages): BuiltinImages {
    return new Map([...images].map(([name, image]) => [name, this.#counted(image)]));
  }

  client(client: Client): Client {
    return {
      get: (...args) => this.#waiting(client.get(...args)),
      list: (...args) => this.#waiting(client.list(...args)),
      watch: (type, options) => client.watch(type, options),
      create: (...args) => this.#waiting(client.create(...args)),
      update: (...args) => this.#waiting(client.update(...args)),
      patch: (...args) => this.#waiting(client.patch(...args)),
      delete: (...args) => this.#waiting(client.delete(...args)),
    };
  }

  clock(clock: Clock): Clock {
    return {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      after: (delayMs, callback) => {
        const goOn = this.#pause();
        const timer = clock.after(delayMs, () => {
          goOn();
          callback();
        });
        return {
          cancel: () => {
            goOn();
            timer.cancel();
          },
        };
      },
    };
  }

  #counted(image: BuiltinImage): BuiltinImage {
    return async (context) => {
      this.#busy++;
      try {
        return await image(this.#inside(context));
      } finally {
        this.#busy--;
      }
    };
  }

  #inside(context: BuiltinContext): BuiltinContext {
    return { ...context, ended: (name) => this.#waiting(context.ended(name)) };
  }

  /** What a dead process waits for never comes: it is not at work either. */
  async #waiting<T>(answer: Promise<T>): Promise<T> {
    const goOn = this.#pause();
    try {
      return await answer;
    } finally {
      goOn();
    }
  }

  /** Answers how to end it; a second time does nothing. */
  #pause(): () => void {
    this.#busy--;
    let isPaused = true;
    return () => {
      if (isPaused) this.#busy++;
      isPaused = false;
    };
  }
}
