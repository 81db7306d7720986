/** What all pods of one kubelet share. */

import type { Pod } from "../../core/model/kube/pod.js";
import type { Client } from "../../kube/client.js";
import type { Clock } from "../../kube/clock.js";
import type { BuiltinImages } from "./builtin.js";
import type { Clearing } from "./clearing.js";
import type { ConfigSource } from "./config-source.js";
import type { PodFacts } from "./downward.js";
import type { Mount, Runtime } from "./runtime/port.js";

/** When the files of a pod that has ended are kept; its logs always are. "failed": see `hasFailed`. */
export type KeepFiles = "failed" | "always" | "never";

export interface KubeletContext {
  readonly client: Client;
  readonly clock: Clock;
  readonly runtime: Runtime;
  readonly builtinImages: BuiltinImages;
  readonly source: ConfigSource;
  readonly nodeName: string;
  /** One folder a pod, named by its UID. */
  readonly podsFolder: string;
  /** Persistent volume claims, one folder each. */
  readonly claimsFolder: string;
  readonly capacity: PodFacts["capacity"];
  /** Added to each main container that is not built in. */
  readonly extraMounts: readonly Mount[];
  readonly extraEnv: ReadonlyMap<string, string>;
  readonly keepFiles: KeepFiles;
  /** Of a pod that has ended. */
  readonly hasFailed: (pod: Pod) => boolean;
  readonly clearing: Clearing;
  /** News of a running pod may wait so long for company before it is written. */
  readonly statusDelayMs: number;
  /** What went wrong and is tried again. */
  readonly onError: (error: unknown, pod: Pod) => void;
}
