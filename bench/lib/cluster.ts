/** The whole engine in one process on the memory store, with scripted steps: what is left is our own cost. */

import { systemChance, systemClock } from "../../src/app/system-clock.js";
import { openMemoryStore, openServer } from "../../src/cluster/apiserver/index.js";
import { type Script, ScriptedRuntime, startKubelet } from "../../src/cluster/kubelet/index.js";
import { startController } from "../../src/controller/index.js";
import type { Workflow, WorkflowSpec } from "../../src/core/model/argo/workflow.js";
import { argoTypes, builtInTypes, workflows } from "../../src/core/model/resources.js";
import { executorImages } from "../../src/executor/index.js";
import type { Client } from "../../src/kube/client.js";
import type { Clock } from "../../src/kube/clock.js";

export interface BenchCluster {
  readonly client: Client;
  close(): Promise<void>;
}

export type Component = "controller" | "kubelet" | "executor";

export interface ClusterOptions {
  readonly clock: Clock;
  /** What containers do; left out: they succeed at once. */
  readonly script: Script;
  /** The API as that component reaches it: to count what it asks for. */
  readonly clientFor: (component: Component, client: Client) => Client;
}

export async function scriptedCluster(options: Partial<ClusterOptions> = {}): Promise<BenchCluster> {
  const { clock = systemClock, script = { rules: [] }, clientFor = (_component, plain) => plain } = options;
  const ports = { clock, chance: systemChance };
  const server = await openServer({
    ...ports,
    store: openMemoryStore(),
    types: [...builtInTypes, ...argoTypes],
    rowFields: [{ type: workflows, path: "status.nodes" }],
  });
  const client = server.client();
  const kubelet = await startKubelet({
    ...ports,
    client: clientFor("kubelet", client),
    runtime: new ScriptedRuntime({ clock, script }),
    builtinImages: executorImages({
      client: clientFor("executor", client),
      clock,
      placeArtifactsFolder: "",
      sharedArtifactsFolder: "",
    }),
    podsFolder: "",
    claimsFolder: "",
    maxPods: Number.POSITIVE_INFINITY,
  });
  const controller = startController({
    ...ports,
    client: clientFor("controller", client),
    engine: { pod: { layout: "local", images: new Map(), statusFinalizer: true } },
    signals: { send: (pod, containers, signal) => kubelet.signal({ uid: pod.metadata.uid ?? "" }, signal, containers) },
  });
  await controller.started;
  return {
    client,
    close: async () => {
      await controller.stop();
      await kubelet.close();
      await server.close();
    },
  };
}

/** Creates the workflow and waits for its end; how long that took, in milliseconds. */
export async function timeWorkflow(client: Client, name: string, spec: WorkflowSpec): Promise<number> {
  const start = performance.now();
  const created = await client.create<Workflow>(workflows, {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name, namespace: "default" },
    spec,
  });
  const options = { namespace: "default", resourceVersion: created.metadata.resourceVersion ?? "" };
  for await (const event of client.watch<Workflow>(workflows, options)) {
    if (event.type === "BOOKMARK" || event.object.metadata.name !== name) continue;
    const { phase } = event.object.status ?? {};
    if (phase === "Failed" || phase === "Error") throw new Error(`${name}: ${event.object.status?.message}`);
    if (phase === "Succeeded") break;
  }
  return performance.now() - start;
}

const step = { name: "true", container: { image: "busybox", command: ["/bin/true"] } };

/** `length` steps, one after the other. */
export function chain(length: number): WorkflowSpec {
  const steps = Array.from({ length }, (_, index) => [{ name: `s${index}`, template: "true" }]);
  return { entrypoint: "main", templates: [{ name: "main", steps }, step] };
}

/** `width` steps at once. */
export function fanOut(width: number): WorkflowSpec {
  const loop = { name: "s", template: "true", withSequence: { count: String(width) } };
  return { entrypoint: "main", templates: [{ name: "main", steps: [[loop]] }, step] };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
