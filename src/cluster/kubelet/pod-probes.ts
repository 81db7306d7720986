/** The probes of one pod's running containers. */

import type { Container, Probe } from "../../core/model/kube/pod.js";
import type { Clock } from "../../kube/clock.js";
import type { ContainerRecord } from "./pod-state.js";
import { askNetwork, timeoutMsOf } from "./probe-network.js";
import { Prober } from "./prober.js";
import type { PodHandle } from "./runtime/port.js";

type RecordPatch = Pick<Partial<ContainerRecord>, "ready" | "started" | "unhealthy">;

export class PodProbes {
  readonly #clock: Clock;
  readonly #onChange: (containerName: string, patch: RecordPatch) => void;
  readonly #probers = new Map<string, Prober>();

  constructor(clock: Clock, onChange: (containerName: string, patch: RecordPatch) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** `isStarted`: the startup probe has said its word already. */
  begin(container: Container, handle: PodHandle, { isStarted }: { readonly isStarted: boolean }): void {
    const { name } = container;
    if ((container.readinessProbe ?? container.livenessProbe ?? container.startupProbe) === undefined) return;
    const prober = new Prober({
      container,
      isStarted,
      clock: this.#clock,
      ask: (probe) => ask(probe, container, handle),
      started: () => this.#onChange(name, { started: true }),
      ready: (isReady) => this.#onChange(name, { ready: isReady }),
      unhealthy: (unhealthy) => this.#onChange(name, { unhealthy }),
    });
    this.#probers.set(name, prober);
  }

  end(containerName: string): void {
    this.#probers.get(containerName)?.stop();
    this.#probers.delete(containerName);
  }

  stop(): void {
    for (const prober of this.#probers.values()) prober.stop();
  }
}

async function ask(probe: Probe, container: Container, handle: PodHandle): Promise<boolean> {
  const own = handle.probe?.(container.name, probe);
  if (own !== undefined) return own;
  const network = askNetwork({ probe, container, ip: handle.ip });
  if (network !== undefined) return network;
  const { exitCode } = await handle.exec(container.name, probe.exec?.command ?? [], timeoutMsOf(probe));
  return exitCode === 0;
}
