/** A node with scripted containers on a virtual clock, over the embedded API in memory: for tests. */

import type { Pod, PodSpec } from "../../../core/model/kube/pod.js";
import { builtInTypes, pods } from "../../../core/model/resources.js";
import type { Client } from "../../../kube/client.js";
import { SeededChance } from "../../../kube/testing/seeded-chance.js";
import { VirtualClock } from "../../../kube/testing/virtual-clock.js";
import { openMemoryStore, openServer } from "../../apiserver/index.js";
import { type Kubelet, startKubelet } from "../kubelet.js";
import type { KubeletOptions } from "../options.js";
import { parseScript } from "../runtime/scripted/parse-script.js";
import { ScriptedRuntime } from "../runtime/scripted/scripted-runtime.js";

export interface ScriptedNode {
  readonly clock: VirtualClock;
  readonly client: Client;
  readonly kubelet: Kubelet;
  readonly errors: unknown[];
  /** Creates a pod in namespace `default`. */
  create(name: string, spec: Partial<PodSpec>): Promise<Pod>;
  /** The pod as the API has it. */
  read(name: string): Promise<Pod>;
  close(): Promise<void>;
}

/** `rules`: of the script. */
export async function scriptedNode(rules: unknown, options: Partial<KubeletOptions> = {}): Promise<ScriptedNode> {
  const clock = new VirtualClock();
  const chance = new SeededChance(1);
  const server = await openServer({ store: openMemoryStore(), clock, chance, types: builtInTypes, rowFields: [] });
  const client = server.client();
  const script = parseScript({ rules });
  if (!script.ok) throw new Error(JSON.stringify(script.error));
  const errors: unknown[] = [];
  const kubelet = await startKubelet({
    client,
    clock,
    chance,
    runtime: new ScriptedRuntime({ script: script.value, clock }),
    builtinImages: new Map(),
    podsFolder: "/nonexistent/pods",
    claimsFolder: "/nonexistent/claims",
    maxPods: Number.POSITIVE_INFINITY,
    onError: (error) => errors.push(error),
    ...options,
  });
  return {
    clock,
    client,
    kubelet,
    errors,
    create: (name, spec) => client.create(pods, podOf(name, spec)),
    read: (name) => client.get(pods, { namespace: "default", name }),
    async close() {
      await kubelet.close();
      await server.close();
    },
  };
}

export function podOf(name: string, spec: Partial<PodSpec>): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default" },
    spec: { restartPolicy: "Never", containers: [{ name: "main", image: "image" }], ...spec },
  };
}
