/** Ctrl-C: once stops (exit handlers run), twice terminates, three times leaves at once. */

import type { Workflow } from "../../core/model/argo/workflow.js";
import { workflows } from "../../core/model/resources.js";
import { stop, terminate } from "../../core/operations/index.js";
import type { Result } from "../../core/std/result.js";
import type { Client } from "../../kube/client.js";
import type { Clock } from "../../kube/clock.js";
import { updateOnConflict } from "../../kube/update.js";
import { exitCodes } from "../exit-codes.js";
import type { SignalName, Signals } from "../ports.js";

export type Stopping = "no" | "stopping" | "terminating" | "leaving";

export interface InterruptPorts {
  readonly signals: Signals;
  readonly client: Client;
  readonly clock: Clock;
}

export class Interrupts {
  readonly #ports: InterruptPorts;
  readonly #targets: readonly Workflow[];
  readonly #changed: () => void;
  #stopping: Stopping = "no";
  #firstSignal: SignalName | undefined;
  #leave: () => void = () => undefined;
  /** Resolves at the third signal. */
  readonly leaving: Promise<void>;
  #failure: unknown;

  constructor(ports: InterruptPorts, targets: readonly Workflow[], changed: () => void) {
    this.#ports = ports;
    this.#targets = targets;
    this.#changed = changed;
    this.leaving = new Promise((resolve) => {
      this.#leave = resolve;
    });
  }

  /** Returns how to stop listening. */
  listen(): () => void {
    return this.#ports.signals.listen((signal) => this.#take(signal));
  }

  get stopping(): Stopping {
    return this.#stopping;
  }

  /** What a run that a signal ended exits with; undefined when there was none. */
  get exitCode(): number | undefined {
    if (this.#firstSignal === undefined) return undefined;
    return this.#firstSignal === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated;
  }

  /** Why a stop could not be written, if so. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Ends the workflows without a signal (a timeout of ours). */
  async terminate(): Promise<void> {
    await this.#apply((workflow) => terminate(workflow));
  }

  #take(signal: SignalName): void {
    this.#firstSignal ??= signal;
    if (this.#stopping === "no") {
      this.#stopping = "stopping";
      const now = this.#ports.clock.now();
      void this.#apply((workflow) => stop(workflow, { now }));
    } else if (this.#stopping === "stopping") {
      this.#stopping = "terminating";
      void this.#apply((workflow) => terminate(workflow));
    } else {
      this.#stopping = "leaving";
      this.#leave();
    }
    this.#changed();
  }

  async #apply(operation: (workflow: Workflow) => Result<Workflow, string>): Promise<void> {
    for (const target of this.#targets) {
      const { name = "", namespace = "" } = target.metadata;
      const key = { namespace, name };
      try {
        await updateOnConflict<Workflow>(this.#ports.client, { type: workflows, key }, (workflow) => {
          const next = operation(workflow);
          return next.ok ? next.value : undefined;
        });
      } catch (error) {
        this.#failure = error;
      }
    }
  }
}
