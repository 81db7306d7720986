/** What the pods' loop needs of the world. */

import type { Pod } from "../../core/model/kube/pod.js";
import type { Client } from "../../kube/client.js";
import type { Clock } from "../../kube/clock.js";
import type { Caches } from "../caches.js";
import type { OpenRuns } from "../open-runs.js";
import type { Hosts } from "./hosts.js";

/** How containers are told to end, where the cluster has a way. Its outcome may take long: nobody waits for it. */
export interface ContainerSignals {
  /** Rejects when the signal could not be delivered; a container that has ended already is no failure. */
  send(pod: Pod, containers: readonly string[], signal: "SIGTERM"): Promise<void>;
}

/** What comes up about a pod that others have to know. */
export interface PodNews {
  /** Its machine does not answer, and its outcome is not saved: the workflow has to say so. */
  hostLost(pod: Pod): void;
  /** It stands for no attempt of its workflow, and is ended. */
  surplus(pod: Pod): void;
}

export interface PodPorts {
  readonly client: Client;
  readonly clock: Clock;
  readonly caches: Caches;
  readonly runs: OpenRuns;
  /** Left out: the cluster has no way, pods are deleted instead. */
  readonly signals?: ContainerSignals;
  /** Left out: the machines cannot fail without us (we are on the only one). */
  readonly hosts?: Pick<Hosts, "stateOf" | "forget">;
  readonly tell: PodNews;
  /** podGC delay where the workflow names none, milliseconds. */
  readonly podGCDelayMs: number;
  /** Monotonic time before which no pod may be made to vanish (design law 7). */
  readonly podsStayUntil: number;
  /** Puts the pod's key back on the queue. */
  again(uid: string): void;
}
