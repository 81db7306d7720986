/** What a kubelet is made of, and what is taken where nothing is said. */

import type { Pod } from "../../core/model/kube/pod.js";
import type { Client } from "../../kube/client.js";
import type { Chance, Clock } from "../../kube/clock.js";
import type { BuiltinImages } from "./builtin.js";
import { Clearing } from "./clearing.js";
import type { ConfigSource } from "./config-source.js";
import type { KeepFiles, KubeletContext } from "./kubelet-context.js";
import type { Mount, Runtime } from "./runtime/port.js";

export interface KubeletOptions {
  readonly client: Client;
  readonly runtime: Runtime;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly builtinImages: BuiltinImages;
  /** One folder a pod, named by its UID; made where missing. */
  readonly podsFolder: string;
  /** Persistent volume claims, one folder each; made where missing. */
  readonly claimsFolder: string;
  /** How many pods run at once; `Infinity` for no limit. */
  readonly maxPods: number;
  /** Pods that run beside the others without taking a slot (daemons). Left out: every pod takes one. */
  readonly takesSlot?: (pod: Pod) => boolean;
  readonly nodeName?: string;
  /** Of the machine, for resourceFieldRef. */
  readonly capacity?: { readonly cpuMillis: number; readonly memoryBytes: number };
  /** `--mount SRC:DST[:ro]`: in each main container that is not built in. */
  readonly extraMounts?: readonly Mount[];
  /** In each main container, before its own variables. */
  readonly extraEnv?: ReadonlyMap<string, string>;
  readonly keepFiles?: KeepFiles;
  /** Whether one looks for the reason why a pod ended so. Left out: its phase says it. */
  readonly hasFailed?: (pod: Pod) => boolean;
  readonly statusDelayMs?: number;
  readonly onError?: (error: unknown, pod: Pod) => void;
}

/** Of the node that pods are run by where they, or the kubelet's options, name none. */
export const DEFAULT_NODE_NAME = "local";
const DEFAULT_STATUS_DELAY_MS = 40;

export function withDefaults(options: KubeletOptions, source: ConfigSource): KubeletContext {
  return {
    client: options.client,
    clock: options.clock,
    runtime: options.runtime,
    builtinImages: options.builtinImages,
    source,
    nodeName: options.nodeName ?? DEFAULT_NODE_NAME,
    podsFolder: options.podsFolder,
    claimsFolder: options.claimsFolder,
    capacity: options.capacity ?? { cpuMillis: 1000, memoryBytes: 2 ** 30 },
    extraMounts: options.extraMounts ?? [],
    extraEnv: options.extraEnv ?? new Map(),
    keepFiles: options.keepFiles ?? "failed",
    hasFailed: options.hasFailed ?? (({ status }) => status?.phase === "Failed"),
    clearing: new Clearing(options.clock),
    statusDelayMs: options.statusDelayMs ?? DEFAULT_STATUS_DELAY_MS,
    onError: options.onError ?? (() => undefined),
  };
}
