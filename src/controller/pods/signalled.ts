/** Which containers were already told to end, so that a pass that comes again does not tell them again. */

import type { Pod } from "../../core/model/kube/pod.js";
import type { ContainerSignals } from "./ports.js";

/** In memory only: after a restart a container is told once more, which harms nobody. */
export class Signalled {
  private readonly told = new Map<string, Set<string>>();

  /** Sends SIGTERM to those not told yet. Returns at once; `failed` is called when it could not be delivered. */
  send(signals: ContainerSignals, pod: Pod, containers: readonly string[], failed: () => void): void {
    const uid = pod.metadata.uid ?? "";
    const told = this.told.get(uid) ?? new Set<string>();
    const untold = containers.filter((name) => !told.has(name));
    if (untold.length === 0) return;
    for (const name of untold) told.add(name);
    this.told.set(uid, told);
    signals.send(pod, untold, "SIGTERM").catch(() => {
      for (const name of untold) told.delete(name);
      failed();
    });
  }

  /** Whether any of the pod's containers was told. */
  has(uid: string): boolean {
    return (this.told.get(uid)?.size ?? 0) > 0;
  }

  /** The pod is gone, or its containers need not be ended any more. */
  forget(uid: string): void {
    this.told.delete(uid);
  }

  get size(): number {
    return this.told.size;
  }
}
