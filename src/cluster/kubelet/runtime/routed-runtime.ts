/** Two drivers on one node: some pods are taken out and given to the second. */

import type { Pod } from "../../../core/model/kube/pod.js";
import type { PodHandle, PodSetup, Runtime } from "./port.js";

export interface RoutedRuntimeOptions {
  /** Runs every pod that is not taken out; the node speaks in its name. */
  readonly usual: Runtime;
  readonly other: Runtime;
  /** Answers the same for a pod at any time, also after a restart: from what stands in the pod itself. */
  readonly isForOther: (pod: Pod) => boolean;
}

export class RoutedRuntime implements Runtime {
  readonly name: string;
  readonly files: Runtime["files"];
  readonly #options: RoutedRuntimeOptions;

  constructor(options: RoutedRuntimeOptions) {
    this.#options = options;
    this.name = options.usual.name;
    this.files = options.usual.files === "disk" ? "disk" : options.other.files;
  }

  prepare(): void {
    this.#options.usual.prepare?.();
    this.#options.other.prepare?.();
  }

  async start(): Promise<void> {
    await Promise.all([this.#options.usual.start(), this.#options.other.start()]);
  }

  async endOthers(isKnown: (podUid: string) => boolean): Promise<void> {
    const { usual, other } = this.#options;
    await Promise.all([usual.endOthers?.(isKnown), other.endOthers?.(isKnown)]);
  }

  openPod(setup: PodSetup): Promise<PodHandle> {
    const { usual, other, isForOther } = this.#options;
    return (isForOther(setup.pod) ? other : usual).openPod(setup);
  }

  async close(): Promise<void> {
    await Promise.all([this.#options.usual.close(), this.#options.other.close()]);
  }
}
