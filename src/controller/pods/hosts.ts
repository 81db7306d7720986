/** Whether the machine under a pod still answers, told by the Lease that its kubelet renews. */

import type { Lease } from "../../core/model/kube/core.js";
import { leases } from "../../core/model/resources.js";
import type { Client } from "../../kube/client.js";
import type { Clock } from "../../kube/clock.js";
import { isNotFound } from "../../kube/errors.js";

export type HostState =
  /** It does, or has not been silent for long enough: ask again after `againMs`. */
  { readonly kind: "answers"; readonly againMs: number } | { readonly kind: "lost" };

/** Where Kubernetes' kubelets keep their Leases, named after the node. */
const NAMESPACE = "kube-node-lease";
/** As long as Kubernetes itself waits before it calls a node unknown. */
const SILENCE_MAX_MS = 50_000;

interface Silence {
  /** Undefined: there was no Lease. */
  readonly renewTime: string | undefined;
  /** Monotonic time of our first look. */
  readonly since: number;
}

/**
 * Asked only for pods whose deletion is overdue. A renewal counts when it is seen to happen: clocks of other machines,
 * and our own when it jumps, say nothing. No Lease is a silence like another: it went with its Node, or the kubelet has not
 * come to making it yet and is at work all the same.
 */
export class Hosts {
  /** By pod UID. */
  readonly #silences = new Map<string, Silence>();

  constructor(
    private readonly client: Client,
    private readonly clock: Clock,
  ) {}

  /** Rejects when the API gives no answer. */
  async stateOf(podUid: string, host: string): Promise<HostState> {
    const renewTime = await this.#renewTime(host);
    const now = this.clock.monotonic();
    const known = this.#silences.get(podUid);
    if (known === undefined || known.renewTime !== renewTime) {
      this.#silences.set(podUid, { renewTime, since: now });
      return { kind: "answers", againMs: SILENCE_MAX_MS };
    }
    const leftMs = known.since + SILENCE_MAX_MS - now;
    return leftMs > 0 ? { kind: "answers", againMs: leftMs } : { kind: "lost" };
  }

  /** Nothing of the pod depends on its machine any more. */
  forget(podUid: string): void {
    this.#silences.delete(podUid);
  }

  get size(): number {
    return this.#silences.size;
  }

  /** Undefined: there is no Lease. */
  async #renewTime(host: string): Promise<string | undefined> {
    try {
      const lease = await this.client.get<Lease>(leases, { namespace: NAMESPACE, name: host });
      return lease.spec?.renewTime ?? "";
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
